import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Clock, DAY_MS, instantFromMs, msOf } from '#kernel';
import { CLOCK } from '#platform';

export interface HourCount {
  readonly hour: Date;
  readonly status: string;
  readonly orders: number;
}

export interface OldestOpen {
  readonly status: string;
  readonly orderId: string;
  readonly placedAt: Date;
}

export interface ExceptionAge {
  readonly kind: string;
  readonly days: number;
  readonly count: number;
}

export const WATERMARK_KINDS = ['history', 'reconciliation'] as const;

export type WatermarkKind = (typeof WATERMARK_KINDS)[number];

export interface Watermark {
  readonly kind: WatermarkKind;
  readonly of: string;
  readonly watermark: string;
  readonly updatedAt: Date | null;
}

/** Orders that were placed in the last day, which is as much as a chart shows. Business time. */
const BY_HOUR = `
  SELECT date_trunc('hour', placed_at) AS hour, status, count(*)::int AS orders
    FROM order_list WHERE placed_at > $1 AND placed_at <= $2 GROUP BY 1, 2 ORDER BY 1, 2`;

const OLDEST_OPEN = ['open', 'authorized', 'closing'].map((status) => `
  (SELECT status, order_id AS "orderId", placed_at AS "placedAt" FROM order_list
    WHERE status = '${status}' ORDER BY placed_at, order_id LIMIT 1)`).join(' UNION ALL ');

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

export interface Attention {
  readonly stuckCalls: number;
  readonly failedReactions: number;
  readonly approvals: number;
  readonly unknownOutcomes: number;
  readonly mismatches: number;
  readonly unmadeRefunds: number;
  readonly exceptions: number;
}

/** What a person should see first. */
@Injectable()
export class Overview {
  constructor(
    @Inject(Pool) private readonly pool: Pool, @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async byHour(): Promise<readonly HourCount[]> {
    const now = this.clock.now();
    const since = instantFromMs(msOf(now) - DAY_MS);
    return (await this.pool.query<HourCount>(BY_HOUR, [since, now])).rows;
  }

  async oldestOpen(): Promise<readonly OldestOpen[]> {
    return (await this.pool.query<OldestOpen>(OLDEST_OPEN)).rows;
  }

  async exceptions(): Promise<readonly ExceptionAge[]> {
    return (await this.pool.query<ExceptionAge>(EXCEPTIONS, [this.clock.now()])).rows;
  }

  async watermarks(): Promise<readonly Watermark[]> {
    return (await this.pool.query<Watermark>(WATERMARKS)).rows;
  }

  async attention(): Promise<Attention> {
    const { rows } = await this.pool.query<Attention>(ATTENTION);
    return rows[0] ?? {
      stuckCalls: 0, failedReactions: 0, approvals: 0, unknownOutcomes: 0, mismatches: 0,
      unmadeRefunds: 0, exceptions: 0,
    };
  }
}
