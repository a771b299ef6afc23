import { HOUR_MS, type Instant, msOf } from '#kernel';

/** The failed attempts of an endpoint since its last success. */
export interface EndpointHealth {
  readonly failures: number;
  /** When the first of these attempts failed, in business time. */
  readonly failingSince: Instant;
}

const DISABLED_AFTER_MS = 72 * HOUR_MS;
/**
 * The number of failures from which an endpoint is disabled. Fewer failures over a long time may be
 * caused by an outage of this service.
 */
const DISABLED_AFTER_FAILURES = 10;

/** Whether an endpoint has failed long and often enough to be disabled. */
export const shouldDisable = ({ failures, failingSince }: EndpointHealth, now: Instant): boolean =>
  failures >= DISABLED_AFTER_FAILURES && msOf(now) - msOf(failingSince) >= DISABLED_AFTER_MS;
