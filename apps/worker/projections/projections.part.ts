import {
  type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { LogReader } from '#event-store';
import { LeasedLoop } from '#messaging';
import { type Logger, LOGGER } from '#platform';
import { PROJECTIONS } from './catalogue.js';
import { cursorNameOf } from './projection.js';
import { CHUNK_EVENTS, Projector } from './projector.js';
import { RebuildRequests } from './rebuild-requests.js';

const IDLE_MS = { first: 25, widest: 150 };
/** People ask for one now and then. */
const REBUILDS_IDLE_MS = { first: 500, widest: 1_000 };

/** Keeps the projections at the end of the log; each in one worker at a time, to spare reading. */
@Injectable()
export class ProjectionsPart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: readonly LeasedLoop[];

  constructor(pool: Pool, reader: LogReader, @Inject(LOGGER) logger: Logger) {
    const requests = new RebuildRequests(pool, reader, logger);
    const rebuilds = new LeasedLoop(
      { name: 'projection-rebuilds', round: () => requests.round() },
      { pool, logger, idleMs: REBUILDS_IDLE_MS },
    );
    const projections = PROJECTIONS.map((projection) => {
      const projector = new Projector(pool, reader, projection);
      const round = async (): Promise<'more' | 'idle'> =>
        (await projector.chunk()) === CHUNK_EVENTS ? 'more' : 'idle';
      const name = cursorNameOf(projection);
      return new LeasedLoop({ name, round }, { pool, logger, idleMs: IDLE_MS });
    });
    this.loops = [...projections, rebuilds];
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
