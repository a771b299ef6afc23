import { Pool } from 'pg';
import { AssertionFailed, type Instant } from '#kernel';
import {
  EventStore,
  MAX_REACTION_ATTEMPTS,
  PostgresLog,
  type Saga,
  untraced,
  upcastersOf,
} from '#log';
import { orderAggregate } from '#order';
import { CHECKOUT_SAGA, checkoutInStep } from '#sagas';
import type { Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import type { StoryParts } from './narration.js';
import { pageOf } from './pay.js';
import { newReference } from './story.js';

const BUG = 'the payment of a canceled order has one intent';

/** The checkout saga of a release with a bug. */
const faultyCheckout = {
  ...(checkoutInStep as Saga),
  react: () => Promise.reject(new AssertionFailed(BUG)),
};

/**
 * Cancels an order in a release whose checkout saga has a bug, so that the order's payment stays
 * open. A retry of the reaction in the demo's release, which lacks the bug, succeeds.
 */
export const leaveFailedReaction = async (
  { databaseUrl, sandboxUrl }: Pick<StoryParts, 'databaseUrl' | 'sandboxUrl'>,
  platform: Platform,
): Promise<void> => {
  const { body } = await platform.place({
    reference: newReference('bag'),
    amountMinor: 7_900,
    description: 'A linen bag',
    capture: { policy: 'automatic' },
  });
  const orderId = String(body['id']);
  await pageOf(platform, orderId);
  const now = (await new Sandbox(sandboxUrl, '').now()) as Instant;
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const reactions = { sagas: [faultyCheckout], clock: { now: () => now } };
    const upcasters = upcastersOf([orderAggregate]);
    const store = new EventStore(new PostgresLog(pool), upcasters, reactions);
    await store.execute(
      orderAggregate,
      orderId,
      { type: 'RequestCancellation', at: now },
      untraced(orderId, 'demo', 'platform:demo'),
    );
    for (let attempts = 1; attempts < MAX_REACTION_ATTEMPTS; attempts += 1) {
      await store.retryReactions(CHECKOUT_SAGA, orderId);
    }
  } finally {
    await pool.end();
  }
};
