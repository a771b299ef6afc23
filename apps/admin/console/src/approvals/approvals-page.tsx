import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { type Action, isOwnRequest, leastRoleFor } from '../actions/action';
import { ACTION_TONES } from '../actions/action-status';
import { Outcome } from '../actions/outcome';
import { api, bodyOf } from '../api/client';
import type { paths } from '../api/schema';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import { ListPage } from '../list/list-page';
import { choicesOf } from '../list/status-choices';
import type { PageQuery } from '../list/use-pages';
import { systemActorName } from '../users/actor-name';
import { useMay, useSession } from '../session/session-context';
import { Amounts } from '../shared/amount';
import { StatusBadge } from '../shared/status-badge';
import { Age } from '../shared/time';
import { DecideDialog, type Decision as Decided } from './decide-dialog';
import { SubjectLink } from './subject-link';

type Query = NonNullable<paths['/v1/actions']['get']['parameters']['query']>;

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/actions', { params: { query: query as Query }, signal }));

interface DecideProps {
  readonly action: Action;
  readonly t: Dictionary;
  readonly onDecide: (decision: Decided) => void;
}

/**
 * The buttons to approve or reject a request. Requesters cannot approve their own request; they can
 * withdraw it.
 */
const Decide = ({ action, t, onDecide }: DecideProps) => {
  const { userId } = useSession();
  const mayDecide = useMay(leastRoleFor(action.kind));
  if (action.status !== 'pending' || !mayDecide) return null;
  const isOwn = isOwnRequest(action, userId);
  const kinds = isOwn ? (['withdraw'] as const) : (['approve', 'reject'] as const);
  return (
    <Group gap={6} display="inline-flex">
      {kinds.map((kind) => (
        <Button
          key={kind}
          size="compact-sm"
          variant={kind === 'approve' ? 'filled' : 'default'}
          aria-label={t.shared.labeled(
            t.approvals[kind],
            `${t.actions.kinds[action.kind]} ${action.subjectId}`,
          )}
          onClick={() => onDecide({ kind, action })}
        >
          {t.approvals[kind]}
        </Button>
      ))}
      {isOwn && <span>{t.approvals.own}</span>}
    </Group>
  );
};

/**
 * The decision on a request and the result of the action; before the decision, the buttons to
 * approve or reject.
 */
const Decision = (props: DecideProps) => {
  const { status, outcome, decidedByName } = props.action;
  if (status !== 'pending' && outcome === null && decidedByName === null) return null;
  return (
    <div>
      {decidedByName !== null && <div>{props.t.approvals.decided(decidedByName)}</div>}
      <Outcome action={props.action} />
      <Decide {...props} />
    </div>
  );
};

const columnsOf = (
  t: Dictionary,
  onDecide: (decision: Decided) => void,
): readonly Column<Action>[] => [
  {
    id: 'kind',
    header: t.audit.action,
    cell: (action) => (
      <div>
        <div>
          <strong>{t.actions.kinds[action.kind]}</strong>
        </div>
        <SubjectLink action={action} />
      </div>
    ),
  },
  {
    id: 'amount',
    header: t.actions.money,
    isNumber: true,
    cell: ({ amounts }) => <Amounts of={amounts} />,
  },
  {
    id: 'reason',
    header: t.shared.reason,
    cell: ({ reason }) => <span className="prose">{reason}</span>,
  },
  {
    id: 'status',
    header: t.shared.status,
    cell: ({ status }) => (
      <StatusBadge tone={ACTION_TONES[status]} label={t.actions.statuses[status]} />
    ),
  },
  {
    id: 'by',
    header: t.approvals.askedBy,
    cell: ({ requestedByName, requestedAt }) => (
      <div>
        <div>
          {requestedByName.includes(':') ? systemActorName(t, requestedByName) : requestedByName}
        </div>
        <Age at={requestedAt} isWall />
      </div>
    ),
  },
  {
    id: 'decision',
    header: t.approvals.decision,
    cell: (action) => <Decision action={action} t={t} onDecide={onDecide} />,
  },
];

/** Action requests, including those awaiting the approval of a second person. */
export const ApprovalsPage = () => {
  const t = useT();
  const [decision, setDecision] = useState<Decided | null>(null);
  return (
    <>
      <ListPage
        none={t.approvals.none}
        name="actions"
        title={t.approvals.title}
        lead={t.approvals.lead}
        csvPath={null}
        read={read}
        keyOf={({ id }) => id}
        columns={columnsOf(t, setDecision)}
        fields={[
          {
            name: 'status',
            label: t.shared.status,
            kind: 'choice',
            choices: choicesOf(t.actions.statuses),
          },
          {
            name: 'kind',
            label: t.audit.action,
            kind: 'choice',
            choices: choicesOf(t.actions.kinds),
          },
        ]}
      />
      {decision !== null && <DecideDialog decision={decision} onClose={() => setDecision(null)} />}
    </>
  );
};
