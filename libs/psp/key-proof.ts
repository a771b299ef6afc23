import type { KnownAccount } from './account-rows.js';
import type { Payments, WebhookEndpoint } from './port.js';
import { ProviderRejected } from './provider-error.js';

/**
 * An object of the provider that was created with an account's old key, and read with the new one.
 */
export interface KeyProof {
  readonly provenBy: 'webhook_endpoint' | 'payment_intent';
  /** The provider's id of it. */
  readonly objectId: string;
}

/** An intent that was created with an account's key; `reference` is ours, which it carries. */
export interface MadeIntent {
  readonly intentId: string;
  readonly reference: string;
}

/** The objects that the key to be proven shows. */
export interface KeyReads {
  readonly payments: Pick<Payments, 'getIntent'>;
  /** All objects that it shows. */
  readonly endpoints: readonly WebhookEndpoint[];
  /** The newest intent that was created with an account's key; null: none is known. */
  readonly latestIntentOf: (accountId: string) => Promise<MadeIntent | null>;
}

/** The secret, too: only the account's own endpoint has both. */
const byEndpoint = (
  { endpoint }: KnownAccount,
  endpoints: readonly WebhookEndpoint[],
): KeyProof | null => {
  const isSeen =
    endpoint !== null &&
    endpoints.some(({ id, secret }) => id === endpoint.id && secret === endpoint.secret);
  return isSeen ? { provenBy: 'webhook_endpoint', objectId: endpoint.id } : null;
};

/** Throws a `ProviderError` where the provider does not answer whether it has the intent. */
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
 * Whether a new key opens the same account at the provider as the account's known key. The provider
 * names no accounts, and a key reads only objects of its own account.
 */
export const proveSame = async (account: KnownAccount, reads: KeyReads): Promise<KeyProof | null> =>
  byEndpoint(account, reads.endpoints) ?? byIntent(account, reads);
