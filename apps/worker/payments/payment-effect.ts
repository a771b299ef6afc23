import type { CallOutcome, CallTools } from '#jobs';
import type { HeldDebit } from '#operations';
import type { LostTime, Payment, PaymentCommand } from '#payment';
import type { Capabilities, Payments } from '#psp';

/** The inputs of a payment's call. */
export interface EffectContext extends CallTools {
  readonly payment: Exclude<Payment, { status: 'none' }>;
  readonly client: Payments;
  readonly capabilities: Capabilities;
  /** Refunds made in that time may be ours, though no event records them. */
  readonly lost: readonly LostTime[];
  /** For a debit: the reason that blocks it. */
  readonly held: HeldDebit;
}

export type EffectOutcome = CallOutcome<PaymentCommand>;

/** One kind of call. Throws a `ProviderError` where nothing was done and nothing was observed. */
export type Effect = (context: EffectContext) => Promise<EffectOutcome>;
