import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { LogReader, Wakes } from '#log';
import { LeasedLoop } from '#kafka';
import { type Logger, LOGGER, Metrics } from '#platform';
import { Loops } from '../loops.js';
import { PROJECTIONS } from './catalogue.js';
import { behindSeconds, CHUNK_EVENTS, ProjectionRunner } from '#projections';
import { RebuildRequests } from './rebuild-requests.js';
import { takeOver } from './take-over.js';

/**
 * The pause between runs. A longer pause means fewer statements, but lists that lag further behind
 * while orders arrive.
 */
const IDLE_MS = { gather: 150 };
/** The polling interval for requests to rebuild, which are rare. */
const REBUILDS_IDLE_MS = { first: 1_000 };

/** Counts payments with a status mismatch, up to a limit. */
const MISMATCHED = `
  SELECT count(*)::int AS payments
    FROM (SELECT FROM payment_list WHERE mismatched LIMIT 10000) counted`;

/**
 * Runs the projections at the end of the event log, in one worker at a time, so that only one
 * process reads the log.
 */
@Injectable()
export class ProjectionsProcess {
  constructor(
    pool: Pool,
    reader: LogReader,
    wakes: Wakes,
    loops: Loops,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    const requests = new RebuildRequests(pool, reader, logger);
    const rebuilds = new LeasedLoop(
      { name: 'projection-rebuilds', round: (_lease, signal) => requests.round(signal) },
      { pool, logger, idleMs: REBUILDS_IDLE_MS },
    );
    const runner = new ProjectionRunner(pool, reader, PROJECTIONS, { logger });
    const projections = new LeasedLoop(
      {
        name: 'projections',
        acquired: takeOver(PROJECTIONS),
        round: async () => {
          const events = await runner.round();
          return events === CHUNK_EVENTS ? 'more' : events > 0 ? 'end' : 'idle';
        },
      },
      { pool, logger, idleMs: IDLE_MS },
    );
    wakes.on('log', () => projections.wake());
    loops.add(projections, rebuilds);
    metrics.gauge(
      'projection_lag_seconds',
      'Age of the oldest event that a projection has not processed',
      ['projection'],
      async (gauge) => {
        const names = PROJECTIONS.map(({ name }) => name);
        for (const [name, seconds] of await behindSeconds(pool, names)) {
          gauge.set({ projection: name }, seconds);
        }
      },
    );
    metrics.gauge('payments_mismatched', 'Payments with a status mismatch', [], async (gauge) => {
      const { rows } = await pool.query<{ payments: number }>(MISMATCHED);
      gauge.set(rows[0]?.payments ?? 0);
    });
  }
}
