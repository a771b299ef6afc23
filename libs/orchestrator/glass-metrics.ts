import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Logger, LOGGER, Metrics } from '#platform';

/**
 * When somebody last did alone what takes two people. Told by every process, as it is done mostly
 * while the console is down, and as a time, so that it is also seen by who comes after it.
 */
@Injectable()
export class GlassMetrics {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const help = 'When the glass was last broken, in Unix time; 0: never';
    metrics.gauge('glass_last_broken_timestamp_seconds', help, [], async (gauge) => {
      const seconds = await this.lastBroken();
      if (seconds !== null) gauge.set(seconds);
    });
  }

  /** Null while the database is away: the other metrics must still come. */
  private async lastBroken(): Promise<number | null> {
    try {
      const {
        rows: [row],
      } = await this.pool.query<{ seconds: number | null }>(
        `SELECT extract(epoch FROM max(at))::float8 AS seconds FROM audit
          WHERE action = 'glass.broken'`,
      );
      return row?.seconds ?? 0;
    } catch (error) {
      this.logger.debug({ err: error }, 'the audit cannot be read now');
      return null;
    }
  }
}
