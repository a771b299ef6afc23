import { Pool } from 'pg';
import { type Instant, newId } from '#kernel';
import { EventStore, PostgresLog, untraced, upcastersOf } from '#log';
import { paymentAggregate } from '#payment';
import { Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import type { StoryParts } from './narration.js';
import { leaveAuthorization } from './open-captures.js';

const ORDERED_MINOR = 21_000;
const DELIVERED_MINOR = 12_000;

/**
 * Leaves a rejected partial capture. The sandbox's provider captures whole amounts only, so the
 * capture is requested and rejected as if by a provider that captures parts. Another capture, of
 * the whole amount, succeeds.
 */
export const leaveRejectedCapture = async (parts: StoryParts): Promise<void> => {
  const { apiUrl, apiKey, merchantId, sandboxUrl, databaseUrl } = parts;
  const orderId = await leaveAuthorization(parts, ['lamps', 'Three lamps', ORDERED_MINOR]);
  const { payment } = await new Platform([apiUrl], apiKey, merchantId).read(orderId);
  const paymentId = payment?.id ?? '';
  const at = (await new Sandbox(sandboxUrl, '').now()) as Instant;
  const captureId = newId('cap');
  const reason = '422 amount: the rest of the authorization is too small';
  const can = { partialCapture: true, multipleCapture: false };
  const part = { amountMinor: DELIVERED_MINOR, can };
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  try {
    // No saga reacts to the two events.
    const reactions = { sagas: [], clock: { now: () => at } };
    const upcasters = upcastersOf([paymentAggregate]);
    const store = new EventStore(new PostgresLog(pool), upcasters, reactions);
    // In one step, because a worker would try to send a capture that is only requested.
    await store.step(untraced(orderId, 'demo', 'platform:demo'), async (step) => {
      const capture = { type: 'RequestCapture', captureId, by: 'platform', part, at } as const;
      await step.execute(paymentAggregate, paymentId, capture);
      const rejection = { type: 'RejectCapture', captureId, reason, at } as const;
      await step.execute(paymentAggregate, paymentId, rejection);
    });
  } finally {
    await pool.end();
  }
};
