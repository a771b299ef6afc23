import { Group } from '@mantine/core';
import { api, bodyOf, type Schemas } from '../api/client';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import { type PageQuery, usePages } from '../list/use-pages';
import { LoadedTable } from '../shared/loaded-table';
import { MoreButton } from '../shared/more-button';
import { Time } from '../shared/time';
import { useActorName } from '../users/actor-name';

type Skipped = Schemas['SkippedItem'];

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/skipped-messages', { params: { query }, signal }));

const columnsOf = (
  t: Dictionary, nameOf: (actor: string) => string,
): readonly Column<Skipped>[] => [
  { id: 'at', header: t.queues.skippedAt, cell: ({ skippedAt }) => <Time at={skippedAt} /> },
  { id: 'consumer', header: t.queues.consumer, cell: ({ consumer }) => consumer },
  {
    id: 'key', header: t.queues.key,
    cell: ({ streamType, streamId }) => <EntityLink type={streamType} id={streamId} />,
  },
  {
    id: 'event', header: t.queues.event,
    cell: ({ eventType, version }) => `${eventType} (${version})`,
  },
  {
    id: 'error', header: t.queues.error,
    cell: ({ error }) => <span className="prose">{error}</span>,
  },
  {
    id: 'reason', header: t.shared.reason,
    cell: ({ reason }) => <span className="prose">{reason}</span>,
  },
  { id: 'who', header: t.audit.who, cell: ({ actor }) => nameOf(actor) },
];

/** Messages that have no effect, as somebody decided to go past them. */
export const SkippedMessages = () => {
  const t = useT();
  const nameOf = useActorName();
  const { rows, hasNextPage, ...pages } = usePages<Skipped>('skipped-messages', {}, read);
  return (
    <>
      <LoadedTable
        label={t.queues.views.skipped} query={{ ...pages, data: rows }}
        columns={columnsOf(t, nameOf)} keyOf={({ id }) => id} none={t.queues.skippedNone}
      />
      {hasNextPage && (
        <Group justify="flex-end" mt="sm">
          <MoreButton pages={pages} />
        </Group>
      )}
    </>
  );
};
