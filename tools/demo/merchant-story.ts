import { hasBrowser, launchBrowser } from '#testing';
import { CARDS } from '../stack/payer.js';
import type { Answer } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { sellerDetails, signInBrowser, signOverHttp } from '../stack/seller.js';
import { noteIn, type StoryParts, narrateWhile } from './narration.js';
import { draftMerchant, Onboarding } from './onboarding.js';
import { orderIs, payerIs, tryCard } from './pay.js';
import { newReference } from './story.js';

const sign = async (link: string, companyId: string): Promise<void> => {
  if (!hasBrowser()) return signOverHttp(link, companyId);
  const browser = await launchBrowser();
  try {
    await signInBrowser(await browser.context.newPage(), link, companyId);
  } finally {
    await browser.close();
  }
};

const placeOrder = ({ platform, merchantId }: Onboarding): Promise<Answer> =>
  platform.surely('POST', '/v1/orders', {
    merchantId,
    reference: newReference(),
    amountMinor: 1_900,
    currency: 'eur',
    capture: { policy: 'automatic' },
  });

/** Onboards a merchant from its draft to its first order; returns the closing line. */
const walk = async (onboarding: Onboarding, parts: StoryParts): Promise<string> => {
  const note = noteIn(parts);
  const companyId = await onboarding.registered();
  const refused = await placeOrder(onboarding);
  if (refused.status !== 409)
    throw new Error('an order was accepted before the merchant was available; it must be rejected');
  note(`an order for the merchant is rejected: ${String(refused.body['detail'])}`);
  note('the documents of the merchant are uploaded to the provider');
  await onboarding.sendPapers();
  note(`the merchant signs on the subscription page (${payerIs()})`);
  await onboarding.sign(companyId, sign);
  note("the sandbox's clock moves on by two days, for the provider's review");
  await new Sandbox(parts.sandboxUrl, '').advance('P2D');
  await onboarding.refresh();
  await onboarding.until(({ orders }) => orders.enabled);
  const { status, body } = await placeOrder(onboarding);
  if (status !== 201)
    throw new Error(`an order for the available merchant was rejected: ${String(body['detail'])}`);
  note('an order for the merchant is accepted now, and paid by card');
  const orderId = String(body['id']);
  await tryCard(onboarding.platform, orderId, CARDS.plain);
  await orderIs(onboarding.platform, orderId, 'paid');
  return `The merchant accepts orders: ${onboarding.merchantId}`;
};

/**
 * Onboards one merchant and prints the events: drafted, registered, documents uploaded, contract
 * signed, reviewed for two days, keys fetched. At first an order for the merchant is refused with
 * the reason; at the end an order is accepted and paid. Returns whether all steps succeeded.
 */
export const runMerchantStory = async (parts: StoryParts): Promise<boolean> => {
  const { status, body } = await draftMerchant(parts, sellerDetails());
  if (status !== 201) {
    parts.say(`\n  The merchant was refused: ${String(body['detail'])}`);
    return false;
  }
  const id = String(body['id']);
  const onboarding = new Onboarding(parts, id);
  return narrateWhile(parts, { path: `/v1/merchants/${id}/events` }, () => walk(onboarding, parts));
};
