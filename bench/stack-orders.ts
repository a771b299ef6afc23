import { randomUUID } from 'node:crypto';
import { assert, newId } from '#kernel';
import type { Stack } from '../tools/stack/stack.js';
import { call, follow, type Laps } from './payer.js';

/**
 * A test card without 3-D Secure, so that an authentication by the payer is not part of the
 * measurement.
 */
const CARD = {
  number: '9999000000000079',
  expMonth: 12,
  expYear: 2035,
  cvc: '123',
  name: 'Ada Lovelace',
};

export const apiUrlOf = ({ apis: [api] }: Stack): string => {
  assert(api, 'the stack has an api');
  return api.url;
};

/** Runs one order from placed to paid, as a platform and a payer do. */
export const payOrder = async (stack: Stack, laps: Laps): Promise<void> => {
  const lap = laps.begin();
  const key = { authorization: `Bearer ${stack.apiKey}` };
  const once = () => ({ ...key, 'idempotency-key': randomUUID() });
  const order = await call('POST', `${apiUrlOf(stack)}/v1/orders`, once(), {
    merchantId: stack.merchantId,
    reference: newId('ref'),
    amountMinor: 1250,
    currency: 'eur',
    capture: { policy: 'automatic' },
    methods: ['card'],
  });
  lap('place');
  const events = follow(`${apiUrlOf(stack)}/v1/orders/${String(order['id'])}/events`, key);
  try {
    const { pageUrl } = await events.until('IntentCreated');
    lap('page ready');
    const outcome = await call('POST', `${String(pageUrl)}/card`, {}, CARD);
    if (outcome['next'] === 'confirm') await call('POST', `${String(pageUrl)}/confirm`, {}, {});
    lap('pay');
    const { paymentId } = await events.until('OrderPaymentStarted');
    const refreshUrl = `${apiUrlOf(stack)}/v1/payments/${String(paymentId)}/refresh`;
    await call('POST', refreshUrl, once(), { pageCompleted: true });
    lap('refresh');
    await events.until('OrderPaid');
    lap('paid');
  } finally {
    events.end();
  }
};
