import type { UseQueryResult } from '@tanstack/react-query';
import { ActionButtons } from '../actions/action-buttons';
import { actionsForCall } from '../actions/entity-actions';
import { EntityLink } from '../entity/entity-link';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import { LoadedTable } from '../list/loaded-table';
import { formatSpan } from '../shared/format';
import { Note } from '../shared/note';
import type { StuckCall } from './queue-queries';

const columnsOf = (t: Dictionary): readonly Column<StuckCall>[] => [
  { id: 'kind', header: t.queues.call, cell: ({ kind }) => t.calls[kind] ?? kind },
  {
    id: 'subject',
    header: t.queues.subject,
    cell: ({ subjectId }) => <EntityLink id={subjectId} />,
  },
  { id: 'note', header: t.queues.why, cell: ({ note }) => <Note text={note} /> },
  {
    id: 'age',
    header: t.queues.age,
    isNumber: true,
    cell: ({ ageSeconds }) => (
      <span className="nowrap">{formatSpan(ageSeconds, t.shared.dayUnit)}</span>
    ),
  },
  {
    id: 'acts',
    header: t.actions.column,
    cell: ({ jobId, kind, subjectId }) => (
      <ActionButtons
        isCompact
        subject={`${t.calls[kind] ?? kind} ${subjectId}`}
        requests={actionsForCall(jobId, subjectId, kind)}
      />
    ),
  },
];

/** Provider requests whose retries are exhausted. */
export const StuckCalls = ({ query }: { readonly query: UseQueryResult<readonly StuckCall[]> }) => {
  const t = useT();
  return (
    <LoadedTable
      label={t.queues.views.calls}
      query={query}
      columns={columnsOf(t)}
      keyOf={({ jobId }) => jobId}
      none={t.queues.callsNone}
    />
  );
};
