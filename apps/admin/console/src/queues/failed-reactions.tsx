import { ActionButtons } from '../actions/action-buttons';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../list/loaded-table';
import { Age } from '../shared/time';
import { type FailedReaction, useFailedReactions } from './queue-queries';
import { ReactionError, ReactionState, Stimulus, Workflow } from './reaction-parts';

const nameOf = ({ event, deadline, stimulus }: FailedReaction): string =>
  event?.type ?? deadline ?? stimulus;

const columnsOf = (t: Dictionary): readonly Column<FailedReaction>[] => [
  {
    id: 'workflow',
    header: t.queues.workflow,
    cell: ({ saga, key }) => <Workflow saga={saga} subject={key} />,
  },
  {
    id: 'stimulus',
    header: t.queues.stimulus,
    cell: (failed) => <Stimulus name={nameOf(failed)} event={failed.event} />,
  },
  { id: 'error', header: t.queues.error, cell: ({ error }) => <ReactionError error={error} /> },
  {
    id: 'state',
    header: t.shared.status,
    cell: ({ retryAt }) => <ReactionState retryAt={retryAt} />,
  },
  {
    id: 'attempts',
    header: t.queues.attempts,
    isNumber: true,
    cell: ({ attempts }) => attempts,
  },
  {
    id: 'since',
    header: t.queues.failingSince,
    cell: ({ failingSince }) => <Age at={failingSince} isWall />,
  },
  {
    id: 'waiting',
    header: t.queues.queued,
    isNumber: true,
    cell: ({ waiting }) => waiting,
  },
  {
    id: 'acts',
    header: t.actions.column,
    cell: (failed) => {
      const { saga, key, stimulus } = failed;
      return (
        <ActionButtons
          isCompact
          subject={`${t.workflows[saga] ?? saga} ${key}, ${nameOf(failed)}`}
          requests={[
            { kind: 'retry_reaction', target: { subjectId: key, saga } },
            { kind: 'discard_reaction', target: { subjectId: key, saga, stimulus } },
          ]}
        />
      );
    },
  },
];

/** Failed workflow reactions: retried automatically, or blocked until a user acts. */
export const FailedReactions = () => {
  const t = useT();
  const query = useFailedReactions();
  return (
    <LoadedTable
      label={t.queues.views.failed}
      query={query}
      columns={columnsOf(t)}
      keyOf={({ saga, key }) => `${saga} ${key}`}
      none={t.queues.failedNone}
    />
  );
};
