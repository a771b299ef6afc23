import type { Instant } from '#kernel';
import type { AccountTerms, KeyProof } from './account-event.js';

export type AccountCommand =
  | ({
      readonly type: 'RegisterAccount';
      /** Whether this is the merchant's first account, which replaces no other. */
      readonly isFirst: boolean;
      readonly notBefore: Instant | null;
      readonly at: Instant;
    } & AccountTerms)
  | {
      readonly type: 'ApproveAccount';
      /**
       * The time between approval and first use by orders, in which the approval can be withdrawn.
       */
      readonly coolingOffMs: number;
      readonly at: Instant;
    }
  | ({ readonly type: 'RotateKey'; readonly at: Instant } & KeyProof)
  /** Withdraws an account before orders use it, as if it had not been registered. */
  | { readonly type: 'WithdrawAccount'; readonly at: Instant }
  | { readonly type: 'DisableAccount'; readonly at: Instant };
