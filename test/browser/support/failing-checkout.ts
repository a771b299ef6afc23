import type { Pool } from 'pg';
import { EventStore, MAX_REACTION_ATTEMPTS, PostgresLog, type Saga } from '#log';
import { AssertionFailed, instantFromMs } from '#kernel';
import { createLogger, Metrics } from '#platform';
import { ORCHESTRATION, UPCASTERS } from '#orchestrator';
import { CHECKOUT_SAGA } from '#sagas';
import { placeOrder } from '../../../apps/admin/place-order.fixture.js';
import { Loops } from '../../../apps/worker/loops.js';
import { ReactionRetriesProcess } from '../../../apps/worker/sagas/reaction-retries.process.js';

const clock = { now: () => instantFromMs(Date.now()) };

/** The message of the assertion with which the faulty checkout saga fails. */
export const BUG = 'the terms of the order are known';

/** The event store of a release whose checkout saga always fails. */
const storeWithBug = (pool: Pool): EventStore => {
  const sagas = ORCHESTRATION.sagas.map((saga): Saga =>
    saga.name === CHECKOUT_SAGA
      ? { ...saga, react: () => Promise.reject(new AssertionFailed(BUG)) }
      : saga,
  );
  return new EventStore(new PostgresLog(pool), UPCASTERS, { sagas, clock });
};

/**
 * An order that was placed while the checkout saga had a bug, so the saga's reaction to the order
 * has failed.
 */
export class FailingCheckout {
  private constructor(
    readonly orderId: string,
    private readonly pool: Pool,
    private readonly store: EventStore,
  ) {}

  static async placed(pool: Pool): Promise<FailingCheckout> {
    const store = storeWithBug(pool);
    const orderId = await placeOrder(store, {
      platformId: 'shop',
      merchantId: 'm1',
      accountId: 'acc_1',
      reference: 'A-1',
      amountMinor: 1_250,
    });
    return new FailingCheckout(orderId, pool, store);
  }

  /** Runs the automatic retries, all of which fail, so that the saga is blocked. */
  async block(): Promise<void> {
    for (let attempts = 1; attempts < MAX_REACTION_ATTEMPTS; attempts += 1) {
      await this.store.retryReactions(CHECKOUT_SAGA, this.orderId);
    }
  }

  /**
   * Starts the part of a worker that retries failed reactions, with the event store of a release
   * without the bug; returns the loops, which the caller stops.
   */
  fixed(store: EventStore): Loops {
    const logger = createLogger('worker', { level: 'silent' });
    const loops = new Loops();
    void new ReactionRetriesProcess(this.pool, store, loops, new Metrics(), logger);
    loops.onApplicationBootstrap();
    return loops;
  }
}
