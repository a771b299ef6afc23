import type { Pool, PoolClient } from 'pg';
import { Rejection } from '#kernel';
import type { AuditSubject as Subject } from '#operations';
import { firstRow } from '#platform';
import { checkAmounts, isNarrowed, type LimitHolder } from '../access/access-scope.js';
import { asSeenBy, type Viewer } from '../access/narrowed-reads.js';
import type { LockedUser } from '../access/still-acting.js';
import type { ActionKind } from './action.js';
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
 * the money at risk of a break, the sums of several requests by currency, or the higher of the
 * ledger's and the provider's fee.
 */
export const amountsOf = ({ about, notes }: Preview): readonly ActionAmount[] => {
  const amounts = about === null ? amountsIn(notes) : [about];
  return amounts.map(({ amountMinor, currency }) => ({ amountMinor, currency }));
};

const amountsIn = (notes: Preview['notes']): readonly ActionAmount[] =>
  notes.flatMap((note) => {
    if (note.code === 'amount_concerned') return [note];
    if (note.code !== 'fee_accepted') return [];
    const { amountMinor, bookedMinor, currency } = note;
    return [{ amountMinor: Math.max(Math.abs(amountMinor), Math.abs(bookedMinor)), currency }];
  });

/**
 * The sum of the refunds of a payment that a user has requested or approved, in minor units of the
 * payment's currency. Refunds that were rejected, have failed, or replace a failed refund do not
 * count.
 */
const REFUNDED = `
  SELECT coalesce(sum((about ->> 'amountMinor')::bigint), 0)::float8 AS minor FROM admin_actions
   WHERE kind = 'refund' AND subject_id = $1 AND id <> $2
     AND (requested_by = $3 OR decided_by = $3)
     AND (status IN ('executing', 'done') OR status = 'pending' AND expires_at > now())`;

/**
 * Waits until concurrent decisions about refunds of the payment are committed. So each decision
 * counts the refunds of the earlier decisions.
 */
const IN_TURN = `SELECT pg_advisory_xact_lock(hashtextextended('refunds ' || $1, 0))`;

/** An action whose amounts are checked; `id` is empty if the action was not requested yet. */
export interface Decided {
  readonly id: string;
  readonly kind: ActionKind;
  readonly subjectId: string;
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
  { id, kind, subjectId, preview }: Decided,
  who: LimitHolder = 'you',
): Promise<void> => {
  if (user === undefined || user.limits.length === 0 || kind === 'refresh') return;
  let beforeMinor = 0;
  if (kind === 'refund') {
    await client.query(IN_TURN, [subjectId]);
    const refunded = await firstRow<{ minor: number }>(client, REFUNDED, [subjectId, id, user.id]);
    beforeMinor = refunded?.minor ?? 0;
  }
  checkAmounts(user, amountsOf(preview), who, beforeMinor);
};
