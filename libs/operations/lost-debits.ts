import { firstRow } from '#platform';
import type { Pool } from 'pg';
import type { Instant } from '#kernel';
import type { Payment, PaymentCommand } from '#payment';
import type { RefundIs } from './resolve-refund.js';

/**
 * A provider payment that is unknown to our log and that debited a mandate in the time lost by a
 * restore.
 */
export interface LostDebit {
  readonly attemptId: string;
}

/**
 * Why a debit is held: an equal lost debit, or `unread` if the account's payments of the lost time
 * have not been read yet; null if it is not held.
 */
export type HeldDebit = LostDebit | 'unread' | null;

interface DebitRow {
  readonly attemptId: string | null;
  readonly unread: boolean;
}

/**
 * The period in which a platform may place a lost order again; shorter than a month, so that the
 * next monthly debit is not held.
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
 * Finds a lost debit of the same mandate, amount and currency: the payment's order may repeat the
 * lost one, even if an earlier repetition has failed. If an operator has decided that the debit is
 * another one, it is not held any more.
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
 * The effect of an operator's decision on a lost debit; `ours`: the lost debit is the one that the
 * payment requests.
 */
export const resolveLostDebit = (
  { attemptId }: LostDebit,
  debitIs: RefundIs,
  at: Instant,
): { readonly outcome: 'made' | 'others'; readonly commands: readonly PaymentCommand[] } => {
  if (debitIs === 'others') return { outcome: 'others', commands: [] };
  const reason = `${attemptId} is this debit, made in the time that a restore lost`;
  return { outcome: 'made', commands: [{ type: 'RejectDebit', reason, at }] };
};

/** Records an operator's decision that the payment requests another debit than the lost one. */
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
