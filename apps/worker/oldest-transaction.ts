import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Metrics } from '#platform';

/** Of all databases of the server: a reader of the log waits for the oldest of them. */
const OLDEST = `
  SELECT coalesce(nullif(application_name, ''), 'unnamed') AS holder,
         extract(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds
    FROM pg_stat_activity
   WHERE backend_xid IS NOT NULL
   ORDER BY xact_start LIMIT 1`;

/** Tells for how long, and by whom, readers of the log are being held back. */
@Injectable()
export class OldestTransaction {
  constructor(pool: Pool, metrics: Metrics) {
    metrics.gauge(
      'pg_oldest_write_transaction_seconds',
      'Age of the oldest open write transaction of the server, by the application that holds it',
      ['holder'],
      async (gauge) => {
        gauge.reset();
        const { rows } = await pool.query<{ holder: string; seconds: number }>(OLDEST);
        for (const { holder, seconds } of rows) gauge.set({ holder }, seconds);
      },
    );
  }
}
