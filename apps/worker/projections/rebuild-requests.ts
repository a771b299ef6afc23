import { DatabaseError, type Pool } from 'pg';
import type { LogReader } from '#log';
import { AssertionFailed, SECOND_MS } from '#kernel';
import type { Logger } from '#platform';
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

/** With how far it came. */
const FAILED = `
  UPDATE projection_rebuilds SET failure = $2, ended_at = clock_timestamp() WHERE id = $1`;

/** SQLSTATE 22, 23, 42: what the database cannot take, now or ever. */
const REFUSED = /^(?:22|23|42)/;

/** A bug of ours: tried again, it would fail at the same event. All else may be over in a moment. */
const isBug = (error: unknown): error is Error =>
  error instanceof AssertionFailed ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  (error instanceof DatabaseError && REFUSED.test(error.code ?? ''));

const MAX_FAILURE_CHARS = 300;

const firstLineOf = ({ message }: Error): string =>
  (message.split('\n', 1)[0] ?? '').slice(0, MAX_FAILURE_CHARS);

/** Rebuilds that people have asked for, one after another, with how far each is. */
export class RebuildRequests {
  constructor(
    private readonly pool: Pool,
    private readonly reader: LogReader,
    private readonly logger: Logger,
  ) {}

  /**
   * The oldest one, from its beginning also when a process that is gone had begun it. One that can
   * never succeed has failed, and those behind it go on; throws what may be over in a moment.
   */
  async round(): Promise<'more' | 'idle'> {
    const { rows } = await this.pool.query<{ id: string; projection: string }>(NEXT);
    const [request] = rows;
    if (request === undefined) return 'idle';
    const { id, projection: name } = request;
    const projection = PROJECTIONS.find((one) => one.name === name);
    if (projection === undefined) {
      await this.pool.query(FAILED, [id, 'there is no such projection']);
      return 'more';
    }
    try {
      const events = await this.rebuild(id, projection);
      await this.pool.query(ENDED, [id, events]);
      this.logger.info({ projection: name, events }, 'a projection is rebuilt');
    } catch (error) {
      if (!isBug(error)) throw error;
      await this.pool.query(FAILED, [id, firstLineOf(error)]);
      this.logger.error({ err: error, projection: name }, 'a projection cannot be rebuilt');
    }
    return 'more';
  }

  /** Answers the events that were taken in. */
  private async rebuild(id: string, projection: (typeof PROJECTIONS)[number]): Promise<number> {
    let toldAtMs = performance.now();
    const { events } = await rebuildProjection(this.pool, this.reader, projection, (taken) => {
      if (performance.now() - toldAtMs < PROGRESS_EVERY_MS) return;
      toldAtMs = performance.now();
      // Nobody waits for it: the next one tells more.
      this.pool
        .query(PROGRESS, [id, taken])
        .catch((err: unknown) =>
          this.logger.debug({ err }, 'the progress of a rebuild is not told'),
        );
    });
    return events;
  }
}
