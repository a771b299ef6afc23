import { DatabaseError, type Pool } from 'pg';
import type { LogReader } from '#log';
import { AssertionFailed, SECOND_MS } from '#kernel';
import { type Logger, firstRow } from '#platform';
import { rebuildProjection } from '#projections';
import { PROJECTIONS } from './catalogue.js';

const PROGRESS_EVERY_MS = SECOND_MS;

const NEXT = `
  UPDATE projection_rebuilds SET started_at = clock_timestamp(), events = 0
   WHERE id = (SELECT id FROM projection_rebuilds WHERE ended_at IS NULL ORDER BY id LIMIT 1)
  RETURNING id::text, projection`;

const PROGRESS = 'UPDATE projection_rebuilds SET events = $2 WHERE id = $1';

const ENDED = `
  UPDATE projection_rebuilds SET events = $2, ended_at = clock_timestamp() WHERE id = $1`;

/** Marks a rebuild as failed; the last stored progress (`events`) stays. */
const FAILED = `
  UPDATE projection_rebuilds SET failure = $2, ended_at = clock_timestamp() WHERE id = $1`;

/** SQLSTATE 22, 23, 42: errors that a retry cannot fix. */
const REFUSED = /^(?:22|23|42)/;

/**
 * Whether the error is caused by a bug, so that a retry would fail at the same event. Any other
 * error may be transient.
 */
const isBug = (error: unknown): error is Error =>
  error instanceof AssertionFailed ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  (error instanceof DatabaseError && REFUSED.test(error.code ?? ''));

const MAX_FAILURE_CHARS = 300;

const firstLineOf = ({ message }: Error): string =>
  (message.split('\n', 1)[0] ?? '').slice(0, MAX_FAILURE_CHARS);

/** Runs the requested rebuilds one after another, and stores their progress. */
export class RebuildRequests {
  constructor(
    private readonly pool: Pool,
    private readonly reader: LogReader,
    private readonly logger: Logger,
  ) {}

  /**
   * Runs the oldest request. A rebuild that was interrupted by the end of its process is restarted
   * from the beginning. A request that can never succeed is marked failed, and later requests run.
   * Throws transient errors. `signal`: the process stops, or loses its lease.
   */
  async round(signal?: AbortSignal): Promise<'more' | 'idle'> {
    const request = await firstRow<{ id: string; projection: string }>(this.pool, NEXT);
    if (request === undefined) return 'idle';
    const { id, projection: name } = request;
    const projection = PROJECTIONS.find((one) => one.name === name);
    if (projection === undefined) {
      await this.pool.query(FAILED, [id, 'there is no such projection']);
      return 'more';
    }
    try {
      const events = await this.rebuild(id, projection, signal);
      await this.pool.query(ENDED, [id, events]);
      this.logger.info({ projection: name, events }, 'a projection is rebuilt');
    } catch (error) {
      if (!isBug(error)) throw error;
      await this.pool.query(FAILED, [id, firstLineOf(error)]);
      this.logger.error({ err: error, projection: name }, 'a projection cannot be rebuilt');
    }
    return 'more';
  }

  /** Rebuilds the read model; returns the number of projected events. */
  private async rebuild(
    id: string,
    projection: (typeof PROJECTIONS)[number],
    signal?: AbortSignal,
  ): Promise<number> {
    let savedAtMs = performance.now();
    const onProgress = (taken: number): void => {
      if (performance.now() - savedAtMs < PROGRESS_EVERY_MS) return;
      savedAtMs = performance.now();
      // The write is not awaited: if it fails, the next progress report replaces it.
      this.pool
        .query(PROGRESS, [id, taken])
        .catch((err: unknown) =>
          this.logger.debug({ err }, 'the progress of a rebuild could not be saved'),
        );
    };
    const onDelayed = (err: unknown): void =>
      this.logger.warn(
        { err, projection: projection.name },
        'a rebuilt list waits for a transaction that has used it for long, such as a dump; ' +
          'pg_stat_activity shows the transaction',
      );
    const { events } = await rebuildProjection(this.pool, this.reader, projection, {
      onProgress,
      onDelayed,
      signal,
    });
    return events;
  }
}
