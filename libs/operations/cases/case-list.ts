import type { List } from '#lists';
import { CASE_KINDS, type CaseKind } from './case-kinds.js';
import { CASE_ACTORS } from './case-source.js';
import { openCases, USUAL_MODE } from './open-cases.js';

/** Cases with a deadline come first, the nearest first, then the oldest cases. */
const URGENCY = `coalesce(c.deadline, c.since + interval '20 years')`;

/**
 * The open cases. They are computed from the tables that hold their causes, so the effort grows with
 * the number of open cases, not with that of payments.
 */
export const CASE_LIST = {
  name: 'cases',
  items: 'Cases',
  item: 'Case',
  from: `(${openCases(CASE_KINDS)}) c`,
  id: 'c.id',
  columns: {
    id: {
      sql: 'c.id',
      means: 'The kind of the case and what the case is about; it never changes.',
    },
    kind: { sql: 'c.kind', oneOf: CASE_KINDS, means: 'The kind of case.' },
    part: {
      sql: 'c.part',
      means:
        'The kind of request, break, workflow or status, depending on the kind of case; of a ' +
        'rejected capture `final` if the rest of the authorization was to be released.',
    },
    subjectType: { sql: 'c.subject_type', means: 'The type of the entity that the case is about.' },
    subjectId: { sql: 'c.subject_id', means: 'The entity that the case is about.' },
    targetId: {
      sql: 'c.target_id',
      means: 'What the recommended action acts on, e.g. the queued request or the break.',
    },
    detail: { sql: 'c.detail', nullable: true, means: 'The recorded reason or error.' },
    mode: {
      sql: 'c.mode',
      oneOf: ['test', 'live'],
      nullable: true,
      means: 'Whether the account or merchant is for tests; null: the case has no mode.',
    },
    amountMinor: {
      sql: 'c.amount_minor',
      holds: 'integer',
      nullable: true,
      means: 'The money at risk in minor units; null: none.',
    },
    currency: { sql: 'c.currency', nullable: true },
    since: { sql: 'c.since', holds: 'instant', means: 'When the case began.' },
    deadline: {
      sql: 'c.deadline',
      holds: 'instant',
      nullable: true,
      means: 'When acting is too late; null: no known deadline.',
    },
    acts: {
      sql: `CASE WHEN c.action_id IS NULL THEN c.acts ELSE 'approver' END`,
      oneOf: CASE_ACTORS,
      means: 'Who must act next.',
    },
    actionId: {
      sql: 'c.action_id',
      nullable: true,
      means: 'The action on the case that awaits approval, if any.',
    },
    ownerId: { sql: 'c.owner_id', nullable: true, means: 'The user who has taken the case.' },
    snoozedUntil: {
      sql: `CASE WHEN c.is_snoozed THEN c.snoozed_until END`,
      holds: 'instant',
      nullable: true,
      means: 'Until when the case is snoozed; null: not snoozed.',
    },
    cause: {
      sql: 'c.cause',
      means: 'Equal for cases of one kind with the same reason and origin.',
    },
    incident: {
      sql: 'c.incident',
      means:
        'Equal for the cases of one incident, and different for all other cases; it changes when ' +
        'the first case of the incident ends.',
    },
    cases: {
      sql: 'c.cases',
      holds: 'integer',
      means: 'The number of open cases of the incident; 1: only this case.',
    },
    begun: {
      sql: 'c.begun',
      holds: 'instant',
      means: 'When the first case of the incident began.',
    },
    latest: {
      sql: 'c.latest',
      holds: 'instant',
      means: 'When the last case of the incident began.',
    },
    amounts: {
      sql: `coalesce(c.amounts, '{}')`,
      holds: 'object',
      means: 'The money at risk in the incident in minor units, by currency.',
    },
  },
  filters: {
    kind: { is: 'several', of: CASE_KINDS, where: 'c.kind = ?' },
    acts: {
      is: 'one',
      of: CASE_ACTORS,
      where: '? = ANY (c.actors)',
      means: 'Only incidents with a case in which this party must act next.',
    },
    mode: {
      is: 'one',
      of: ['test', 'live', 'usual'],
      where: `(c.mode IS NULL OR c.mode = coalesce(nullif(?, 'usual'), (${USUAL_MODE})))`,
      means:
        'Only the cases of this mode, and those without a mode. `usual`: live if any provider ' +
        'account or merchant is live, otherwise test.',
    },
    incident: { is: 'id', where: 'c.incident = ?', means: 'Only the cases of this incident.' },
    subjectId: { is: 'id', where: 'c.subject_id = ?', means: 'Only the cases of this entity.' },
    ownerId: {
      is: 'id',
      where: '? = ANY (c.owners)',
      means: 'Only incidents in which this user owns a case.',
    },
    unowned: {
      is: 'flag',
      where: 'c.unowned > 0',
      means: 'Only incidents with a case that has no owner.',
    },
    snoozed: {
      is: 'flag',
      where: 'c.is_asleep',
      otherwise: 'NOT c.is_asleep',
      means: 'True: only incidents whose cases are all snoozed. False: only the other incidents.',
    },
    grouped: {
      is: 'flag',
      where: 'c.place = 1',
      means: 'Only one case of each incident, which represents the incident.',
    },
  },
  sorts: {
    urgency: { by: URGENCY, of: 'instant', usually: 'asc' },
    begun: { by: 'c.since', of: 'instant' },
  },
} as const satisfies List;

/**
 * The list of cases, restricted to these kinds, so that the database does not compute the cases of
 * other kinds. Each incident stays complete, because all its cases have the same kind.
 */
export const caseListOf = (kinds: readonly CaseKind[]): typeof CASE_LIST => ({
  ...CASE_LIST,
  from: `(${openCases(kinds.length === 0 ? CASE_KINDS : kinds)}) c`,
});

/** The kind of a case by its id; null: no case has this id. */
export const caseKindOf = (id: string): CaseKind | null =>
  CASE_KINDS.find((kind) => id.startsWith(`${kind}:`)) ?? null;
