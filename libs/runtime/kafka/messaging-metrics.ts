import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { blockedCounts } from '#log';
import { Metrics } from '#platform';
import { LAG_COUNTED_EVENTS, type LogLag, logLag, oldestTransaction } from './log-lag.js';

/** The metrics of the relay. Each request of the metrics reads the lag from the database. */
@Injectable()
export class MessagingMetrics {
  readonly published;

  constructor(
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(Pool) private readonly pool: Pool,
  ) {
    this.published = metrics.counter('relay_published_total', 'Events acknowledged by Kafka');
    this.watchLog();
  }

  /** Registers the gauge of failures: 1 from the first failure until the next success. */
  watchRelay(failing: () => boolean): void {
    this.metrics.gauge(
      'relay_failing',
      'Whether publishing is failing at present: 1 or 0',
      [],
      (gauge) => gauge.set(failing() ? 1 : 0),
    );
  }

  private watchLog(): void {
    const { metrics, pool } = this;
    // The two gauges of the lag share one query for each request of the metrics.
    let reading: Promise<LogLag> | null = null;
    const lag = () =>
      (reading ??= logLag(pool).finally(() => {
        reading = null;
      }));
    const lagHelp = `Events not yet published, counted up to ${LAG_COUNTED_EVENTS}`;
    metrics.gauge('relay_lag_events', lagHelp, [], async (gauge) =>
      gauge.set((await lag()).events),
    );
    const oldestHelp = 'Age of the oldest event that is not published yet';
    metrics.gauge('relay_oldest_unpublished_seconds', oldestHelp, [], async (gauge) =>
      gauge.set((await lag()).seconds),
    );
    const heldHelp = 'Streams blocked at an event that only a newer release can read';
    metrics.gauge('streams_awaiting_upgrade', heldHelp, ['reader'], async (gauge) => {
      for (const { reader, streams } of await blockedCounts(pool)) {
        gauge.set({ reader }, streams);
      }
    });
    const ageHelp = 'Age of the oldest writing transaction, which delays log consumers';
    metrics.gauge('postgres_oldest_transaction_seconds', ageHelp, ['holder'], async (gauge) => {
      const oldest = await oldestTransaction(pool);
      gauge.set({ holder: oldest?.holder ?? 'none' }, oldest?.seconds ?? 0);
    });
  }
}
