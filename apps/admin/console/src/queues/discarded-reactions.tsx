import { Group } from '@mantine/core';
import { api, bodyOf, type Schemas } from '../api/client';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../list/loaded-table';
import { type PageQuery, usePages } from '../list/use-pages';
import { MoreButton } from '../shared/more-button';
import { Time } from '../shared/time';
import { useActorName } from '../users/actor-name';
import { ReactionError, Stimulus, Workflow } from './reaction-parts';

type Discarded = Schemas['DiscardedItem'];

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/discarded-reactions', { params: { query }, signal }));

const eventOf = ({ streamType, streamId, version }: Discarded) =>
  streamType === null || streamId === null || version === null
    ? null
    : { streamType, streamId, version };

const columnsOf = (
  t: Dictionary,
  nameOf: (actor: string) => string,
): readonly Column<Discarded>[] => [
  { id: 'at', header: t.queues.discardedAt, cell: ({ discardedAt }) => <Time at={discardedAt} /> },
  {
    id: 'workflow',
    header: t.queues.workflow,
    cell: ({ saga, key }) => <Workflow saga={saga} subject={key} />,
  },
  {
    id: 'stimulus',
    header: t.queues.stimulus,
    cell: (discarded) => <Stimulus name={discarded.stimulus} event={eventOf(discarded)} />,
  },
  { id: 'error', header: t.queues.error, cell: ({ error }) => <ReactionError error={error} /> },
  {
    id: 'reason',
    header: t.shared.reason,
    cell: ({ reason }) => <span className="prose">{reason}</span>,
  },
  { id: 'who', header: t.audit.who, cell: ({ actor }) => nameOf(actor) },
];

/** Reactions that users have discarded. */
export const DiscardedReactions = () => {
  const t = useT();
  const nameOf = useActorName();
  const { rows, hasNextPage, ...pages } = usePages<Discarded>('discarded-reactions', {}, read);
  return (
    <>
      <LoadedTable
        label={t.queues.views.discarded}
        query={{ ...pages, data: rows }}
        columns={columnsOf(t, nameOf)}
        keyOf={({ id }) => id}
        none={t.queues.discardedNone}
      />
      {hasNextPage && (
        <Group justify="flex-end" mt="sm">
          <MoreButton pages={pages} />
        </Group>
      )}
    </>
  );
};
