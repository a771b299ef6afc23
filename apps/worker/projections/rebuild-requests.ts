import type { Pool } from 'pg';
import type { LogReader } from '#event-store';
import { SECOND_MS } from '#kernel';
import type { Logger } from '#platform';
import { PROJECTIONS } from './catalogue.js';
import { rebuildProjection } from './rebuild.js';

const PROGRESS_EVERY_MS = SECOND_MS;

const NEXT = `
  UPDATE projection_rebuilds SET started_at = clock_timestamp(), events = 0
   WHERE id = (SELECT id FROM projection_rebuilds WHERE ended_at IS NULL ORDER BY id LIMIT 1)
  RETURNING id::text, projection`;

const PROGRESS = 'UPDATE projection_rebuilds SET events = $2 WHERE id = $1';

const ENDED = `
  UPDATE projection_rebuilds
     SET events = $2, failure = $3, ended_at = clock_timestamp() WHERE id = $1`;

/** Rebuilds that people have asked for, one after another, with how far each is. */
export class RebuildRequests {
  constructor(
    private readonly pool: Pool,
    private readonly reader: LogReader,
    private readonly logger: Logger,
  ) {}

  /** The oldest one, from its beginning also when a process that is gone had begun it. */
  async round(): Promise<'more' | 'idle'> {
    const { rows } = await this.pool.query<{ id: string; projection: string }>(NEXT);
    const [request] = rows;
    if (request === undefined) return 'idle';
    const { id, projection: name } = request;
    const projection = PROJECTIONS.find((one) => one.name === name);
    if (projection === undefined) {
      await this.pool.query(ENDED, [id, 0, 'there is no such projection']);
      return 'more';
    }
    let toldAtMs = performance.now();
    const { events } = await rebuildProjection(this.pool, this.reader, projection, (taken) => {
      if (performance.now() - toldAtMs < PROGRESS_EVERY_MS) return;
      toldAtMs = performance.now();
      // Nobody waits for it: the next one tells more.
      this.pool.query(PROGRESS, [id, taken]).catch((err: unknown) =>
        this.logger.debug({ err }, 'the progress of a rebuild is not told'));
    });
    await this.pool.query(ENDED, [id, events, null]);
    this.logger.info({ projection: name, events }, 'a projection is rebuilt');
    return 'more';
  }
}
