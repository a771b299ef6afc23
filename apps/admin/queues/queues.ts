import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Clock } from '#kernel';
import { type WaitingSaga, WaitingSagas } from '#log';
import { logLag, type OldestTransaction, oldestTransaction } from '#kafka';
import { type StuckCall, StuckCalls } from '#operations';
import { CLOCK } from '#platform';
import type { CursorAnswer, DeadlineAnswer, OpenCountAnswer } from './queue-answers.js';

/** Counting further would cost more than it tells. */
const MAX_COUNTED = 10_000;

const OPEN_CALLS = `
  SELECT CASE state WHEN 'running' THEN 'calling' ELSE state END AS state, count(*)::int AS count,
         extract(epoch FROM clock_timestamp() - min(updated_at))::float8 AS "oldestSeconds"
    FROM (SELECT state, updated_at FROM jobs
           WHERE subject_id IS NOT NULL AND state <> 'done' LIMIT ${MAX_COUNTED}) open
   GROUP BY state`;

const OPEN_WEBHOOKS = `
  SELECT 'open' AS state, count(*)::int AS count,
         coalesce(extract(epoch FROM clock_timestamp() - min(received_at)), 0)::float8
           AS "oldestSeconds"
    FROM (SELECT received_at FROM webhooks_received WHERE handled_at IS NULL
           ORDER BY id LIMIT ${MAX_COUNTED}) open`;

/** Kinds are few; each one's jobs are counted up to a bound. Webhooks are counted by themselves. */
const DEADLINES = `
  WITH RECURSIVE kinds AS (
    (SELECT kind FROM jobs WHERE subject_id IS NULL ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT j.kind FROM jobs j
             WHERE j.kind > k.kind AND j.subject_id IS NULL ORDER BY j.kind LIMIT 1)
      FROM kinds k WHERE k.kind IS NOT NULL)
  SELECT k.kind,
         ready.count + overdue.count AS overdue, ready.count + waiting.count AS waiting,
         (SELECT min(due_at) FROM jobs j WHERE j.kind = k.kind AND j.state = 'waiting'
                                           AND j.held_until IS NULL) AS "nextAt"
    FROM kinds k
   CROSS JOIN LATERAL (SELECT count(*)::int FROM (
     SELECT FROM jobs j WHERE j.kind = k.kind AND j.state = 'ready' LIMIT ${MAX_COUNTED}) r) ready
   CROSS JOIN LATERAL (SELECT count(*)::int FROM (
     SELECT FROM jobs j WHERE j.kind = k.kind AND j.state = 'waiting' AND j.held_until IS NULL
        AND j.due_at <= $1 LIMIT ${MAX_COUNTED}) o) overdue
   CROSS JOIN LATERAL (SELECT count(*)::int FROM (
     SELECT FROM jobs j WHERE j.kind = k.kind AND j.state = 'waiting' AND j.held_until IS NULL
      LIMIT ${MAX_COUNTED}) w) waiting
   WHERE k.kind <> 'intent.read'`;

/** What waits, is late, or needs a person. */
@Injectable()
export class Queues {
  readonly waitingSagas: WaitingSagas;
  readonly stuckCalls: StuckCalls;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.waitingSagas = new WaitingSagas(pool);
    this.stuckCalls = new StuckCalls(pool);
  }

  /** Who reads the log, and how far each is behind. */
  async cursors(): Promise<readonly CursorAnswer[]> {
    const { rows } = await this.pool.query<{ name: string; movedAt: Date }>(
      'SELECT name, moved_at AS "movedAt" FROM log_cursors ORDER BY name LIMIT 100',
    );
    return Promise.all(
      rows.map(async (row) => ({ ...row, ...(await logLag(this.pool, row.name)) })),
    );
  }

  failedReactions(): Promise<readonly WaitingSaga[]> {
    return this.waitingSagas.list();
  }

  stuck(): Promise<readonly StuckCall[]> {
    return this.stuckCalls.list();
  }

  async calls(): Promise<readonly OpenCountAnswer[]> {
    return (await this.pool.query<OpenCountAnswer>(OPEN_CALLS)).rows;
  }

  async webhooks(): Promise<OpenCountAnswer> {
    const { rows } = await this.pool.query<OpenCountAnswer>(OPEN_WEBHOOKS);
    return rows[0] ?? { state: 'open', count: 0, oldestSeconds: 0 };
  }

  async deadlines(): Promise<readonly DeadlineAnswer[]> {
    return (await this.pool.query<DeadlineAnswer>(DEADLINES, [this.clock.now()])).rows;
  }

  oldestTransaction(): Promise<OldestTransaction | null> {
    return oldestTransaction(this.pool);
  }
}
