import { assert, DAY_MS, type Instant, instantFromMs, newId, plusMs, randomText } from '#kernel';
import type { EventStore } from '#log';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';

const MONEY = { amountMinor: 1_250, currency: 'eur' } as const;

/** `requested`: without an intent. `open`: the payer's bank has declined an attempt. */
export type Status = 'requested' | 'open' | 'authorized' | 'capture_sent' | 'captured';

interface ObservedOrder {
  readonly orderId: string;
  readonly intentId: string;
  readonly accountId: string;
  readonly status: Status;
  readonly policy: 'automatic' | 'manual';
}

const CARD = { method: 'card', brand: 'visa', last4: '0012', country: 'FR' } as const;

const observationOf = ({ intentId, status }: ObservedOrder, reference: string, at: Instant) => ({
  intent: { intentId, reference, pageUrl: 'https://pay.test/p', status, ...MONEY },
  attempts: [
    {
      attemptId: newId('paym'),
      ...(status === 'open' ? { status: 'refused', response: '51' } : { status, response: '00' }),
      method: 'card' as const,
      methodDetails: { ...CARD, authentication: 'succeeded' as const },
      authorizedUntil: plusMs(at, 7 * DAY_MS),
      mandateId: null,
    },
  ],
  refunds: [],
  disputes: [],
});

/** Places an order and records this status for the order's payment; returns the payment's id. */
export const observedPayment = (store: EventStore, observed: ObservedOrder): Promise<string> => {
  const { orderId } = observed;
  const at = instantFromMs(Date.now());
  const metadata = {
    correlationId: orderId,
    causationId: 'spec',
    actor: 'platform:shop',
    traceparent: null,
  };
  return store.step(metadata, async (step) => {
    step.create(orderAggregate, orderId, {
      type: 'PlaceOrder',
      ...MONEY,
      platformId: 'shop',
      accountId: observed.accountId,
      methods: ['card'],
      returnUrl: null,
      description: null,
      merchantId: 'm1',
      reference: randomText(12),
      capture: { policy: observed.policy },
      metadata: {},
      expiresAt: instantFromMs(Date.now() + 3_600_000),
      at,
    });
    // The checkout saga requests the payment.
    await step.react();
    const order = await step.load(orderAggregate, orderId);
    assert(order.status === 'open', 'an order that was placed is open');
    const [id = ''] = order.payments;
    if (observed.status === 'requested') return id;
    await step.execute(paymentAggregate, id, {
      type: 'ObservePayment',
      paymentId: id,
      observation: observationOf(observed, id, at),
      at,
    });
    return id;
  });
};
