import { randomText } from '#kernel';
import { waitFor } from '#testing';
import { CARDS } from '../stack/payer.js';
import { Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { shipmentIs } from './fulfilment.js';
import { pageOf, pay, payerIs } from './pay.js';
import { noteIn, type StoryParts, narrateWhile, WAIT } from './narration.js';

const STEP_OF_CLOCK = 'PT6H';
const MAX_CLOCK_STEPS = 12;

/** Matches the accents that are removed from letters, such as in `Café`. */
const ACCENTS = /\p{Diacritic}/gu;

/**
 * A new reference that begins with the given name. It contains letters, because the api rejects a
 * reference whose digits could be a card number.
 */
export const newReference = (name = 'demo'): string => {
  const words = name.normalize('NFD').replace(ACCENTS, '').toLowerCase().replaceAll(/\W+/g, '-');
  return `${words}-${name === 'demo' ? `${Date.now().toString(36)}-` : ''}${randomText(4)}`;
};

/** Advances the clock in steps until the provider's clearing has captured the payment. */
const moveUntilCaptured = async (
  platform: Platform,
  sandbox: Sandbox,
  orderId: string,
): Promise<void> => {
  for (let step = 0; step < MAX_CLOCK_STEPS; step += 1) {
    await sandbox.advance(STEP_OF_CLOCK);
    const { payment } = await platform.read(orderId);
    if (payment?.status === 'captured') return;
  }
  throw new Error(
    `the order ${orderId} was not captured after ${MAX_CLOCK_STEPS} clock steps of ${STEP_OF_CLOCK}`,
  );
};

/**
 * Takes one order to its capture and prints its events: placed, paid by card with 3-D Secure, and
 * captured at the provider's clearing. Returns the order's id. If the order fails, prints the
 * reason and returns null.
 */
export const runOrderStory = async (parts: StoryParts): Promise<string | null> => {
  const { apiUrl, apiKey, merchantId, sandboxUrl } = parts;
  const platform = new Platform([apiUrl], apiKey, merchantId);
  const note = noteIn(parts);
  const { body } = await platform.place({
    reference: newReference(),
    amountMinor: 4_250,
    capture: { policy: 'automatic' },
    description: 'A lamp and two bulbs',
    methods: ['card', 'sepa'],
  });
  const orderId = String(body['id']);
  const wentThrough = await narrateWhile(
    parts,
    { path: `/v1/orders/${orderId}/events` },
    async (seen) => {
      const { id, pageUrl } = await pageOf(platform, orderId);
      await waitFor(() => seen.has('IntentCreated'), WAIT);
      note(`the payer types a test card and approves at the bank (${payerIs()})`);
      await pay(pageUrl, CARDS.threeDSecure);
      await platform.pageCompleted(id);
      await waitFor(() => seen.has('OrderPaid'), WAIT);
      note("the sandbox's clock moves on until the provider clears the payment");
      await moveUntilCaptured(platform, new Sandbox(sandboxUrl, ''), orderId);
      await waitFor(() => seen.has('PaymentCaptured'), WAIT);
      await shipmentIs(parts, orderId, 'shipped');
      note('the fulfilment service has read the paid order from Kafka and shipped it');
      return `The order is paid, captured and shipped: ${orderId}`;
    },
  );
  return wentThrough ? orderId : null;
};
