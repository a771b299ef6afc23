/** Gives the api a merchant's key at the provider; a second time it is known already. */
export function registerAccount(account: {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly merchantId: string;
  /** The merchant's test key at the provider. */
  readonly providerKey: string;
}): Promise<void>;
