import type { Pool } from 'pg';
import type { LineKind, LineSums } from '#payout';
import { NO_LINES } from '#payout';
import { firstRow } from '#platform';

/** The subject of a line; `dispute_reversal`: a won dispute, which returns its amount. */
export type PayoutLineKind = LineKind | 'dispute_reversal';

/** A row of `payout_lines`; its amount has no sign, because the kind gives the direction. */
export interface PayoutLine {
  readonly kind: PayoutLineKind;
  readonly objectId: string;
  readonly providerPaymentId: string;
  /** The provider's capture, for a payment's line if the provider shows captures. */
  readonly captureId?: string;
  /** Our payment; null if the payment is not ours. */
  readonly paymentId: string | null;
  readonly method: string | null;
  readonly currency: string;
  readonly amountMinor: number;
  readonly feeMinor: number | null;
}

/**
 * Writes lines. `journal_id` is the line's id in the journal: our payment, or the provider's
 * capture, refund or dispute. A payment that is not ours has the provider's id, which no entry of
 * our payments has, so that it is recognised if a later payout contains it again. Within one
 * pass through the list, each position counts once, even if its page is read several times.
 */
const WRITE = `
  INSERT INTO payout_lines AS known
         (payout_id, account_id, pass, kind, object_id, provider_payment_id, payment_id,
          journal_id, method, currency, amount_minor, fee_minor, places)
  SELECT $1, $2, $3, l."kind", l."objectId", l."providerPaymentId", l."paymentId",
         CASE WHEN l."kind" <> 'payment' OR l."paymentId" IS NULL THEN l."objectId"
              ELSE coalesce(l."captureId", l."paymentId") END,
         l."method",
         l."currency", l."amountMinor", l."feeMinor", l."places"
    FROM json_to_recordset($4) AS l("kind" text, "objectId" text, "providerPaymentId" text,
           "paymentId" text, "captureId" text, "method" text, "currency" text, "amountMinor" bigint,
           "feeMinor" bigint, "places" integer[])
      ON CONFLICT (payout_id, kind, object_id) DO UPDATE
     SET payment_id = excluded.payment_id, journal_id = excluded.journal_id,
         method = excluded.method, currency = excluded.currency,
         amount_minor = excluded.amount_minor, fee_minor = excluded.fee_minor,
         pass = excluded.pass,
         places = CASE WHEN known.pass = excluded.pass
                       THEN (SELECT array_agg(DISTINCT place)
                               FROM unnest(known.places || excluded.places) AS place)
                       ELSE excluded.places END`;

const NEXT_PASS = `
  SELECT coalesce(max(pass) + 1, 0) AS pass FROM payout_lines WHERE payout_id = $1`;

const KEEP_PASS = 'DELETE FROM payout_lines WHERE payout_id = $1 AND pass <> $2';

const ARE_ACCEPTED = `
  SELECT EXISTS (
    SELECT FROM reconciliation_exceptions x
     WHERE x.payout_id = p.payout_id AND x.line_kind = 'payout' AND x.expected LIKE 'lines %'
       AND x.closed_by <> 'facts') AS accepted
    FROM payout_list p WHERE p.payout_id = $1 AND p.lines_read`;

/**
 * Adds up the lines in the same way as a payout's totals: the amount of disputes is net of won
 * disputes.
 */
const TOTALS = `
  SELECT s.kind, sum(occurrences)::int AS count, sum(s.sign * occurrences * amount_minor)::float8 AS amount,
         sum(occurrences * coalesce(fee_minor, 0))::float8 AS fees, max(occurrences) > 1 AS repeats
    FROM payout_lines l
   CROSS JOIN LATERAL (
     SELECT CASE l.kind WHEN 'dispute_reversal' THEN 'dispute' ELSE l.kind END AS kind,
            CASE l.kind WHEN 'dispute_reversal' THEN -1 ELSE 1 END AS sign) AS s
   WHERE payout_id = $1 GROUP BY s.kind`;

const OURS = `
  SELECT DISTINCT provider_payment_id AS id, payment_id FROM payout_lines
   WHERE account_id = $1 AND kind = 'payment' AND provider_payment_id = ANY ($2)
   ORDER BY id, payment_id NULLS FIRST`;

/**
 * The position in a payout's list at which a page of lines begins; `pass` is the number of the pass
 * through the list.
 */
export interface PagePlace {
  readonly pass: number;
  readonly start: number;
}

/** The totals of the payout lines that have been read so far. */
export interface ReadLines {
  readonly sums: LineSums;
  /** Whether a line is listed more than once. */
  readonly repeats: boolean;
}

const keyOf = ({ kind, objectId }: PayoutLine): string => `${kind} ${objectId}`;

/** The lines of a page without duplicates, each with its positions in the list. */
const withPlaces = (lines: readonly PayoutLine[], start: number): readonly object[] => {
  const places = new Map<string, number[]>();
  for (const [n, line] of lines.entries()) {
    places.set(keyOf(line), [...(places.get(keyOf(line)) ?? []), start + n]);
  }
  const byKey = new Map(lines.map((line) => [keyOf(line), line]));
  return [...byKey].map(([key, line]) => ({ ...line, places: places.get(key) }));
};

const SHARING = `
  SELECT DISTINCT o.payout_id AS id
    FROM payout_lines l
    JOIN payout_lines o ON o.account_id = l.account_id AND o.kind = l.kind
                       AND o.journal_id = l.journal_id AND o.payout_id <> l.payout_id
   WHERE l.payout_id = $1
   ORDER BY 1`;

/** The table `payout_lines`. Writing a line again changes nothing. */
export class PayoutLines {
  constructor(private readonly pool: Pool) {}

  async write(
    accountId: string,
    payoutId: string,
    { pass, start }: PagePlace,
    lines: readonly PayoutLine[],
  ): Promise<void> {
    if (lines.length === 0) return;
    const values = [payoutId, accountId, pass, JSON.stringify(withPlaces(lines, start))];
    await this.pool.query({ name: 'write-lines', text: WRITE, values });
  }

  /** The number of a new pass through the payout's list, which no line has yet. */
  async nextPass(payoutId: string): Promise<number> {
    const row = await firstRow<{ pass: number }>(this.pool, NEXT_PASS, [payoutId]);
    return row?.pass ?? 0;
  }

  /** Deletes the lines that the last pass through the list no longer showed. */
  async keepPass(payoutId: string, pass: number): Promise<void> {
    await this.pool.query({ name: 'keep-pass', text: KEEP_PASS, values: [payoutId, pass] });
  }

  /** The totals of a payout's lines read so far; a line counts as often as it is listed. */
  async totals(payoutId: string): Promise<ReadLines> {
    const { rows } = await this.pool.query<{
      kind: LineKind;
      count: number;
      amount: number;
      fees: number;
      repeats: boolean;
    }>({ name: 'line-totals', text: TOTALS, values: [payoutId] });
    const found = Object.fromEntries(
      rows.map(({ kind, count, amount, fees }) => [
        kind,
        { count, amountMinor: amount, feesMinor: fees },
      ]),
    );
    return {
      sums: { payment: NO_LINES, refund: NO_LINES, dispute: NO_LINES, ...found },
      repeats: rows.some(({ repeats }) => repeats),
    };
  }

  /** Whether operators have closed the break that the lines do not match the payout's totals. */
  async areAccepted(payoutId: string): Promise<boolean> {
    const row = await firstRow<{ accepted: boolean }>(this.pool, ARE_ACCEPTED, [payoutId]);
    return row?.accepted === true;
  }

  /**
   * The ids of other payouts that also contain one of this payout's payments, refunds or disputes.
   */
  async sharing(payoutId: string): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(SHARING, [payoutId]);
    return rows.map(({ id }) => id);
  }

  /**
   * Maps the provider's payments to our payments, as shown by lines; null if a payment is not ours.
   */
  async paymentsOf(
    accountId: string,
    providerPaymentIds: readonly string[],
  ): Promise<ReadonlyMap<string, string | null>> {
    const { rows } = await this.pool.query<{ id: string; payment_id: string | null }>({
      name: 'payments-of-lines',
      text: OURS,
      values: [accountId, providerPaymentIds],
    });
    return new Map(rows.map((row) => [row.id, row.payment_id]));
  }
}
