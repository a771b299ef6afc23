import type { WirePayment, WirePaymentIntent, WireRefund } from '#psp-hosted';
import { readPayment } from './provider-reading.js';

const intent = (status: string) =>
  ({ id: 'pi_1', status, payment: 'paym_1', amount: 900, currency: 'eur', url: 'https://p' });
const attempt = (status: string) => ({ id: 'paym_1', status, method: 'sepa', created: 1 });

const read = (ofIntent: string, ofAttempt: string) => readPayment({
  getIntent: async () => intent(ofIntent) as WirePaymentIntent,
  listIntentPayments: async () => [attempt(ofAttempt) as WirePayment],
  listIntentRefunds: async () => [] as WireRefund[],
  listIntentDisputes: async () => [],
}, 'pi_1');

test.each([
  ['processing', 'to_capture', 'processing', null],
  ['processing', 'capture_sent', 'capture_sent', []],
  ['processing', 'captured', 'capture_sent', []],
  ['capture_sent', 'capture_sent', 'capture_sent', []],
  ['captured', 'captured', 'captured', []],
])('an intent that is %s with an attempt that is %s is %s to us', async (
  ofIntent, ofAttempt, status, refunds,
) => {
  const seen = await read(ofIntent, ofAttempt);
  expect([seen.intent.status, seen.refunds]).toEqual([status, refunds]);
});
