import type { CallOutcome, CallTools } from '#jobs';
import type { HeldDebit } from '#operations';
import type { LostTime, Payment, PaymentCommand } from '#payment';
import type { Capabilities, Payments } from '#psp';

/** What a payment's call works with. */
export interface EffectContext extends CallTools {
  readonly payment: Exclude<Payment, { status: 'none' }>;
  readonly client: Payments;
  readonly capabilities: Capabilities;
  /** What the provider did in it may have been asked for by us. */
  readonly lost: readonly LostTime[];
  /** Of a debit: what keeps it from being sent. */
  readonly held: HeldDebit;
}

export type EffectOutcome = CallOutcome<PaymentCommand>;

/** One kind of call. Throws a `ProviderError` where nothing was done and nothing was learnt. */
export type Effect = (context: EffectContext) => Promise<EffectOutcome>;
