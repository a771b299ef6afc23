import type { Dated, Instant } from '#kernel';
import type { AccountTerms, KeyProof } from './account-event.js';

export type AccountCommand = Dated<
  | ({
      readonly type: 'RegisterAccount';
      /**
       * Whether the account is the merchant's first account. A later account replaces the current
       * one only after approval.
       */
      readonly isFirst: boolean;
      readonly notBefore: Instant | null;
    } & AccountTerms)
  | {
      readonly type: 'ApproveAccount';
      /**
       * The time between approval and first use by orders, in which the approval can be withdrawn.
       */
      readonly coolingOffMs: number;
    }
  | ({ readonly type: 'RotateKey' } & KeyProof)
  /** Withdraws an account before orders use it, as if it had not been registered. */
  | { readonly type: 'WithdrawAccount' }
  | { readonly type: 'DisableAccount' }
>;
