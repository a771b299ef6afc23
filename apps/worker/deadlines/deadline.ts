import type { Instant } from '#kernel';

/** Something that was to happen at an instant of business time, and is due. */
export interface DueDeadline {
  readonly kind: string;
  readonly key: string;
  readonly dueAt: Instant;
  readonly tries: number;
  /** Whose key it is read with; null where it is no read. */
  readonly accountId?: string | null;
}

export interface DeadlineHandler {
  /** What it takes: whole kinds (`payment.read`), or all that begin alike (`checkout.*`). */
  readonly kinds: readonly string[];
  /**
   * Carries the deadline out in a step with `step.fired(deadline)`. A `StepSuperseded` means that
   * somebody else was faster; after any other error the deadline stays, and is tried again.
   */
  handle(deadline: DueDeadline): Promise<void>;
}
