import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { blockedCounts } from '#log';
import { type Logger, LOGGER, Metrics } from '#platform';
import { LAG_COUNTED_EVENTS, type LogLag, logLag, oldestTransaction } from './log-lag.js';

/** What the relay shows at /metrics; lags are asked of the database when read. */
@Injectable()
export class MessagingMetrics {
  readonly published;

  constructor(
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.published = metrics.counter('relay_published_total', 'Events acknowledged by Kafka');
    this.watchLog();
  }

  /** `failing`: 1 from the first failed try until one works. */
  watchRelay(failing: () => boolean): void {
    this.metrics.gauge('relay_failing', 'Whether publishing fails at present', [], (gauge) =>
      gauge.set(failing() ? 1 : 0),
    );
  }

  private watchLog(): void {
    const { metrics } = this;
    const seconds = metrics.gauge('relay_oldest_unpublished_seconds', 'Age of the oldest one');
    const lagHelp = `Events not yet published, counted up to ${LAG_COUNTED_EVENTS}`;
    metrics.gauge('relay_lag_events', lagHelp, [], async (gauge) => {
      const lag = await this.ask(logLag, { events: 0, seconds: 0 } satisfies LogLag);
      gauge.set(lag.events);
      seconds.set(lag.seconds);
    });
    const heldHelp = 'Streams held back at an event that only a newer release can read';
    metrics.gauge('streams_held_back', heldHelp, ['reader'], async (gauge) => {
      gauge.reset();
      for (const { reader, streams } of await this.ask(blockedCounts, [])) {
        gauge.set({ reader }, streams);
      }
    });
    const ageHelp = 'Age of the oldest writing transaction on the server: it holds readers back';
    metrics.gauge('postgres_oldest_transaction_seconds', ageHelp, ['holder'], async (gauge) => {
      gauge.reset();
      const oldest = await this.ask(oldestTransaction, null);
      gauge.set({ holder: oldest?.holder ?? 'none' }, oldest?.seconds ?? 0);
    });
  }

  /** Metrics are read most when something is down: the others must still come. */
  private async ask<T>(question: (pool: Pool) => Promise<T>, unanswered: T): Promise<T> {
    try {
      return await question(this.pool);
    } catch (error) {
      this.logger.debug({ err: error }, 'a metric could not be read from the database');
      return unanswered;
    }
  }
}
