import type { Pool, PoolClient } from 'pg';
import { Rejection } from '#kernel';
import { requestIdOf, type AuditSubject as Subject } from '#operations';
import { firstRow } from '#platform';
import { checkAmounts, isNarrowed, type LimitHolder } from '../access/access-scope.js';
import { asSeenBy, type Viewer } from '../access/narrowed-reads.js';
import type { LockedUser } from '../access/still-acting.js';
import type { ActionKind, Target } from './action.js';
import type { ActionAnswer } from './action-answers.js';
import { requesterWithoutPermission } from './check-pair.js';
import type { ActionAmount, Preview } from './preview-items.js';

const ENTITY = 'SELECT FROM events WHERE stream_type = $2 AND stream_id = $1 LIMIT 1';

/**
 * The statements that find the subject of an action, by the type of the subject. Limited users see
 * no action whose subject has another type.
 */
const SUBJECTS: Readonly<Record<string, string>> = {
  order: ENTITY,
  payment: ENTITY,
  payout: ENTITY,
  merchant: ENTITY,
  account: ENTITY,
  webhook_endpoint: ENTITY,
  exception: `SELECT FROM reconciliation_exceptions
               WHERE exception_id = $1 AND $2::text IS NOT NULL LIMIT 1`,
  job: 'SELECT FROM jobs WHERE key = $1 AND $2::text IS NOT NULL LIMIT 1',
  webhook: `SELECT FROM webhooks_received
             WHERE id::text = $1 AND $2::text IS NOT NULL LIMIT 1`,
};

/**
 * Checks that a limited user may see the subject of an action. Throws
 * `Rejection('entity_not_found')` if not, or if the subject does not exist.
 */
export const mustSee = async (pool: Pool, by: Viewer, subject: Subject): Promise<void> => {
  if (!(await sees(pool, by, subject))) throw new Rejection('entity_not_found', 'not found');
};

const sees = async (pool: Pool, by: Viewer, { type, id }: Subject): Promise<boolean> => {
  if (!isNarrowed(by)) return true;
  const sql = SUBJECTS[type];
  const found = sql && (await asSeenBy(by, () => pool.query(sql, [id, type])));
  return Boolean(found && found.rowCount !== 0);
};

/**
 * Checks that the requester of an action may still see the action's subject; a platform, which
 * requests with an API key, may always. Returns the requester's current scope, which the caller
 * compares again under the lock of the user's row. Throws `Rejection('requester_not_allowed')`.
 */
export const requesterMustSee = async (
  pool: Pool,
  { requestedBy: userId, subjectType: type, subjectId: id }: ActionAnswer,
): Promise<Viewer> => {
  const user = await firstRow<Pick<Viewer, 'scope'>>(
    pool,
    'SELECT scope FROM admin_users WHERE id = $1',
    [userId],
  );
  const requester = { userId, scope: user?.scope ?? [] };
  if (await sees(pool, requester, { type, id })) return requester;
  throw requesterWithoutPermission();
};

/**
 * The amounts of an action, to which the limits of users apply: the amount of one payment or order,
 * the money at risk of a break, the sums of several requests by currency, or of an
 * accepted line the higher of the ledger's and the provider's fee or, if they differ, amount.
 */
export const amountsOf = ({ about, notes }: Preview): readonly ActionAmount[] => {
  const amounts = about === null ? amountsIn(notes) : [about];
  return amounts.map(({ amountMinor, currency }) => ({ amountMinor, currency }));
};

const amountsIn = (notes: Preview['notes']): readonly ActionAmount[] =>
  notes.flatMap((note) => {
    if (note.code === 'amount_concerned') return [note];
    if (note.code !== 'line_accepted') return [];
    const { amountMinor, bookedMinor, feeMinor, bookedFeeMinor, currency } = note;
    const amounts = amountMinor === bookedMinor ? [] : [amountMinor, bookedMinor];
    const differing = [...amounts, feeMinor, bookedFeeMinor].map((minor) => Math.abs(minor));
    return [{ amountMinor: Math.max(...differing), currency }];
  });

/**
 * The refunds and reissued refunds of a payment that operators have requested. `counts`: the user
 * has requested or approved the refund, and it was neither rejected nor has it failed.
 */
const REFUNDS = `
  SELECT id, CASE kind WHEN 'reissue_refund' THEN target ->> 'requestId' END AS replaces,
         (about ->> 'amountMinor')::float8 AS minor,
         (requested_by = $2 OR decided_by = $2)
           AND (status IN ('executing', 'done') OR status = 'pending' AND expires_at > now())
           AS counts
    FROM admin_actions WHERE kind = ANY ($3) AND subject_id = $1`;

interface RefundAction {
  readonly id: string;
  /** The failed refund request that the action replaces; null: the action replaces none. */
  readonly replaces: string | null;
  readonly minor: number;
  readonly counts: boolean;
}

const REFUND_KINDS: readonly ActionKind[] = ['refund', 'reissue_refund'];

/**
 * The id of the original refund request, which the request `requestId` replaces directly or
 * indirectly.
 */
const firstOf = (actions: readonly RefundAction[], requestId: string): string => {
  const replaces = actions.find((one) => requestIdOf(one) === requestId)?.replaces ?? null;
  return replaces === null ? requestId : firstOf(actions, replaces);
};

/**
 * The sum of the refunds of a payment that a user has requested or approved, without the refund
 * `wanted`. A refund that failed and was reissued counts once, because the payer gets it once.
 */
const refundedMinor = (actions: readonly RefundAction[], wanted: string): number => {
  const minors = new Map<string, number>();
  for (const one of actions.filter(({ counts }) => counts)) {
    const first = firstOf(actions, requestIdOf(one));
    minors.set(first, Math.max(one.minor, minors.get(first) ?? 0));
  }
  minors.delete(firstOf(actions, wanted));
  return [...minors.values()].reduce((sum, minor) => sum + minor, 0);
};

/**
 * Waits until concurrent decisions about refunds of the payment are committed. So each decision
 * counts the refunds of the earlier decisions.
 */
const IN_TURN = `SELECT pg_advisory_xact_lock(hashtextextended('refunds ' || $1, 0))`;

/** An action whose amounts are checked; `id` is empty if the action was not requested yet. */
export interface Decided {
  readonly id: string;
  readonly kind: ActionKind;
  readonly target: Target;
  readonly preview: Preview;
}

/**
 * Checks the user's limits, under the lock of the user's row. The refunds of one payment count
 * together, because partial refunds could otherwise exceed the limit. `refresh` moves no money, so
 * no limit applies. Throws `Rejection('amount_above_limit')`.
 */
export const mustBeWithinLimit = async (
  client: PoolClient,
  user: LockedUser | undefined,
  { id, kind, target, preview }: Decided,
  who: LimitHolder = 'you',
): Promise<void> => {
  if (user === undefined || user.limits.length === 0 || kind === 'refresh') return;
  let beforeMinor = 0;
  if (REFUND_KINDS.includes(kind)) {
    const { subjectId, requestId = '' } = target;
    await client.query(IN_TURN, [subjectId]);
    const values = [subjectId, user.id, REFUND_KINDS];
    const { rows } = await client.query<RefundAction>(REFUNDS, values);
    beforeMinor = refundedMinor(rows, kind === 'refund' ? requestIdOf({ id }) : requestId);
  }
  checkAmounts(user, amountsOf(preview), who, beforeMinor);
};
