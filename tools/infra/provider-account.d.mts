/** Registers a merchant's key at the provider with the api; a repetition changes nothing. */
export function registerAccount(account: {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly merchantId: string;
  /** The merchant's test key at the provider. */
  readonly providerKey: string;
}): Promise<void>;
