/**
 * The maximum number of actions of operators in one simulation. Only a refund may need an operator,
 * because a refund with an unknown result is never sent again. In 5,000 seeds at most 13 such
 * actions were measured. Every other request and every workflow ends without an operator.
 */
const MOST_ACTIONS = { refund: 24, other: 0, lie: 40 } as const;

/**
 * Counts the actions of operators in a simulation. More actions than the maximum are a violation,
 * because the product must not depend on repairs by operators.
 */
export class OperatorLoad {
  private readonly counts = { refund: 0, other: 0, lie: 0 };

  /**
   * `isLied`: whether the provider gave false responses about an order, which may then need an
   * operator.
   */
  constructor(
    private readonly isLied: (orderId: string) => boolean,
    private readonly onViolation: (what: string) => void,
  ) {}

  get actions(): number {
    const { refund, other, lie } = this.counts;
    return refund + other + lie;
  }

  /** `subject` is the kind of the provider request, or the workflow, that the action is about. */
  acted(subject: string, orderId: string): void {
    const own = subject === 'refund' ? 'refund' : 'other';
    const kind = this.isLied(orderId) ? 'lie' : own;
    this.counts[kind] += 1;
    if (this.counts[kind] <= MOST_ACTIONS[kind]) return;
    this.onViolation(
      kind === 'other'
        ? `an operator had to act on ${subject}, which must end without one`
        : `operators acted more than ${MOST_ACTIONS[kind]} times (${kind})`,
    );
  }
}
