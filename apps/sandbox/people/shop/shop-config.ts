import { envInt, envOptional, envPort, envSecretOptional, envText } from '#platform';

/** The demo shop's settings. */
export interface ShopConfig {
  readonly host: string;
  readonly port: number;
  /** The base URL of the orchestrator's REST API, without a trailing slash. */
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly merchantId: string;
  /** The origin of the payment pages: the only site that the shop frames. */
  readonly paymentPageOrigin: string;
}

/**
 * Reads the environment. Null when `SHOP_API_URL` or `SHOP_API_KEY` is not set: the shop is then
 * disabled. Throws `ConfigError` with the name of the wrong setting.
 */
export const shopConfigFromEnv = (sandboxUrl: string): ShopConfig | null => {
  const apiUrl = envOptional('SHOP_API_URL');
  const apiKey = envSecretOptional('SHOP_API_KEY');
  if (apiUrl === undefined || apiKey === undefined) return null;
  const portBase = envInt('PORT_BASE', 4100, { min: 1024, max: 65_000 });
  return {
    host: envText('HOST', '127.0.0.1'),
    port: envPort('SHOP_PORT', portBase + 5),
    apiUrl: apiUrl.replace(/\/+$/, ''),
    apiKey,
    merchantId: envText('SHOP_MERCHANT_ID', 'demo-merchant'),
    paymentPageOrigin: new URL(sandboxUrl).origin,
  };
};
