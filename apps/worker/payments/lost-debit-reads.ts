import type { Pool } from 'pg';
import { SECOND_MS } from '#kernel';
import { CLOCK_SKEW_MS } from '#payment';
import {
  BudgetSpent, isProviderError, type ListedPayment, type ListPage, type Page,
} from '#psp';
import type { Logger } from '#platform';

/** Wall time, milliseconds. A read that fails is made again after this. */
const CLAIM_MS = 10_000;

/** Those of which the fewest pages were read come first: a long list keeps no other waiting. */
const CLAIM = `
  WITH chosen AS (
    SELECT account_id FROM lost_debit_reads
     WHERE claimed_until IS NULL OR claimed_until < clock_timestamp()
     ORDER BY next_start, account_id LIMIT $1
       FOR UPDATE SKIP LOCKED)
  UPDATE lost_debit_reads r SET claimed_until = clock_timestamp() + $2 * interval '1 millisecond'
    FROM chosen WHERE r.account_id = chosen.account_id
  RETURNING r.account_id AS "accountId", r.lost_since AS "lostSince", r.next_start AS start,
            r.claimed_until::text AS claim`;

/** One that carries the reference of a payment that we know is that payment's. */
const KEEP_UNKNOWN = `
  INSERT INTO lost_debits (attempt_id, account_id, mandate_id, amount_minor, currency, created_at)
  SELECT d.attempt_id, $1, d.mandate_id, d.amount_minor, d.currency, d.created_at
    FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::timestamptz[])
      AS d(attempt_id, mandate_id, amount_minor, currency, reference, created_at)
   WHERE NOT EXISTS (SELECT FROM events e
                      WHERE e.stream_type = 'payment' AND e.stream_id = d.reference)
      ON CONFLICT DO NOTHING`;

/** Not where a restore that was noted meanwhile has it read anew. */
const GO_ON = `
  UPDATE lost_debit_reads SET next_start = next_start + $3, claimed_until = NULL
   WHERE account_id = $1 AND claimed_until = $2::timestamptz`;

const END = 'DELETE FROM lost_debit_reads WHERE account_id = $1 AND claimed_until = $2::timestamptz';

/** Of these no money was taken; any status that we do not know may have taken some. */
const TOOK_NOTHING = new Set<string | null>(['refused', 'canceled', 'expired', 'failed']);

/** A page of an account's payments that must be read before it debits a mandate again. */
export interface LostDebitRead {
  readonly accountId: string;
  readonly lostSince: Date;
  readonly start: number;
  readonly claim: string;
}

export interface LostDebitReadsParts {
  readonly pool: Pool;
  readonly logger: Logger;
  readonly listPayments: (accountId: string, page: ListPage) => Promise<Page<ListedPayment>>;
}

/**
 * After a restore the provider knows debits whose orders the log has forgotten; a platform may place
 * such an order again. Each account's payments since the lost time began are listed, a page a call,
 * and its debits wait until then.
 */
export class LostDebitReads {
  constructor(private readonly parts: LostDebitReadsParts) {}

  async claim(limit: number): Promise<readonly LostDebitRead[]> {
    const { rows } = await this.parts.pool.query<LostDebitRead>({
      name: 'claim-lost-debit-reads', text: CLAIM, values: [limit, CLAIM_MS],
    });
    return rows;
  }

  /** Rejects when the database fails; a page that the provider does not answer is read again. */
  async run(read: LostDebitRead): Promise<void> {
    const { accountId } = read;
    try {
      await this.readPage(read);
    } catch (err) {
      if (err instanceof BudgetSpent) return;
      if (!isProviderError(err)) throw err;
      this.parts.logger.error({ err, accountId }, 'payments of lost time cannot be listed');
    }
  }

  /** How many accounts are still to be read. */
  async left(): Promise<number> {
    const { rows: [row] } = await this.parts.pool.query<{ accounts: number }>(
      'SELECT count(*)::int AS accounts FROM lost_debit_reads');
    return row?.accounts ?? 0;
  }

  private async readPage({ accountId, lostSince, start, claim }: LostDebitRead): Promise<void> {
    const { pool, listPayments } = this.parts;
    const createdSince = Math.floor((lostSince.getTime() - CLOCK_SKEW_MS) / SECOND_MS);
    const { items, hasMore } = await listPayments(accountId, { createdSince, start });
    const debits = items.filter(({ mandateId, status }) =>
      mandateId !== null && !TOOK_NOTHING.has(status));
    await pool.query(KEEP_UNKNOWN, [
      accountId,
      debits.map(({ attemptId }) => attemptId), debits.map(({ mandateId }) => mandateId),
      debits.map(({ amountMinor }) => amountMinor), debits.map(({ currency }) => currency),
      debits.map(({ reference }) => reference), debits.map(({ createdAt }) => createdAt),
    ]);
    if (hasMore) await pool.query(GO_ON, [accountId, claim, items.length]);
    else await pool.query(END, [accountId, claim]);
  }
}
