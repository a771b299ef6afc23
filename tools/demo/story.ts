import { randomText } from '#kernel';
import { waitFor } from '#testing';
import { CARDS } from '../stack/payer.js';
import { Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { shipmentIs } from './fulfilment.js';
import { pageOf, pay, payerIs } from './pay.js';
import { noteIn, type StoryParts, tellWhile, WAIT } from './telling.js';

const STEP_OF_CLOCK = 'PT6H';
const MAX_CLOCK_STEPS = 12;

/** In letters too: digits alone may look like a card number by chance, and are refused. */
export const newReference = (): string => `demo-${Date.now().toString(36)}-${randomText(4)}`;

/** The clearing day, quarter by quarter, until the provider says captured. */
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
  throw new Error(`${orderId} was not captured after ${MAX_CLOCK_STEPS} times ${STEP_OF_CLOCK}`);
};

/**
 * Sees one order through and tells it as it happens: placed, paid by card with 3-D Secure, captured
 * as far as the provider can the same day, then the clock moved until `captured`. Answers the order
 * (`ord_…`), or null where it did not go through; what stood in the way is told.
 */
export const tellStory = async (parts: StoryParts): Promise<string | null> => {
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
  const wentThrough = await tellWhile(
    parts,
    { path: `/v1/orders/${orderId}/events` },
    async (told) => {
      const { id, pageUrl } = await pageOf(platform, orderId);
      await waitFor(() => told.has('IntentCreated'), WAIT);
      note(`the payer types a test card and approves at the bank (${payerIs()})`);
      await pay(pageUrl, CARDS.threeDSecure);
      await platform.pageFinished(id);
      await waitFor(() => told.has('OrderPaid'), WAIT);
      note("the sandbox's clock moves on, through the clearing of the day");
      await moveUntilCaptured(platform, new Sandbox(sandboxUrl, ''), orderId);
      await waitFor(() => told.has('PaymentCaptured'), WAIT);
      await shipmentIs(parts, orderId, 'shipped');
      note('the fulfilment service has read it from Kafka: shipped');
      return `The order went the whole way: ${orderId}`;
    },
  );
  return wentThrough ? orderId : null;
};
