/** The times of a provider's daily runs, in milliseconds since midnight UTC. */
export interface Calendar {
  /** The cut-off: captures before this time are sent on the same day. */
  readonly cutOffMs: number;
  /** From this time, sent captures are settled and the day's payouts are made. */
  readonly settlementMs: number;
}
