import type { Instant } from '#kernel';

/** Which merchant's orders the account is for; fixed when it is registered. */
export interface AccountTerms {
  readonly platformId: string;
  readonly merchantId: string;
  readonly mode: 'test' | 'live';
}

/**
 * What was made with the old key, and read with the new one: so both open one account at the
 * provider, which says of no account what identifies it.
 */
export interface KeyProof {
  readonly provenBy: 'webhook_endpoint' | 'payment_intent';
  /** The provider's id of it. */
  readonly objectId: string;
}

/** No event holds a key. */
export type AccountEvent =
  | ({
      readonly type: 'ProviderAccountRegistered';
      /**
       * From when the merchant's orders use it. Null where another account was registered for the
       * merchant before: two people must approve that orders use this one.
       */
      readonly ordersFrom: Instant | null;
      /** Orders do not use it before this, whenever it is approved; null: any time. */
      readonly notBefore: Instant | null;
      readonly at: Instant;
    } & AccountTerms)
  /** New orders of the merchant use it from then on; older ones keep theirs. */
  | { readonly type: 'ProviderAccountApproved'; readonly ordersFrom: Instant; readonly at: Instant }
  | ({ readonly type: 'ProviderAccountKeyRotated'; readonly at: Instant } & KeyProof)
  /** No new orders; those that are there go on to their end. */
  | { readonly type: 'ProviderAccountDisabled'; readonly at: Instant };
