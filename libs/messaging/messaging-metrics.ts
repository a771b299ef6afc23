import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Logger, LOGGER, Metrics } from '#platform';

/** Counting further would cost more than it tells. */
const LAG_COUNTED_EVENTS = 10_000;

interface LagRow {
  readonly events: string;
  readonly seconds: number;
}

interface OldestTransactionRow {
  readonly holder: string;
  readonly seconds: number;
}

/**
 * Only a transaction with an id of its own holds the readers of the log back; a long read does not.
 * Any database of the server counts.
 */
const OLDEST_TRANSACTION = `
  SELECT holder, extract(epoch FROM clock_timestamp() - began_at)::float8 AS seconds FROM (
    SELECT xact_start AS began_at,
           coalesce(nullif(application_name, ''), usename, 'unknown') || '@' ||
             coalesce(datname, '') AS holder
      FROM pg_stat_activity
     WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
     UNION ALL
    SELECT prepared, 'prepared ' || gid || '@' || database FROM pg_prepared_xacts
  ) running
  WHERE began_at IS NOT NULL ORDER BY began_at LIMIT 1`;

const UNPUBLISHED = `
  SELECT count(*) AS events,
         coalesce(extract(epoch FROM clock_timestamp() - min(recorded_at)), 0)::float8 AS seconds
    FROM (SELECT e.recorded_at FROM events e
           WHERE (e.epoch, e.transaction_id, e.position) >
                 (SELECT * FROM (SELECT c.epoch, c.transaction_id, c.position
                                   FROM log_cursors c WHERE c.name = 'relay'
                                  UNION ALL SELECT 0, '0'::xid8, 0) place
                   ORDER BY epoch DESC, transaction_id DESC, position DESC LIMIT 1)
           ORDER BY e.epoch, e.transaction_id, e.position LIMIT ${LAG_COUNTED_EVENTS}) unpublished`;

/** What the relay and the consumers show at /metrics; lags are asked of the database when read. */
@Injectable()
export class MessagingMetrics {
  readonly published;
  readonly consumed;
  readonly repeated;
  readonly gaps;
  readonly parked;
  readonly undecodable;

  constructor(
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const perConsumer = (name: string, help: string) => metrics.counter(name, help, ['consumer']);
    this.published = metrics.counter('relay_published_total', 'Events acknowledged by Kafka');
    this.consumed = perConsumer('consumer_messages_total', 'Messages taken or passed over');
    this.repeated = perConsumer('consumer_repeats_total', 'Messages dropped as not newer');
    this.gaps = perConsumer('consumer_gaps_total', 'Gaps in a stream, healed from the log');
    this.parked = perConsumer('consumer_parked_total', 'Messages that parked their key');
    this.undecodable = perConsumer('consumer_undecodable_total', 'Messages that could not be read');
    this.watchLog();
    this.watchParkedKeys();
  }

  /** `failing`: 1 from the first failed try until one works. */
  watchRelay(failing: () => boolean): void {
    this.metrics.gauge('relay_failing', 'Whether publishing fails at present', [], (gauge) =>
      gauge.set(failing() ? 1 : 0));
  }

  private watchLog(): void {
    const { metrics } = this;
    const seconds = metrics.gauge('relay_oldest_unpublished_seconds', 'Age of the oldest one');
    const help = `Events not yet published, counted up to ${LAG_COUNTED_EVENTS}`;
    metrics.gauge('relay_lag_events', help, [], async (gauge) => {
      const [row] = await this.ask<LagRow>(UNPUBLISHED);
      gauge.set(Number(row?.events ?? 0));
      seconds.set(row?.seconds ?? 0);
    });
    const oldest = 'Age of the oldest writing transaction on the server: it holds readers back';
    metrics.gauge('postgres_oldest_transaction_seconds', oldest, ['holder'], async (gauge) => {
      gauge.reset();
      const [row] = await this.ask<OldestTransactionRow>(OLDEST_TRANSACTION);
      gauge.set({ holder: row?.holder ?? 'none' }, row?.seconds ?? 0);
    });
  }

  private watchParkedKeys(): void {
    const help = 'Streams that a consumer cannot get past';
    this.metrics.gauge('consumer_parked_keys', help, ['consumer'], async (gauge) => {
      gauge.reset();
      const rows = await this.ask<{ consumer: string; keys: string }>(
        'SELECT consumer, count(*) AS keys FROM parked_keys GROUP BY consumer',
      );
      for (const { consumer, keys } of rows) gauge.set({ consumer }, Number(keys));
    });
  }

  /** Metrics are read most when something is down: the others must still come. */
  private async ask<Row extends object>(sql: string): Promise<readonly Row[]> {
    try {
      return (await this.pool.query<Row>(sql)).rows;
    } catch (error) {
      this.logger.debug({ err: error }, 'a metric could not be read from the database');
      return [];
    }
  }
}
