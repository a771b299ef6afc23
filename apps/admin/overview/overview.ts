import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Clock, DAY_MS, instantFromMs, msOf } from '#kernel';
import { CLOCK } from '#platform';
import type {
  AttentionAnswer,
  ExceptionAgeAnswer,
  HourAnswer,
  OldestOpenAnswer,
  ProviderHealthAnswer,
  WatermarkAnswer,
} from './overview-answers.js';

/** Orders that were placed in the last day, which is as much as a chart shows. Business time. */
const BY_HOUR = `
  SELECT date_trunc('hour', placed_at) AS hour, status, count(*)::int AS orders
    FROM order_list WHERE placed_at > $1 AND placed_at <= $2 GROUP BY 1, 2 ORDER BY 1, 2`;

const OLDEST_OPEN = ['open', 'authorized', 'closing']
  .map(
    (status) => `
  (SELECT status, order_id AS "orderId", placed_at AS "placedAt" FROM order_list
    WHERE status = '${status}' ORDER BY placed_at, order_id LIMIT 1)`,
  )
  .join(' UNION ALL ');

/** By whole days of age, those older than a month together. */
const EXCEPTIONS = `
  SELECT kind, least(greatest($1::date - since, 0), 30) AS days, count(*)::int AS count
    FROM reconciliation_exceptions WHERE closed_at IS NULL GROUP BY 1, 2 ORDER BY 1, 2`;

const WATERMARKS = `
  SELECT 'history' AS kind, mode AS of, watermark::text, updated_at AS "updatedAt"
    FROM history_watermarks
   UNION ALL
  (SELECT 'reconciliation', account_id, settled_before::text, NULL
     FROM reconciliation_marks ORDER BY settled_before LIMIT 20)`;

const ATTENTION = `
  SELECT (SELECT count(*)::int FROM jobs WHERE state = 'stuck') AS "stuckCalls",
         (SELECT count(*)::int FROM sagas WHERE waiting IS NOT NULL) AS "failedReactions",
         (SELECT count(*)::int FROM admin_actions
           WHERE status = 'pending' AND expires_at > now()) AS approvals,
         (SELECT count(*)::int FROM (SELECT FROM payment_list WHERE unknown <> '{}'
                                      LIMIT 10000) counted) AS "unknownOutcomes",
         (SELECT count(*)::int FROM (SELECT FROM payment_list WHERE mismatched
                                      LIMIT 10000) counted) AS "mismatches",
         (SELECT count(*)::int FROM (SELECT FROM payment_list WHERE unmade_refunds <> '{}'
                                      LIMIT 10000) counted) AS "unmadeRefunds",
         (SELECT count(*)::int FROM reconciliation_exceptions
           WHERE closed_at IS NULL) AS exceptions`;

/** A busy quarter of an hour has more calls than are worth counting. */
const HEALTH = `
  SELECT method || ' ' || path AS route, count(*)::int AS calls,
         count(*) FILTER (WHERE status IS NULL OR status >= 500)::int AS failures,
         count(*) FILTER (WHERE status BETWEEN 400 AND 499 AND status NOT IN (404, 409, 422))::int
           AS refused,
         percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms)::float8 AS "p95Ms"
    FROM (SELECT method, path, status, duration_ms FROM provider_calls
           WHERE at > clock_timestamp() - interval '15 minutes'
           ORDER BY at DESC LIMIT 20000) recent
   GROUP BY 1 ORDER BY calls DESC, route LIMIT 50`;

/** What a person should see first. */
@Injectable()
export class Overview {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async byHour(): Promise<readonly HourAnswer[]> {
    const now = this.clock.now();
    const since = instantFromMs(msOf(now) - DAY_MS);
    return (await this.pool.query<HourAnswer>(BY_HOUR, [since, now])).rows;
  }

  async oldestOpen(): Promise<readonly OldestOpenAnswer[]> {
    return (await this.pool.query<OldestOpenAnswer>(OLDEST_OPEN)).rows;
  }

  async exceptions(): Promise<readonly ExceptionAgeAnswer[]> {
    return (await this.pool.query<ExceptionAgeAnswer>(EXCEPTIONS, [this.clock.now()])).rows;
  }

  async watermarks(): Promise<readonly WatermarkAnswer[]> {
    return (await this.pool.query<WatermarkAnswer>(WATERMARKS)).rows;
  }

  /** How the provider has answered lately, by route. */
  async provider(): Promise<readonly ProviderHealthAnswer[]> {
    return (await this.pool.query<ProviderHealthAnswer>(HEALTH)).rows;
  }

  async attention(): Promise<AttentionAnswer> {
    const { rows } = await this.pool.query<AttentionAnswer>(ATTENTION);
    return (
      rows[0] ?? {
        stuckCalls: 0,
        failedReactions: 0,
        approvals: 0,
        unknownOutcomes: 0,
        mismatches: 0,
        unmadeRefunds: 0,
        exceptions: 0,
      }
    );
  }
}
