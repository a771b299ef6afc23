import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { MINUTE_MS } from '#kernel';
import { LeasedLoop } from '#kafka';
import { type Logger, LOGGER } from '#platform';
import { Loops } from '../loops.js';
import { retentionDays } from './retention-settings.js';
import { Retention } from './retention.js';

const IDLE_MS = { first: MINUTE_MS, longest: 10 * MINUTE_MS };

/** Deletes rows whose retention period has expired, in one worker at a time. */
@Injectable()
export class RetentionProcess {
  constructor(pool: Pool, loops: Loops, @Inject(LOGGER) logger: Logger) {
    const retention = new Retention(pool, retentionDays());
    loops.add(
      new LeasedLoop(
        { name: 'retention', round: (_lease, signal) => retention.round(signal) },
        { pool, logger, idleMs: IDLE_MS },
      ),
    );
  }
}
