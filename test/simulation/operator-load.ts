/**
 * How often operators may act in one simulation, measured over thousands of seeds. Only a refund
 * may need an operator, because a refund with an unknown result is never sent again: at most seven
 * actions were measured in 2,500 seeds. Every other request and every workflow ends without one.
 */
const MOST_ACTIONS = { refund: 12, other: 0 } as const;

/**
 * Counts the actions of the operators. A product that works only because persons repair it fails:
 * more actions than the bound are a violation.
 */
export class OperatorLoad {
  private readonly counts = { refund: 0, other: 0 };

  constructor(private readonly onViolation: (what: string) => void) {}

  get actions(): number {
    return this.counts.refund + this.counts.other;
  }

  /** `subject` is the kind of the provider request, or the workflow, that the action is about. */
  acted(subject: string): void {
    const kind = subject === 'refund' ? 'refund' : 'other';
    this.counts[kind] += 1;
    if (this.counts[kind] <= MOST_ACTIONS[kind]) return;
    this.onViolation(
      kind === 'refund'
        ? `operators acted more than ${MOST_ACTIONS.refund} times on refunds`
        : `an operator had to act on ${subject}, which must end without one`,
    );
  }
}
