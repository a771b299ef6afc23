import type { Instant } from '#kernel';
import type { AccountTerms, KeyProof } from './account-event.js';

export type AccountCommand =
  | ({
      readonly type: 'RegisterAccount';
      /** No other account was registered for the merchant before, so none is replaced. */
      readonly isFirst: boolean;
      readonly notBefore: Instant | null;
      readonly at: Instant;
    } & AccountTerms)
  | {
      readonly type: 'ApproveAccount';
      /** Between the approval and the first order, so that whoever objects has time to. */
      readonly coolingOffMs: number;
      readonly at: Instant;
    }
  | ({ readonly type: 'RotateKey'; readonly at: Instant } & KeyProof)
  /** Before orders use it: they go on as if it had not been registered. */
  | { readonly type: 'WithdrawAccount'; readonly at: Instant }
  | { readonly type: 'DisableAccount'; readonly at: Instant };
