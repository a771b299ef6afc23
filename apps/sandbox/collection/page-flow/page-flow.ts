import type { Instant } from '#kernel';
import type { CardInput } from '../cards/card-input.js';
import type { AuthStatus, IntentStatus } from '../payments/states.js';

/** What the payer may be told of a refusal: the generic `05` where the specification says (M). */
export interface MaskedRefusal {
  readonly maskedCode: string;
  readonly maskedReason: string;
}

/** What the hosted page shows. `authSession` is there while the payer is expected at the bank. */
export interface PageView {
  readonly intentId: string;
  readonly status: IntentStatus;
  readonly amountMinor: number;
  readonly currency: string;
  readonly description: string | null;
  readonly methodsAllowed: readonly ('card' | 'sepa')[];
  readonly returnUrl: string | null;
  /** Made with a test key: the page then shows the test values. */
  readonly testMode: boolean;
  readonly lastRefusal?: MaskedRefusal;
  readonly authSession?: { readonly id: string; readonly expiresAt: Instant };
}

export type CardOutcome =
  /** Open the bank's frame for this session (`/bank/<authSessionId>`). */
  | { readonly next: 'secure_auth'; readonly authSessionId: string }
  /** The bank said no; the payer may try again on the same page. Code and reason are masked. */
  | { readonly next: 'refused'; readonly code: string; readonly reason: string }
  /** The bank said yes; the browser now confirms with `confirm`. */
  | { readonly next: 'confirm' };

/** What the bank's page shows. */
export interface AuthSessionView {
  readonly id: string;
  readonly intentId: string;
  readonly status: AuthStatus;
  readonly amountMinor: number;
  readonly currency: string;
  readonly description: string | null;
  readonly cardBrand: string;
  readonly cardLast4: string;
  readonly returnUrl: string | null;
  readonly expiresAt: Instant;
}

/** What the decision led to. `refused` also covers an approval which the bank did not honour. */
export type AuthOutcome =
  | { readonly next: 'confirm'; readonly intentId: string }
  | {
      readonly next: 'refused';
      readonly intentId: string;
      readonly code: string;
      readonly reason: string;
    };

/**
 * The payer's way through the hosted page, without its HTML. Inject it by this class; import
 * `PageFlowModule` for it. All methods throw `Rejection`:
 * - `not_found`: no such intent or session.
 * - `not_payable`: the intent is authorized, canceled or over; no card is taken any more.
 * - `invalid_card`: what was typed cannot be a card; `details.field` is `number`, `expMonth`,
 *   `expYear`, `cvc` or `name`, `details.problem` is a stable word. Nothing was stored.
 * - `session_over`: the bank's session was decided, expired or replaced by another attempt.
 */
export abstract class PageFlow {
  abstract view(intentId: string): Promise<PageView>;

  /** One attempt. A bank session still open from an attempt before is given up. */
  abstract submitCard(intentId: string, card: CardInput): Promise<CardOutcome>;

  /** For the bank's page; the first call tells that the payer has arrived (`attempted`). */
  abstract authSession(authSessionId: string): Promise<AuthSessionView>;

  abstract decide(authSessionId: string, decision: 'approve' | 'refuse'): Promise<AuthOutcome>;

  /** The payer turned away from the bank: nothing is decided, and another card may be tried. */
  abstract leave(authSessionId: string): Promise<PageView>;

  /**
   * The browser's confirmation after the bank's approval. With `capture: true` the payment now goes
   * to `to_capture`, unless the page's session (15 minutes after the approval) has ended: then it
   * stays `authorized`. Repeating it changes nothing.
   */
  abstract confirm(intentId: string): Promise<PageView>;
}
