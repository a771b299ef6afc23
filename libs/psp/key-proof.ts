import type { KnownAccount } from './account-rows.js';
import type { Payments, WebhookEndpoint } from './port.js';
import { ProviderRejected } from './provider-error.js';

/**
 * An object of the provider that was created with an account's old key and can be read with the new
 * key.
 */
export interface KeyProof {
  readonly provenBy: 'webhook_endpoint' | 'payment_intent';
  /** The provider's id of the object. */
  readonly objectId: string;
}

/**
 * An intent that was created with an account's key; `reference` is our id, which the intent
 * carries.
 */
export interface MadeIntent {
  readonly intentId: string;
  readonly reference: string;
}

/** Reads with the new key, whose account must be proven. */
export interface KeyReads {
  readonly payments: Pick<Payments, 'getIntent'>;
  /** All webhook endpoints that the new key shows. */
  readonly endpoints: readonly WebhookEndpoint[];
  /** The newest intent that was created with an account's key; null if none is known. */
  readonly latestIntentOf: (accountId: string) => Promise<MadeIntent | null>;
}

/**
 * The proof by the webhook endpoint: only the account's own endpoint has both its id and its
 * secret.
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
 * The proof by an intent. Throws a `ProviderError` if the provider does not show whether the key
 * can read the intent.
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
 * Proves that a new key belongs to the same account at the provider as the account's known key. The
 * provider does not show which account a key belongs to, but a key reads only objects of its own
 * account.
 */
export const proveSame = async (account: KnownAccount, reads: KeyReads): Promise<KeyProof | null> =>
  byEndpoint(account, reads.endpoints) ?? byIntent(account, reads);
