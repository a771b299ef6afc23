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

const IDLE_MS = { first: 25, widest: 150 };

/** Keeps the projections at the end of the log; each in one worker at a time, to spare reading. */
@Injectable()
export class ProjectionsPart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: readonly LeasedLoop[];

  constructor(pool: Pool, reader: LogReader, @Inject(LOGGER) logger: Logger) {
    this.loops = PROJECTIONS.map((projection) => {
      const projector = new Projector(pool, reader, projection);
      const round = async (): Promise<'more' | 'idle'> =>
        (await projector.chunk()) === CHUNK_EVENTS ? 'more' : 'idle';
      const name = cursorNameOf(projection);
      return new LeasedLoop({ name, round }, { pool, logger, idleMs: IDLE_MS });
    });
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
