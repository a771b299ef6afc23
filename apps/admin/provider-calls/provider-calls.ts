import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';

export interface RouteHealth {
  readonly route: string;
  readonly calls: number;
  /** Without an answer, or answered 5xx. */
  readonly failures: number;
  /** By its key, its limits or its rules; that something is not there or not so is an answer. */
  readonly refused: number;
  readonly p95Ms: number;
}

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

/** What was asked of the provider and what it answered, redacted, for some days. */
@Injectable()
export class ProviderCalls {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** How the provider has answered lately, by route. */
  async health(): Promise<readonly RouteHealth[]> {
    return (await this.pool.query<RouteHealth>(HEALTH)).rows;
  }
}
