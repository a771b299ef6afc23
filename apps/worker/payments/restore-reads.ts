import type { Pool } from 'pg';
import type { Clock } from '#kernel';
import { errorKind, type EventStore } from '#log';
import { readOrForgotten } from '#operations';
import { exists, paymentAggregate } from '#payment';
import { BudgetSpent, type IntentReader, isProviderError } from '#psp';
import type { Logger } from '#platform';

/** Wall time, milliseconds. A read that fails is made again after this. */
const CLAIM_MS = 10_000;

const CLAIM = `
  WITH chosen AS (
    SELECT payment_id FROM restore_reads
     WHERE claimed_until IS NULL OR claimed_until < clock_timestamp()
     ORDER BY payment_id LIMIT $1
       FOR UPDATE SKIP LOCKED)
  UPDATE restore_reads r SET claimed_until = clock_timestamp() + $2 * interval '1 millisecond'
    FROM chosen WHERE r.payment_id = chosen.payment_id
  RETURNING r.payment_id AS "paymentId", r.account_id AS "accountId"`;

const HOLD_CALLS = `
  UPDATE jobs SET state = 'stuck', held_until = NULL, note = left($2, 500),
         updated_at = clock_timestamp()
   WHERE subject_id = $1 AND state NOT IN ('done', 'stuck')`;

const isTriedAgain = (error: unknown): boolean =>
  isProviderError(error) ? error.kind !== 'rejected' : errorKind(error) === 'transient';

/** A payment that must be read before its account's calls are made again. */
export interface RestoreRead {
  readonly paymentId: string;
  readonly accountId: string;
}

export interface RestoreReadsParts {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly clientOf: (accountId: string) => Promise<IntentReader | null>;
}

/**
 * After a restore the provider knows calls that the log has forgotten. Each payment that has an open
 * call, or had one lately, is read first; the queue gives out no call of its account until then.
 */
export class RestoreReads {
  constructor(private readonly parts: RestoreReadsParts) {}

  async claim(limit: number): Promise<readonly RestoreRead[]> {
    const { rows } = await this.parts.pool.query<RestoreRead>({
      name: 'claim-restore-reads', text: CLAIM, values: [limit, CLAIM_MS],
    });
    return rows;
  }

  /** Rejects when the database fails; a read that the provider does not answer is made again. */
  async run({ paymentId, accountId }: RestoreRead): Promise<void> {
    const { pool, logger } = this.parts;
    try {
      await this.read(paymentId, accountId);
    } catch (err) {
      if (err instanceof BudgetSpent) return;
      logger.error({ err, paymentId, accountId }, 'a payment cannot be read since a restore');
      if (isTriedAgain(err)) return;
      // Another try would fail as this one: its own calls are for a person, the others go on.
      const what = err instanceof Error ? err.message : String(err);
      await pool.query(HOLD_CALLS, [paymentId, `not read since a restore: ${what}`]);
    }
    await pool.query('DELETE FROM restore_reads WHERE payment_id = $1', [paymentId]);
  }

  /** How many payments of how many accounts are to be read. */
  async left(): Promise<{ readonly payments: number; readonly accounts: number }> {
    const { rows } = await this.parts.pool.query<{ payments: number; accounts: number }>(
      `SELECT count(*)::int AS payments, count(DISTINCT account_id)::int AS accounts
         FROM restore_reads`);
    return rows[0] ?? { payments: 0, accounts: 0 };
  }

  private async read(paymentId: string, accountId: string): Promise<void> {
    const { store, clock, clientOf } = this.parts;
    const { state: payment } = await store.load(paymentAggregate, paymentId);
    // One without an intent is looked for by our reference before it is created.
    if (!exists(payment)) return;
    const client = await clientOf(accountId);
    if (client === null) return;
    const observation = await readOrForgotten(client, payment.intentId, paymentId);
    // It is nowhere: nothing of ours is there.
    if (observation === 'forgotten') return;
    const metadata = {
      correlationId: payment.terms.orderId, causationId: 'read after a restore', actor: 'provider',
      traceparent: null,
    };
    await store.execute(
      paymentAggregate, paymentId,
      { type: 'ObservePayment', paymentId, observation, at: clock.now() }, metadata);
  }
}
