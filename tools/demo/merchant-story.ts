import { hasBrowser, launchBrowser, waitFor } from '#testing';
import { CARDS } from '../stack/payer.js';
import { type Answer, Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { sellerDetails, sendPapers, signInBrowser, signOverHttp } from '../stack/seller.js';
import { orderIs, payerIs, tryCard } from './pay.js';
import { newReference } from './story.js';
import { noteIn, type StoryParts, narrateWhile, WAIT } from './narration.js';

interface MerchantView {
  readonly companyId: string | null;
  readonly orders: { readonly enabled: boolean };
  readonly missing: { readonly items: readonly string[] } | null;
}

const sign = async (link: string, companyId: string): Promise<void> => {
  if (!hasBrowser()) return signOverHttp(link, companyId);
  const browser = await launchBrowser();
  try {
    await signInBrowser(await browser.context.newPage(), link, companyId);
  } finally {
    await browser.close();
  }
};

/** The onboarding of a merchant, as the platform sees it. */
class Onboarding {
  private readonly platform: Platform;

  constructor(
    private readonly parts: StoryParts,
    readonly merchantId: string,
    platform: Platform,
  ) {
    this.platform = platform;
  }

  async until(isSo: (merchant: MerchantView) => boolean): Promise<MerchantView> {
    return waitFor(async () => {
      const { body } = await this.platform.surely('GET', this.path());
      const merchant = body as unknown as MerchantView;
      return isSo(merchant) ? merchant : null;
    }, WAIT);
  }

  order(): Promise<Answer> {
    return this.platform.surely('POST', '/v1/orders', {
      merchantId: this.merchantId,
      reference: newReference(),
      amountMinor: 1_900,
      currency: 'eur',
      capture: { policy: 'automatic' },
    });
  }

  async sendPapers(): Promise<void> {
    const { apiUrl, apiKey } = this.parts;
    await sendPapers(apiUrl, apiKey, this.merchantId);
  }

  async sign(companyId: string): Promise<void> {
    const { body } = await this.platform.surely('POST', this.path('/subscription-link'));
    await sign(String(body['link']), companyId);
    await this.refresh();
  }

  /**
   * Requests an immediate read of the company, because the next poll of its status may be a day
   * away.
   */
  async refresh(): Promise<void> {
    await this.platform.surely('POST', this.path('/refresh'));
  }

  /** Pays an order on its payment page, and waits until the order is paid. */
  async pay(orderId: string): Promise<void> {
    await tryCard(this.platform, orderId, CARDS.plain);
    await orderIs(this.platform, orderId, 'paid');
  }

  private path(more = ''): string {
    return `/v1/merchants/${this.merchantId}${more}`;
  }
}

/** Onboards a merchant from its draft to its first order; returns the closing line. */
const walk = async (onboarding: Onboarding, parts: StoryParts): Promise<string> => {
  const note = noteIn(parts);
  const { companyId } = await onboarding.until((merchant) => merchant.companyId !== null);
  const refused = await onboarding.order();
  if (refused.status !== 409)
    throw new Error('an order was accepted before the merchant was available; it must be rejected');
  note(`an order for the merchant is rejected: ${String(refused.body['detail'])}`);
  note('the documents of the merchant are uploaded to the provider');
  await onboarding.sendPapers();
  await onboarding.until(({ missing }) => missing?.items.join() === 'signature');
  note(`the merchant signs on the subscription page (${payerIs()})`);
  await onboarding.sign(companyId ?? '');
  note("the sandbox's clock moves on by two days, for the provider's review");
  await new Sandbox(parts.sandboxUrl, '').advance('P2D');
  await onboarding.refresh();
  await onboarding.until(({ orders }) => orders.enabled);
  const { status, body } = await onboarding.order();
  if (status !== 201)
    throw new Error(`an order for the available merchant was rejected: ${String(body['detail'])}`);
  note('an order for the merchant is accepted now, and paid by card');
  await onboarding.pay(String(body['id']));
  return `The merchant accepts orders: ${onboarding.merchantId}`;
};

/**
 * Onboards one merchant and prints its events: drafted, registered, documents sent, contract
 * signed, two days of review, keys fetched. Before that, an order for the merchant is refused with
 * the reason; afterwards an order is accepted and paid. Returns whether all steps succeeded.
 */
export const runMerchantStory = async (parts: StoryParts): Promise<boolean> => {
  const { say, apiUrl, apiKey } = parts;
  const platform = new Platform([apiUrl], apiKey, '');
  const { status, body } = await platform.surely('POST', '/v1/merchants', {
    reference: newReference(),
    mode: 'test',
    details: sellerDetails(),
  });
  if (status !== 201) {
    say(`\n  The merchant was refused: ${String(body['detail'])}`);
    return false;
  }
  const id = String(body['id']);
  const onboarding = new Onboarding(parts, id, platform);
  return narrateWhile(parts, { path: `/v1/merchants/${id}/events` }, () => walk(onboarding, parts));
};
