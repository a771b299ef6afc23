import { envInt } from '#platform';
import type { RetentionDays } from './retention.js';

const LIMITS = { min: 1, max: 36_500 };

/** Reads the settings from the environment; throws a `ConfigError` that names the wrong setting. */
export const retentionDays = (): RetentionDays => ({
  answers: envInt('RETENTION_IDEMPOTENCY_DAYS', 7, LIMITS),
  webhooks: envInt('RETENTION_WEBHOOKS_DAYS', 30, LIMITS),
  calls: envInt('RETENTION_JOBS_DAYS', 30, LIMITS),
  exchanges: envInt('RETENTION_API_REQUESTS_DAYS', 7, LIMITS),
  details: 1,
  endpointDetails: 2,
});
