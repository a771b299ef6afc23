import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore, type SagaRef, WaitingSagas } from '#log';
import { WorkLoop } from '#jobs';
import { ORCHESTRATION } from '#orchestrator';
import { type Logger, LOGGER, Metrics } from '#platform';
import { Loops } from '../loops.js';

const AT_ONCE = 8;
/**
 * The sagas of this release; reactions of any other saga are left to the processes of a newer
 * release.
 */
const KNOWN = ORCHESTRATION.sagas.map(({ name }) => name);
/**
 * The polling intervals, in milliseconds. No notification wakes the poller when a retry becomes
 * due.
 */
const IDLE_MS = { first: 250, longest: 2_000 };

/** Retries failed saga reactions when they are due, in any worker. */
@Injectable()
export class ReactionRetriesProcess {
  constructor(
    pool: Pool,
    store: EventStore,
    loops: Loops,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    const waiting = new WaitingSagas(pool);
    const retries = new WorkLoop<SagaRef>({
      name: 'reaction retries',
      logger,
      width: AT_ONCE,
      idleMs: IDLE_MS,
      claim: (limit) => waiting.claim(limit, KNOWN),
      run: ({ saga, key }) => store.retryReactions(saga, key),
    });
    loops.add(retries);
    metrics.gauge(
      'sagas_waiting',
      'Saga instances with a failed reaction, by whether they are retried or blocked',
      ['saga', 'state'],
      async (gauge) => {
        for (const { saga, retrying, blocked } of await waiting.counts()) {
          gauge.set({ saga, state: 'retrying' }, retrying);
          gauge.set({ saga, state: 'blocked' }, blocked);
        }
      },
    );
  }
}
