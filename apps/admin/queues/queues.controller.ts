import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { assert, type Clock } from '#kernel';
import { WaitingSagas } from '#log';
import { logLag, oldestTransaction } from '#kafka';
import { CLOCK, firstRow } from '#platform';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import {
  type CursorAnswer,
  type DeadlineAnswer,
  FailedReactionList,
  type OpenCountAnswer,
  QueuesAnswer,
} from './queue-answers.js';

/**
 * Rows are counted only up to this limit, because exact counts of more rows are not worth their
 * cost.
 */
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

/**
 * Counts the scheduled jobs of each kind, up to a limit. Provider requests and webhooks are counted
 * by other statements. Either all jobs of a kind are provider requests, which have a subject, or
 * none is. So the statement need not read a million completed requests: it reads one job of each
 * kind, the first by key, which the index finds.
 */
const DEADLINES = `
  WITH RECURSIVE kinds AS (
    (SELECT kind FROM jobs ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT j.kind FROM jobs j WHERE j.kind > k.kind ORDER BY j.kind LIMIT 1)
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
   WHERE k.kind <> 'intent.read'
     AND (SELECT j.subject_id IS NULL FROM jobs j WHERE j.kind = k.kind ORDER BY j.key LIMIT 1)`;

@ApiTags('Queues')
@Controller('v1')
export class QueuesController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('queues')
  @Allow('viewer')
  @ApiOperation({ summary: 'Log consumers, work in progress and scheduled jobs' })
  @Answers({ type: QueuesAnswer, description: 'All queues.' })
  async getQueues(): Promise<QueuesAnswer> {
    const { pool } = this;
    const [cursors, calls, webhooks, deadlines, oldest] = await Promise.all([
      this.cursors(),
      pool.query<OpenCountAnswer>(OPEN_CALLS),
      firstRow<OpenCountAnswer>(pool, OPEN_WEBHOOKS),
      pool.query<DeadlineAnswer>(DEADLINES, [this.clock.now()]),
      oldestTransaction(pool),
    ]);
    assert(webhooks !== undefined, 'a count is one row');
    return {
      cursors,
      calls: calls.rows,
      webhooks,
      deadlines: deadlines.rows,
      oldestTransaction: oldest,
    };
  }

  @Get('failed-reactions')
  @Allow('viewer')
  @ApiOperation({ summary: 'Failed reactions, retrying or blocked' })
  @Answers({ type: FailedReactionList, description: 'At most 1000.' })
  async listFailedReactions(): Promise<FailedReactionList> {
    return { items: await new WaitingSagas(this.pool).list() };
  }

  /** The consumers of the event log with their lag. */
  private async cursors(): Promise<readonly CursorAnswer[]> {
    const { rows } = await this.pool.query<{ name: string; movedAt: Date }>(
      'SELECT name, moved_at AS "movedAt" FROM log_cursors ORDER BY name LIMIT 100',
    );
    return Promise.all(
      rows.map(async (row) => ({ ...row, ...(await logLag(this.pool, row.name)) })),
    );
  }
}
