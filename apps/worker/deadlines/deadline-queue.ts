import { instantFromMs, type Instant } from '#kernel';
import type { Pool } from 'pg';
import type { DueDeadline } from './deadline.js';

/** Wall time, milliseconds. Twice carried out is once, so a claim only spares work. */
const CLAIM_MS = 30_000;

const CLAIM = `
  WITH chosen AS (
    SELECT d.kind, d.key FROM deadlines d
     WHERE d.due_at <= $1 AND d.kind LIKE ANY ($2)
       AND (d.claimed_until IS NULL OR d.claimed_until < clock_timestamp())
       AND (d.account_id IS NULL OR d.account_id <> ALL ($5))
     ORDER BY d.due_at LIMIT $3
       FOR UPDATE SKIP LOCKED)
  UPDATE deadlines d SET claimed_until = clock_timestamp() + $4 * interval '1 millisecond'
    FROM chosen WHERE d.kind = chosen.kind AND d.key = chosen.key
  RETURNING d.kind, d.key, d.due_at, d.tries, d.account_id`;

const PUT_BACK = `
  UPDATE deadlines SET claimed_until = clock_timestamp() + $4 * interval '1 millisecond'
   WHERE kind = $1 AND key = $2 AND due_at = $3`;

const DUE = `
  SELECT (SELECT count(*)::int FROM deadlines
           WHERE due_at <= $1 AND kind LIKE ANY ($2)) AS due,
         (SELECT due_at FROM deadlines
           WHERE due_at > $1 AND kind LIKE ANY ($2) ORDER BY due_at LIMIT 1) AS next`;

/** The table `deadlines` as the workers share it; `patterns` are the kinds that we carry out. */
export class DeadlineQueue {
  constructor(private readonly pool: Pool) {}

  /** `heldAccounts`: whose reads are passed over, however long they have been due. */
  async claim(
    now: Instant, patterns: readonly string[], limit: number, heldAccounts: readonly string[] = [],
  ): Promise<readonly DueDeadline[]> {
    const { rows } = await this.pool.query<{
      kind: string; key: string; due_at: Date; tries: number; account_id: string | null;
    }>({
      name: 'claim-deadlines', text: CLAIM,
      values: [now, patterns, limit, CLAIM_MS, heldAccounts],
    });
    return rows.map(({ kind, key, due_at: dueAt, tries, account_id: accountId }) => ({
      kind, key, dueAt: instantFromMs(dueAt.getTime()), tries, accountId,
    }));
  }

  /** It could not be carried out now: again after so long of wall time, by whom ever. */
  async putBack({ kind, key, dueAt }: DueDeadline, waitMs: number): Promise<void> {
    await this.pool.query(PUT_BACK, [kind, key, dueAt, waitMs]);
  }

  /** How long the oldest deadline of a kind has been due; 0 when none is. */
  async overdueSeconds(now: Instant, kind: string): Promise<number> {
    const { rows } = await this.pool.query<{ seconds: number | null }>({
      name: 'overdue-deadlines',
      text: `SELECT extract(epoch FROM $1::timestamptz - min(due_at))::float8 AS seconds
               FROM deadlines WHERE kind = $2 AND due_at <= $1`,
      values: [now, kind],
    });
    return rows[0]?.seconds ?? 0;
  }

  async due(
    now: Instant, patterns: readonly string[],
  ): Promise<{ readonly due: number; readonly next: Date | null }> {
    const { rows } = await this.pool.query<{ due: number; next: Date | null }>({
      name: 'due-deadlines', text: DUE, values: [now, patterns],
    });
    return rows[0] ?? { due: 0, next: null };
  }
}
