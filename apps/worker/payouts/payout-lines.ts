import type { Pool } from 'pg';
import type { LineKind, LineSums } from '#payout';
import { NO_LINES } from '#payout';

/** A row of `payout_lines`. */
export interface PayoutLine {
  readonly kind: LineKind;
  readonly objectId: string;
  readonly providerPaymentId: string;
  /** Our payment, where it is known. */
  readonly paymentId: string | null;
  readonly journalId: string | null;
  readonly method: string | null;
  readonly currency: string;
  readonly amountMinor: number;
  readonly feeMinor: number | null;
}

const WRITE = `
  INSERT INTO payout_lines (payout_id, account_id, kind, object_id, provider_payment_id,
                            payment_id, journal_id, method, currency, amount_minor, fee_minor)
  SELECT $1, $2, l."kind", l."objectId", l."providerPaymentId", l."paymentId", l."journalId",
         l."method", l."currency", l."amountMinor", l."feeMinor"
    FROM json_to_recordset($3) AS l("kind" text, "objectId" text, "providerPaymentId" text,
           "paymentId" text, "journalId" text, "method" text, "currency" text,
           "amountMinor" bigint, "feeMinor" bigint)
      ON CONFLICT (payout_id, kind, object_id) DO UPDATE
     SET payment_id = excluded.payment_id, journal_id = excluded.journal_id,
         method = excluded.method, currency = excluded.currency,
         amount_minor = excluded.amount_minor, fee_minor = excluded.fee_minor`;

const SUMS = `
  SELECT kind, count(*)::int AS count, sum(amount_minor)::float8 AS amount,
         sum(coalesce(fee_minor, 0))::float8 AS fees
    FROM payout_lines WHERE payout_id = $1 GROUP BY kind`;

const OURS = `
  SELECT DISTINCT object_id, payment_id FROM payout_lines
   WHERE account_id = $1 AND kind = 'payment' AND object_id = ANY ($2) AND payment_id IS NOT NULL`;

/** The table `payout_lines`. Written again, a line is the same. */
export class PayoutLines {
  constructor(private readonly pool: Pool) {}

  async write(accountId: string, payoutId: string, lines: readonly PayoutLine[]): Promise<void> {
    if (lines.length === 0) return;
    const values = [payoutId, accountId, JSON.stringify(lines)];
    await this.pool.query({ name: 'write-lines', text: WRITE, values });
  }

  /** What has been read of a payout so far. */
  async sums(payoutId: string): Promise<LineSums> {
    const { rows } = await this.pool.query<{
      kind: LineKind; count: number; amount: number; fees: number;
    }>({ name: 'line-sums', text: SUMS, values: [payoutId] });
    const found = Object.fromEntries(rows.map(({ kind, count, amount, fees }) =>
      [kind, { count, amountMinor: amount, feesMinor: fees }]));
    return { payment: NO_LINES, refund: NO_LINES, dispute: NO_LINES, ...found };
  }

  /** By the provider's payment ours, as far as lines have told. */
  async paymentsOf(
    accountId: string, providerPaymentIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ object_id: string; payment_id: string }>({
      name: 'payments-of-lines', text: OURS, values: [accountId, providerPaymentIds],
    });
    return new Map(rows.map((row) => [row.object_id, row.payment_id]));
  }
}
