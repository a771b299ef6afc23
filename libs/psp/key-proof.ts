import type { KnownAccount } from './account-rows.js';
import type { Payments, WebhookEndpoint } from './port.js';
import { ProviderRejected } from './provider-error.js';

/**
 * An object of the provider that was created with the old API key of an account and can be read
 * with the new key.
 */
export interface KeyProof {
  readonly provenBy: 'webhook_endpoint' | 'payment_intent';
  /** The provider's id of the object. */
  readonly objectId: string;
}

/** An intent that was created with the key of an account; `reference` is the id of our payment. */
export interface MadeIntent {
  readonly intentId: string;
  readonly reference: string;
}

/** Reads with the new API key, before it is proven to which account the key belongs. */
export interface KeyReads {
  readonly payments: Pick<Payments, 'getIntent'>;
  /** All webhook endpoints that can be read with the new key. */
  readonly endpoints: readonly WebhookEndpoint[];
  /** The newest intent that was created with an account's key; null if none is known. */
  readonly latestIntentOf: (accountId: string) => Promise<MadeIntent | null>;
}

/**
 * The proof by a webhook endpoint: only a key of the account can read the endpoint's id together
 * with the endpoint's secret.
 */
const byEndpoint = (
  { endpoint }: KnownAccount,
  endpoints: readonly WebhookEndpoint[],
): KeyProof | null => {
  const isSeen =
    endpoint !== null &&
    endpoints.some(({ id, secret }) => id === endpoint.id && secret === endpoint.secret);
  return isSeen ? { provenBy: 'webhook_endpoint', objectId: endpoint.id } : null;
};

/**
 * The proof by an intent: the new key can read the intent. Throws a `ProviderError` if the read
 * fails for a reason that neither proves nor disproves this.
 */
const byIntent = async (
  { id }: KnownAccount,
  { payments, latestIntentOf }: KeyReads,
): Promise<KeyProof | null> => {
  const made = await latestIntentOf(id);
  if (made === null) return null;
  try {
    const intent = await payments.getIntent(made.intentId);
    return intent.reference === made.reference
      ? { provenBy: 'payment_intent', objectId: made.intentId }
      : null;
  } catch (error) {
    if (error instanceof ProviderRejected && error.status === 404) return null;
    throw error;
  }
};

/**
 * Proves that a new API key belongs to the same account at the provider as the known key. The
 * provider does not show to which account a key belongs, but a key can read only the objects of its
 * own account.
 */
export const proveSame = async (account: KnownAccount, reads: KeyReads): Promise<KeyProof | null> =>
  byEndpoint(account, reads.endpoints) ?? byIntent(account, reads);
