import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { type Clock, DAY_MS, instantFromMs, msOf } from '#kernel';
import { logLag } from '#kafka';
import { CLOCK } from '#platform';
import { ProviderAccounts } from '#psp';
import { isNarrowed } from '../access/access-scope.js';
import { type Acting, Allow, CurrentUser } from '../access/allow.js';
import { usualAccountsOf } from '../lists/mode.js';
import { Answers } from '../shared/docs.js';
import { countApprovals } from './open-counts.js';
import {
  type ExceptionAgeAnswer,
  type HourAnswer,
  type OldestOpenAnswer,
  OverviewAnswer,
  type ProviderHealthAnswer,
  type WatermarkAnswer,
} from './overview-answers.js';

/**
 * The orders of the last 24 hours for the chart, in business time, without those of the accounts
 * `$3`.
 */
const BY_HOUR = `
  SELECT date_trunc('hour', placed_at) AS hour, status, count(*)::int AS orders
    FROM order_list WHERE placed_at > $1 AND placed_at <= $2 AND account_id <> ALL ($3)
   GROUP BY 1, 2 ORDER BY 1, 2`;

const OLDEST_OPEN = ['open', 'authorized', 'closing']
  .map(
    (status) => `
  (SELECT status, order_id AS "orderId", placed_at AS "placedAt" FROM order_list
    WHERE status = '${status}' AND account_id <> ALL ($1) ORDER BY placed_at, order_id LIMIT 1)`,
  )
  .join(' UNION ALL ');

/** Counts open breaks by whole days of age; 30 means a month or more. */
const EXCEPTIONS = `
  SELECT kind, least(greatest($1::date - since, 0), 30) AS days, count(*)::int AS count
    FROM reconciliation_exceptions WHERE closed_at IS NULL AND account_id <> ALL ($2)
   GROUP BY 1, 2 ORDER BY 1, 2`;

const WATERMARKS = `
  SELECT 'history' AS kind, mode AS of, watermark::text, updated_at AS "updatedAt"
    FROM history_watermarks
   UNION ALL
  (SELECT 'reconciliation', account_id, settled_before::text, NULL
     FROM reconciliation_marks ORDER BY settled_before LIMIT 20)`;

/**
 * Reads only the latest provider requests, up to a limit: with more requests in 15 minutes, exact
 * counts are not worth their cost.
 */
const HEALTH = `
  SELECT method, path, count(*)::int AS calls,
         count(*) FILTER (WHERE status IS NULL OR status >= 500)::int AS failures,
         count(*) FILTER (WHERE status BETWEEN 400 AND 499 AND status NOT IN (404, 409, 422))::int
           AS refused,
         percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms)::float8 AS "p95Ms"
    FROM (SELECT method, path, status, duration_ms FROM api_requests
           WHERE at > clock_timestamp() - interval '15 minutes'
           ORDER BY at DESC LIMIT 20000) recent
   GROUP BY method, path ORDER BY calls DESC, method, path LIMIT 50`;

type HealthRow = Omit<ProviderHealthAnswer, 'route' | 'operation'> & {
  readonly method: string;
  readonly path: string;
};

@ApiTags('Overview')
@Controller('v1/overview')
export class OverviewController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly accounts: ProviderAccounts,
  ) {}

  @Get()
  @Allow('viewer', { narrowed: true })
  @ApiOperation({
    summary: 'Orders, approvals and provider health',
    description: 'Without the lag of the relay and provider health for limited users.',
  })
  @Answers({ type: OverviewAnswer, description: 'The overview.' })
  async getOverview(@CurrentUser() by: Acting): Promise<OverviewAnswer> {
    const { pool } = this;
    const now = this.clock.now();
    const since = instantFromMs(msOf(now) - DAY_MS);
    const { mode, others } = await usualAccountsOf(pool);
    const [byHour, oldestOpen, approvals, relay, provider, exceptions, watermarks] =
      await Promise.all([
        pool.query<HourAnswer>(BY_HOUR, [since, now, others]),
        pool.query<OldestOpenAnswer>(OLDEST_OPEN, [others]),
        countApprovals(pool),
        isNarrowed(by) ? { events: 0, seconds: 0 } : logLag(pool),
        isNarrowed(by) ? { rows: [] } : pool.query<HealthRow>(HEALTH),
        pool.query<ExceptionAgeAnswer>(EXCEPTIONS, [now, others]),
        pool.query<WatermarkAnswer>(WATERMARKS),
      ]);
    return {
      now,
      mode,
      byHour: byHour.rows,
      oldestOpen: oldestOpen.rows,
      approvals,
      relay,
      provider: provider.rows.map(({ method, path, ...row }) => ({
        route: `${method} ${path}`,
        operation: this.accounts.operationOf(method, path) ?? 'other',
        ...row,
      })),
      exceptions: exceptions.rows,
      watermarks: watermarks.rows,
    };
  }
}
