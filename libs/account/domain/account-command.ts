import type { Dated, Instant } from '#kernel';
import type { AccountTerms, KeyProof } from './account-event.js';

export type AccountCommand = Dated<
  | ({
      readonly type: 'RegisterAccount';
      /**
       * Whether the account is the merchant's first account. Any further account replaces the
       * merchant's current account only after approval.
       */
      readonly isFirst: boolean;
      readonly notBefore: Instant | null;
    } & AccountTerms)
  | {
      readonly type: 'ApproveAccount';
      /**
       * The cooling-off period between the approval of an account and its first use by orders. In
       * this period the account can still be withdrawn.
       */
      readonly coolingOffMs: number;
    }
  | ({ readonly type: 'RotateKey' } & KeyProof)
  /** Withdraws an account before orders use it, as if it had not been registered. */
  | { readonly type: 'WithdrawAccount' }
  | { readonly type: 'DisableAccount' }
>;
