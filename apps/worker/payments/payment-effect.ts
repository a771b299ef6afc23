import type { CallOutcome, CallTools } from '#jobs';
import type { HeldDebit } from '#operations';
import type { LostTime, Payment, PaymentCommand } from '#payment';
import type { Capabilities, Payments } from '#psp';

/** The inputs of a provider call for a payment. */
export interface EffectContext extends CallTools {
  readonly payment: Exclude<Payment, { status: 'none' }>;
  readonly client: Payments;
  readonly capabilities: Capabilities;
  /**
   * The periods whose events a database restore has lost: a refund made in such a period may be
   * ours although the event log lacks it.
   */
  readonly lost: readonly LostTime[];
  /** The id of the refund request (`rfr_…`) that the job sends; null for any other job. */
  readonly refundRequestId: string | null;
  /** Why the debit must wait; null if the debit may be sent. */
  readonly held: HeldDebit;
}

export type EffectOutcome = CallOutcome<PaymentCommand>;

/**
 * A function that executes one kind of payment call. Throws a `ProviderError` if the call had no
 * effect and its response shows nothing to record.
 */
export type Effect = (context: EffectContext) => Promise<EffectOutcome>;
