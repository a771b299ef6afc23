import { registerAccount } from '../infra/provider-account.mjs';
import { Platform } from '../stack/platform.js';
import { newProviderKey } from '../stack/provider-key.js';
import { Sandbox } from '../stack/sandbox.js';
import type { Stack } from '../stack/stack.js';

/** A second merchant of the same platform, with a separate provider account. */
export interface SecondMerchant {
  readonly platform: Platform;
  /** The provider's API with the key of the merchant's account. */
  readonly provider: Sandbox;
}

const MERCHANT_ID = 'books-second-merchant';

/** Creates the merchant's account at the provider and registers it at the api. */
export const addSecondMerchant = async (stack: Stack): Promise<SecondMerchant> => {
  const { apis, apiKey, sandbox } = stack;
  const urls = apis.map(({ url }) => url);
  const [apiUrl = ''] = urls;
  const providerKey = await newProviderKey(stack);
  await registerAccount({ apiUrl, apiKey, merchantId: MERCHANT_ID, providerKey });
  return {
    platform: new Platform(urls, apiKey, MERCHANT_ID),
    provider: new Sandbox(sandbox.url, providerKey),
  };
};

/** The number of payments in the merchant's account at the provider, on all pages. */
export const paymentsAtProvider = async ({ provider }: SecondMerchant): Promise<number> => {
  for (let read = 0; ;) {
    const page = await provider.api('GET', `/v2/payments?start=${read}&limit=100`);
    read += (page['payments'] as readonly unknown[]).length;
    if (!(page['range'] as { readonly has_more: boolean }).has_more) return read;
  }
};
