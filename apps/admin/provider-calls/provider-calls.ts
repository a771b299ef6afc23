import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';

export interface RouteHealth {
  readonly route: string;
  readonly calls: number;
  readonly failures: number;
  readonly p95Ms: number;
}

/** A busy quarter of an hour has more calls than are worth counting. */
const HEALTH = `
  SELECT method || ' ' || path AS route, count(*)::int AS calls,
         count(*) FILTER (WHERE status IS NULL OR status >= 500)::int AS failures,
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
