import type { UseQueryResult } from '@tanstack/react-query';
import { ActionButtons } from '../actions/action-buttons';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../shared/loaded-table';
import { StatusBadge } from '../shared/status-badge';
import { Age } from '../shared/time';
import type { ParkedKey } from './queue-queries';

const columnsOf = (t: Dictionary): readonly Column<ParkedKey>[] => [
  { id: 'consumer', header: t.queues.consumer, cell: ({ consumer }) => consumer },
  {
    id: 'key', header: t.queues.key,
    cell: ({ streamType, streamId }) => <EntityLink type={streamType} id={streamId} />,
  },
  {
    id: 'event', header: t.queues.event,
    cell: ({ eventType, version }) => `${eventType} (${version})`,
  },
  { id: 'error', header: t.queues.error, cell: ({ error }) => <span lang="en">{error}</span> },
  { id: 'tries', header: t.queues.tries, isNumber: true, cell: ({ tries }) => tries },
  {
    id: 'parked', header: t.queues.parkedSince,
    cell: ({ parkedAt }) => <Age at={parkedAt} isWall />,
  },
  {
    id: 'state', header: t.shared.status,
    cell: ({ releaseRequestedAt }) => (releaseRequestedAt === null
      ? <StatusBadge tone="bad" label={t.queues.parked} />
      : <StatusBadge tone="busy" label={t.queues.releasing} />),
  },
  {
    id: 'acts', header: t.actions.column,
    cell: ({ consumer, streamType, streamId, eventType, version }) => {
      const target = { subjectId: streamId, consumer, streamType, version };
      return (
        <ActionButtons
          isCompact subject={`${consumer} ${streamId}, ${eventType} (${version})`}
          wishes={[{ kind: 'release_parked', target }, { kind: 'skip_parked', target }]}
        />
      );
    },
  },
];

const keyOf = ({ consumer, streamType, streamId }: ParkedKey): string =>
  `${consumer} ${streamType} ${streamId}`;

/** Keys whose messages wait because one of them could not be taken. */
export const ParkedKeys = (
  { query }: { readonly query: UseQueryResult<readonly ParkedKey[]> },
) => {
  const t = useT();
  return (
    <LoadedTable
      label={t.queues.views.parked} query={query} columns={columnsOf(t)} keyOf={keyOf}
      none={t.queues.parkedNone}
    />
  );
};
