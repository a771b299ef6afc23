import { firstRow } from '#platform';
import type { Pool } from 'pg';
import type { Instant } from '#kernel';
import type { Payment, PaymentCommand } from '#payment';
import type { RefundIs } from './resolve-refund.js';

/**
 * A debit of a mandate that is missing from our log: the provider made the debit in the period
 * whose events a database restore lost.
 */
export interface LostDebit {
  readonly attemptId: string;
}

/**
 * Why a requested debit must wait: it equals a lost debit, or (`unread`) the account's payments of
 * the lost period have not been read yet. Null if the debit may be sent.
 */
export type HeldDebit = LostDebit | 'unread' | null;

interface DebitRow {
  readonly attemptId: string | null;
  readonly unread: boolean;
}

/**
 * For this period after a lost debit, an equal new debit must wait for an operator, because the
 * platform may have placed the lost order again. The period is shorter than a month, so that the
 * next monthly debit is sent.
 */
const HELD_FOR = '21 days';

const LIKE = `
  SELECT EXISTS (SELECT FROM jobs WHERE kind = 'restore.debits' AND key = $1) AS unread,
         (SELECT d.attempt_id FROM lost_debits d
           WHERE d.account_id = $1 AND d.mandate_id = $2 AND d.amount_minor = $3
             AND d.currency = $4 AND $5 <> ALL (d.unrelated_payments)
             AND d.created_at > $6::timestamptz - interval '${HELD_FOR}'
           ORDER BY d.attempt_id LIMIT 1) AS "attemptId"`;

/**
 * Finds a lost debit with the mandate, amount and currency of this payment, because the payment may
 * repeat the lost debit. This is possible even if an earlier payment repeated the lost debit and
 * failed. The payment's debit is sent only after an operator has decided that the lost debit is not
 * the requested debit.
 */
export const heldDebitOf = async (
  pool: Pool,
  paymentId: string,
  payment: Payment,
  at: Instant,
): Promise<HeldDebit> => {
  if (payment.status === 'none') return null;
  const { accountId, mandateId, amountMinor, currency } = payment.terms;
  if (mandateId === undefined) return null;
  const row = await firstRow<DebitRow>(pool, {
    name: 'lost-debit-like',
    text: LIKE,
    values: [accountId, mandateId, amountMinor, currency, paymentId, at],
  });
  const attemptId = row?.attemptId ?? null;
  if (attemptId !== null) return { attemptId };
  return row?.unread === true ? 'unread' : null;
};

/**
 * The result of an operator's decision about a requested debit that equals a lost debit. `ours`:
 * the provider has already made the requested debit, in the lost period. `others`: the lost debit
 * is not the requested debit.
 */
export const resolveLostDebit = (
  { attemptId }: LostDebit,
  debitIs: RefundIs,
  at: Instant,
): { readonly outcome: 'made' | 'others'; readonly commands: readonly PaymentCommand[] } => {
  if (debitIs === 'others') return { outcome: 'others', commands: [] };
  const reason = `${attemptId} is this debit: the provider made it in the period whose events a database restore lost`;
  return { outcome: 'made', commands: [{ type: 'RejectDebit', reason, at }] };
};

/**
 * Records an operator's decision that the lost debit is not the debit that the payment requests.
 */
export const keepOtherDebit = async (
  pool: Pool,
  attemptId: string,
  paymentId: string,
): Promise<void> => {
  await pool.query(
    `UPDATE lost_debits SET unrelated_payments = unrelated_payments || $2::text
      WHERE attempt_id = $1 AND $2 <> ALL (unrelated_payments)`,
    [attemptId, paymentId],
  );
};
