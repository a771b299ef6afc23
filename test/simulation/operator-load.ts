import type { JobRow } from './ports/database.js';

/**
 * The maximum number of actions of operators on one refund request, on workflows and other
 * requests, and on all orders about which the provider lies.
 *
 * A refund request needs a second action only if faults make the first fail. Faults last for at most
 * ten days, and the retries after an action for two.
 */
const MOST_ACTIONS = { refund: 12, other: 0, lie: 40 } as const;

export interface OperatorLoadParts {
  /**
   * Whether the provider gave false responses about an order, which may then need an operator.
   */
  readonly isLied: (orderId: string) => boolean;
  /** Why the refund request must end without an operator; null if it may need one. */
  readonly whyNeedless: (refund: JobRow) => string | null;
  readonly onViolation: (what: string) => void;
}

/**
 * Counts the actions of operators in a simulation. A needless action is a violation, because the
 * product must not depend on repairs by operators. Only a refund may need an operator, because a
 * refund with an unknown result is never sent again.
 */
export class OperatorLoad {
  actions = 0;
  private readonly counts = new Map<string, number>();

  constructor(private readonly parts: OperatorLoadParts) {}

  actedOnRequest(job: JobRow, orderId: string): void {
    if (job.kind !== 'refund' || this.parts.isLied(orderId)) {
      this.acted(job.kind, orderId);
      return;
    }
    const why = this.parts.whyNeedless(job);
    if (why !== null) this.parts.onViolation(`an operator had to act on a refund ${why}`);
    this.count('refund', job.key);
  }

  /** `subject` is the kind of the provider request, or the workflow, that the action is about. */
  acted(subject: string, orderId: string): void {
    if (this.parts.isLied(orderId)) this.count('lie', '');
    else this.count('other', subject);
  }

  private count(kind: keyof typeof MOST_ACTIONS, subject: string): void {
    this.actions += 1;
    const name = `${kind} ${subject}`;
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    if (count <= MOST_ACTIONS[kind]) return;
    this.parts.onViolation(
      kind === 'other'
        ? `an operator had to act on ${subject}, which must end without one`
        : `operators acted more than ${MOST_ACTIONS[kind]} times (${kind})`,
    );
  }
}
