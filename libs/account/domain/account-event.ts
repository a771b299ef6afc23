import type { Dated, Instant } from '#kernel';

/**
 * The merchant and the platform whose orders use the account; fixed at the registration of the
 * account.
 */
export interface AccountTerms {
  /** The platform of the merchant. */
  readonly platformId: string;
  /** The merchant whose orders use the account. */
  readonly merchantId: string;
  /** The mode of the account's API key: `live` moves real money. */
  readonly mode: 'test' | 'live';
}

/**
 * An object that was created with the old key and can be read with the new key. The object proves
 * that both keys belong to the same provider account, because the provider's API does not show the
 * account's id.
 */
export interface KeyProof {
  /** The kind of the object that both keys can read. */
  readonly provenBy: 'webhook_endpoint' | 'payment_intent';
  /** The object's id at the provider. */
  readonly objectId: string;
}

/** No event contains an API key. */
export type AccountEvent = Dated<
  /** A merchant's account at the provider was registered, with its API key and its webhooks. */
  | ({
      readonly type: 'ProviderAccountRegistered';
      /**
       * The time from which new orders of the merchant use the account. Null if the merchant
       * already had an account: two operators must approve the new account first.
       */
      readonly ordersFrom: Instant | null;
      /**
       * New orders do not use the account before this time, even if the account is approved
       * earlier; null: no such limit.
       */
      readonly notBefore: Instant | null;
    } & AccountTerms)
  /** Operators approved the account for new orders; earlier orders keep their account. */
  | {
      readonly type: 'ProviderAccountApproved';
      /** The time from which new orders of the merchant use the account. */
      readonly ordersFrom: Instant;
    }
  /** The account's API key was replaced by another key of the same account. */
  | ({ readonly type: 'ProviderAccountKeyRotated' } & KeyProof)
  /** The account accepts no new orders; existing orders are completed with the account. */
  | { readonly type: 'ProviderAccountDisabled' }
>;
