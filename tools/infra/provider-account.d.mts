/** Registers a merchant's provider key through the api; repeating it changes nothing. */
export function registerAccount(account: {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly merchantId: string;
  /** The merchant's test key at the provider. */
  readonly providerKey: string;
}): Promise<void>;
