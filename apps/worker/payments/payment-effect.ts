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
   * The times that restores have lost: refunds made then may be ours, though no event records them.
   */
  readonly lost: readonly LostTime[];
  /** The reason that holds a debit, if any. */
  readonly held: HeldDebit;
}

export type EffectOutcome = CallOutcome<PaymentCommand>;

/**
 * The function that executes one kind of payment call. It throws a `ProviderError` if nothing was
 * done and nothing was observed.
 */
export type Effect = (context: EffectContext) => Promise<EffectOutcome>;
