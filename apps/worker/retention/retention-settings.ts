import { envInt } from '#platform';
import type { RetentionDays } from './retention.js';

const LIMITS = { min: 1, max: 36_500 };

/**
 * The minimum number of days to store a delivery of a webhook: its attempts are repeated for three
 * days.
 */
const MIN_DELIVERIES_DAYS = 4;

/** Reads the settings from the environment; throws a `ConfigError` that names the wrong setting. */
export const retentionDays = (): RetentionDays => {
  const webhooks = envInt('RETENTION_WEBHOOKS_DAYS', 30, LIMITS);
  return {
    answers: envInt('RETENTION_IDEMPOTENCY_DAYS', 7, LIMITS),
    webhooks,
    deliveries: Math.max(webhooks, MIN_DELIVERIES_DAYS),
    calls: envInt('RETENTION_JOBS_DAYS', 30, LIMITS),
    exchanges: envInt('RETENTION_API_REQUESTS_DAYS', 7, LIMITS),
    details: 1,
    endpointDetails: 2,
  };
};
