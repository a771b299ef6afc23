import { waitFor } from '#testing';
import { type Answer, Platform } from '../stack/platform.js';
import { sendPapers, signOverHttp } from '../stack/seller.js';
import { type StoryParts, WAIT } from './narration.js';
import { newReference } from './story.js';

interface MerchantView {
  readonly companyId: string | null;
  readonly orders: { readonly enabled: boolean };
  readonly missing: { readonly items: readonly string[] } | null;
}

/** The api's URL, and the API key of the merchant's platform. */
type At = Pick<StoryParts, 'apiUrl' | 'apiKey'>;

export const draftMerchant = (
  { apiUrl, apiKey }: At,
  details: object,
  reference = newReference(),
): Promise<Answer> =>
  new Platform([apiUrl], apiKey, '').surely('POST', '/v1/merchants', {
    reference,
    mode: 'test',
    details,
  });

/** Onboards a merchant by the requests that a platform sends. */
export class Onboarding {
  readonly platform: Platform;

  constructor(
    private readonly parts: At,
    readonly merchantId: string,
  ) {
    this.platform = new Platform([parts.apiUrl], parts.apiKey, '');
  }

  async until(isSo: (merchant: MerchantView) => boolean): Promise<MerchantView> {
    return waitFor(async () => {
      const { body } = await this.platform.surely('GET', this.path());
      const merchant = body as unknown as MerchantView;
      return isSo(merchant) ? merchant : null;
    }, WAIT);
  }

  /** Waits until the provider has registered the company; returns its id. */
  async registered(): Promise<string> {
    const { companyId } = await this.until((merchant) => merchant.companyId !== null);
    return companyId ?? '';
  }

  /** Uploads all documents, and waits until only the signature is missing. */
  async sendPapers(): Promise<void> {
    const { apiUrl, apiKey } = this.parts;
    await sendPapers(apiUrl, apiKey, this.merchantId);
    await this.until(({ missing }) => missing?.items.join() === 'signature');
  }

  /**
   * Signs the contract by the function `signBy`. By default the contract is signed without a
   * browser.
   */
  async sign(companyId: string, signBy = signOverHttp): Promise<void> {
    const { body } = await this.platform.surely('POST', this.path('/subscription-link'));
    await signBy(String(body['link']), companyId);
    await this.refresh();
  }

  /**
   * Requests an immediate read of the company, because the next poll of its status may be a day
   * away.
   */
  async refresh(): Promise<void> {
    await this.platform.surely('POST', this.path('/refresh'));
  }

  private path(more = ''): string {
    return `/v1/merchants/${this.merchantId}${more}`;
  }
}
