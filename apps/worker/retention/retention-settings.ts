import { envInt } from '#platform';
import type { RetentionDays } from './retention.js';

const LIMITS = { min: 1, max: 36_500 };

/** From the environment; throws `ConfigError` that names what is wrong. */
export const retentionDays = (): RetentionDays => ({
  answers: envInt('RETENTION_ANSWERS_DAYS', 7, LIMITS),
  webhooks: envInt('RETENTION_WEBHOOKS_DAYS', 30, LIMITS),
  calls: envInt('RETENTION_CALLS_DAYS', 30, LIMITS),
  exchanges: envInt('RETENTION_EXCHANGES_DAYS', 7, LIMITS),
  details: 1,
});
