import { PartnerError, type PartnerErrorType, tooLarge, wrongMediaType } from './partner-error.js';

const TYPES: Readonly<Record<number, PartnerErrorType>> = { 404: 'not-found', 408: 'refused' };

const badJson = (): PartnerError =>
  new PartnerError(422, 'validation', 'the body is not valid JSON', {
    errors: [{ field: '', message: 'is not valid JSON' }],
  });

const notFoundOr405 = (allowed: readonly string[]): PartnerError =>
  allowed.length === 0
    ? new PartnerError(404, 'not-found', 'no route exists at this path')
    : new PartnerError(405, 'method-not-allowed', `this path accepts ${allowed.join(', ')}`, {
        headers: { allow: allowed.join(', ') },
      });

/**
 * The onboarding API's response to an error that the HTTP framework throws. `allowed`: the methods
 * that the requested path supports.
 */
export const partnerAnswer = (status: number, allowed: readonly string[]): PartnerError => {
  if (status === 400) return badJson();
  if (status === 404) return notFoundOr405(allowed);
  if (status === 413) return tooLarge('the body is too large');
  if (status === 415) return wrongMediaType('send the body as application/json');
  if (status < 500) return new PartnerError(status, TYPES[status] ?? 'refused', 'refused');
  return new PartnerError(500, 'internal', 'internal error');
};
