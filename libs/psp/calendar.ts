/** The times of a provider's daily runs, in milliseconds since midnight UTC. */
export interface Calendar {
  /** The cut-off: captures before this time are sent on the same day. */
  readonly cutOffMs: number;
  /**
   * From this time on, the captures that were sent are settled and the payouts of the day exist.
   */
  readonly settlementMs: number;
}
