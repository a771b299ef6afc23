import type { CallOutcome, CallTools } from '#jobs';
import type { HeldDebit } from '#operations';
import type { LostTime, Payment, PaymentCommand } from '#payment';
import type { Capabilities, Payments } from '#psp';

/** The inputs of a payment's call. */
export interface EffectContext extends CallTools {
  readonly payment: Exclude<Payment, { status: 'none' }>;
  readonly client: Payments;
  readonly capabilities: Capabilities;
  /**
   * The periods whose events a database restore has lost: refunds made in them may be ours without
   * an event.
   */
  readonly lost: readonly LostTime[];
  /** Why a debit must wait; null if it may be sent. */
  readonly held: HeldDebit;
}

export type EffectOutcome = CallOutcome<PaymentCommand>;

/**
 * The function that executes one kind of payment call. It throws a `ProviderError` if the call had
 * no effect and showed nothing.
 */
export type Effect = (context: EffectContext) => Promise<EffectOutcome>;
