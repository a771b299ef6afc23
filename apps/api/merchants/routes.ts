import type { FastifyContextConfig } from 'fastify';
import type { Code } from '../shared/error-codes.js';

/**
 * The route setting for requests with a merchant's details: a long number in one of these fields is
 * not treated as a card number.
 */
export const LONG_NUMBERS: FastifyContextConfig = {
  longNumbers: new Set(['registrationNumber', 'iban', 'phone']),
};

/** Additional errors of a request with details. */
export const DETAILS_ERRORS = [
  'validation_failed',
  'reference_data_unavailable',
] as const satisfies readonly Code[];

/** Errors of a request that calls the provider. */
export const AT_PROVIDER = [
  'email_unavailable',
  'email_terminated',
  'not_allowed',
  'provider_conflict',
  'provider_rejected',
  'provider_unauthorized',
  'provider_unavailable',
] as const satisfies readonly Code[];

/** Errors of a request about a merchant's company at the provider. */
export const AT_COMPANY = [
  'merchant_not_found',
  'merchant_not_registered',
  ...AT_PROVIDER,
] as const;
