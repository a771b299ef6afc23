import { newId } from '#kernel';
import type { PaymentFacts, ShownIntent } from '../facts.js';
import { type Payments, readPayment, wholeCapture } from '../port.js';
import { type Arranged, intentOf } from './arranged.js';

/** The provider's rejection of an operation that is not possible in the current status. */
export const CONFLICT = { kind: 'rejected', status: 409 };

/** Functions that bring a payment into the status in which a test begins. */
export const scenesOf = (arranged: () => Arranged) => {
  const ask = (): Payments => arranged().client.payments;
  const create = (reference = newId('pay')): Promise<ShownIntent> =>
    ask().createIntent(intentOf(reference));
  const authorized = async (): Promise<ShownIntent> => {
    const intent = await create();
    await arranged().payByCard(intent.pageUrl);
    return ask().getIntent(intent.intentId);
  };
  const sent = async (): Promise<ShownIntent> => {
    const { intentId } = await authorized();
    await ask().captureIntent(intentId, wholeCapture(newId('cap')));
    await arranged().untilSent();
    return ask().getIntent(intentId);
  };
  const read = (intentId: string): Promise<PaymentFacts> => readPayment(ask(), intentId);
  return { payments: ask, create, authorized, sent, read };
};
