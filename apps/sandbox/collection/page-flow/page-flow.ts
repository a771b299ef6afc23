import type { Instant } from '#kernel';
import type { CardInput } from '../cards/card-input.js';
import type { AuthStatus, IntentStatus } from '../payments/states.js';
import type { ShownAmount } from './shown-amount.js';

/**
 * A refusal as shown to the payer: a code that the specification marks (M) is replaced by the
 * generic `05`.
 */
export interface MaskedRefusal {
  readonly maskedCode: string;
  readonly maskedReason: string;
}

/** A payer's visit to the bank, while the bank awaits the decision. */
export interface BankVisit {
  readonly id: string;
  readonly expiresAt: Instant;
  /** Whether the payer left the bank's page without a decision, and has not returned to it. */
  readonly hasLeft: boolean;
}

/** The state of the hosted page. `authSession` is set while the payer is expected at the bank. */
export interface PageView {
  readonly intentId: string;
  /** The merchant's name, as the payer knows it. */
  readonly merchantName: string;
  readonly status: IntentStatus;
  readonly amountMinor: number;
  readonly currency: string;
  readonly description: string | null;
  readonly methodsAllowed: readonly ('card' | 'sepa')[];
  readonly returnUrl: string | null;
  /** Whether the payment was created with a test key: the page then shows the test values. */
  readonly testMode: boolean;
  readonly lastRefusal?: MaskedRefusal;
  readonly authSession?: BankVisit;
  /** Whether the bank's approval is confirmed, by the payer's browser or without a payer. */
  readonly isConfirmed: boolean;
}

export type CardOutcome =
  /** The page opens the bank's page in a frame for this session (`/bank/<authSessionId>`). */
  | { readonly next: 'secure_auth'; readonly authSessionId: string }
  /** The bank declined; the payer may retry on the same page. Code and reason are masked. */
  | { readonly next: 'refused'; readonly code: string; readonly reason: string }
  /** The bank approved; the browser then calls `confirm`. */
  | { readonly next: 'confirm' };

/** The state of the bank's page. */
export interface AuthSessionView {
  readonly id: string;
  readonly intentId: string;
  readonly merchantName: string;
  readonly status: AuthStatus;
  readonly amountMinor: number;
  readonly currency: string;
  readonly description: string | null;
  readonly cardBrand: string;
  readonly cardLast4: string;
  readonly returnUrl: string | null;
  readonly expiresAt: Instant;
}

/**
 * The result of the payer's decision. `refused`: by the payer, or by the bank although the payer
 * approved.
 */
export type AuthOutcome =
  | { readonly next: 'confirm'; readonly intentId: string }
  | {
      readonly next: 'refused';
      readonly intentId: string;
      readonly code: string;
      readonly reason: string;
    };

/**
 * The payer's flow on the hosted page, without its HTML. Inject this class; the module that
 * uses it imports `PageFlowModule`. All methods throw `Rejection`:
 * - `not_found`: no such intent or session.
 * - `not_payable`: the intent is authorized, canceled or ended; no card is accepted.
 * - `changed`: the payer saw another amount than the intent has now. Nothing was stored.
 * - `invalid_card`: the input is not a valid card; `details.field` is `number`, `expMonth`,
 * `expYear`, `cvc` or `name`, `details.problem` is a stable code. Nothing was stored.
 * - `session_over`: the payer has already decided in the 3-D Secure session, or the session has
 * expired or was replaced by another attempt.
 */
export abstract class PageFlow {
  abstract view(intentId: string): Promise<PageView>;

  /**
   * Makes one payment attempt. Abandons an earlier attempt for which the bank still awaits the
   * payer's decision.
   */
  abstract submitCard(
    intentId: string,
    card: CardInput,
    shown?: ShownAmount | null,
  ): Promise<CardOutcome>;

  /**
   * Returns the state for the bank's page. The first call records the payer's arrival
   * (`attempted`); a call after `leave` records the payer's return.
   */
  abstract authSession(authSessionId: string): Promise<AuthSessionView>;

  abstract decide(authSessionId: string, decision: 'approve' | 'refuse'): Promise<AuthOutcome>;

  /**
   * Records that the payer left the bank without a decision; the payer may return to the bank or
   * try another card.
   */
  abstract leave(authSessionId: string): Promise<PageView>;

  /**
   * The browser's confirmation after the bank's approval. With `capture: true` the payment becomes
   * `to_capture`, unless the page's session (15 minutes after the approval) has ended: then it
   * stays `authorized`. Idempotent.
   */
  abstract confirm(intentId: string): Promise<PageView>;
}
