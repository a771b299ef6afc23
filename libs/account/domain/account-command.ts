import type { Instant } from '#kernel';
import type { AccountTerms, KeyProof } from './account-event.js';

export type AccountCommand =
  | ({
      readonly type: 'RegisterAccount';
      /** The merchant's first account, which replaces no other. */
      readonly isFirst: boolean;
      readonly notBefore: Instant | null;
      readonly at: Instant;
    } & AccountTerms)
  | {
      readonly type: 'ApproveAccount';
      /** The delay between approval and first order, in which the approval can be withdrawn. */
      readonly coolingOffMs: number;
      readonly at: Instant;
    }
  | ({ readonly type: 'RotateKey'; readonly at: Instant } & KeyProof)
  /** Before orders use it: they continue as if it had not been registered. */
  | { readonly type: 'WithdrawAccount'; readonly at: Instant }
  | { readonly type: 'DisableAccount'; readonly at: Instant };
