import { HOUR_MS, type Instant, msOf } from '#kernel';

/** The failed attempts of an endpoint since its last success. */
export interface EndpointHealth {
  readonly failures: number;
  /** The first of them, in business time. */
  readonly failingSince: Instant;
}

const DISABLED_AFTER_MS = 72 * HOUR_MS;
/** Few failures over a long time may be an outage of ours. */
const DISABLED_AFTER_FAILURES = 10;

/** Whether an endpoint has failed long and often enough to be disabled. */
export const shouldDisable = ({ failures, failingSince }: EndpointHealth, now: Instant): boolean =>
  failures >= DISABLED_AFTER_FAILURES && msOf(now) - msOf(failingSince) >= DISABLED_AFTER_MS;
