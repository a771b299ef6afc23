/** When a provider does what it does once a day, in milliseconds since midnight UTC. */
export interface Calendar {
  /** What is captured by then is sent. */
  readonly cutOffMs: number;
  /** What was sent is settled, and the day's payouts are made. */
  readonly settlementMs: number;
}
