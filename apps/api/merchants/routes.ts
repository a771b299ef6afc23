import type { FastifyContextConfig } from 'fastify';
import type { Code } from '../shared/error-codes.js';

/** Of requests with a merchant's details: these are long numbers by nature, and no cards. */
export const LONG_NUMBERS: FastifyContextConfig = {
  longNumbers: new Set(['registrationNumber', 'iban', 'phone']),
};

/** What a request with details may meet besides. */
export const DETAILS_ERRORS = [
  'validation_failed',
  'lookups_unavailable',
] as const satisfies readonly Code[];

/** What a request that is made at the provider may meet. */
export const AT_PROVIDER = [
  'email_unavailable',
  'email_terminated',
  'not_allowed',
  'provider_conflict',
  'provider_rejected',
  'provider_unauthorized',
  'provider_unavailable',
] as const satisfies readonly Code[];
