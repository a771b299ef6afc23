import type { Instant } from '#kernel';
import type { Payment, PaymentCommand } from '#payment';
import type { PaymentClient } from '#provider';

/** One call to make at the provider, held by this worker under `claim`. */
export interface EffectJob {
  /** The id of the event that asked for the call. */
  readonly jobId: string;
  readonly kind: string;
  /** The payment. */
  readonly subjectId: string;
  readonly accountId: string;
  /** How often it has been taken up, this time included. */
  readonly tries: number;
  /** `ready`: never begun. In any other state a call may have been made: look before calling. */
  readonly found: 'ready' | 'waiting' | 'calling';
  readonly claim: string;
}

/** What a kind of call works with. */
export interface EffectContext {
  readonly job: EffectJob;
  readonly payment: Exclude<Payment, { status: 'none' }>;
  readonly client: PaymentClient;
  /** Throws `ClaimLapsed` when another worker may hold the job by now. Call before each write. */
  readonly stillHeld: () => void;
  readonly now: () => Instant;
}

/** What came of a run; committed together with the job's new state, in one step. */
export interface EffectOutcome {
  readonly commands: readonly PaymentCommand[];
  readonly next:
    | { readonly state: 'done' }
    /** Look again later; `afterMs` is the least wait, the schedule may be longer. */
    | { readonly state: 'waiting'; readonly afterMs: number }
    /** Nothing more can be done here: for a person. */
    | { readonly state: 'stuck' };
  readonly note: string;
}

/** One kind of call. Throws a `ProviderError` where nothing was done and nothing was learnt. */
export type Effect = (context: EffectContext) => Promise<EffectOutcome>;

/** The worker was slow, and its claim has run out: somebody else may be at it. */
export class ClaimLapsed extends Error {
  override readonly name = 'ClaimLapsed';
}

export const done = (note: string, ...commands: readonly PaymentCommand[]): EffectOutcome => ({
  commands, next: { state: 'done' }, note,
});

export const lookAgain = (note: string, ...commands: readonly PaymentCommand[]): EffectOutcome => ({
  commands, next: { state: 'waiting', afterMs: 0 }, note,
});

export const stuck = (note: string, ...commands: readonly PaymentCommand[]): EffectOutcome => ({
  commands, next: { state: 'stuck' }, note,
});
