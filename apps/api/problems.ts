import { ReservationTaken, StepConflict, WrittenByNewerRelease } from '#log';
import { Rejection } from '#kernel';
import { type ProblemOptions, Problem, temporarilyUnavailable } from '#platform';
import { isProviderError, type ProviderError } from '#psp';

const REJECTIONS: Readonly<Record<string, number>> = {
  order_not_found: 404,
  payment_not_found: 404,
  merchant_not_found: 404,
  payout_not_found: 404,
  event_not_found: 404,
  exception_not_found: 404,
  account_not_found: 404,
  ledger_account_not_found: 404,
  head_not_found: 404,
  document_not_found: 404,
  terminal_not_found: 404,
  account_disabled: 409,
  account_in_use: 409,
  order_exists: 409,
  order_paid: 409,
  order_ended: 409,
  not_authorized: 409,
  payment_closing: 409,
  payment_ended: 409,
  capture_in_flight: 409,
  not_captured: 409,
  payment_disputed: 409,
  refund_in_flight: 409,
  already_refunded: 409,
  refund_exceeds_payment: 409,
  exception_closed: 409,
  already_asked: 409,
  merchant_not_registered: 409,
  merchant_not_validated: 409,
  registration_under_way: 409,
  personal_data_erased: 409,
  terminal_order_under_way: 409,
  terminal_not_pending: 409,
};

/** The platform asked us, we asked the provider: it is told what to do, not the provider's words. */
const providerProblem = (error: ProviderError): Problem => {
  const away = (retryAfterSeconds: number): Problem =>
    new Problem(
      503,
      'provider_unavailable',
      'the payment provider does not answer now: repeat the request later; nothing is lost',
      { headers: { 'retry-after': String(retryAfterSeconds) }, cause: error },
    );
  switch (error.kind) {
    case 'capability_missing':
      return new Problem(422, 'capability_missing', error.message, {
        errors: [{ detail: error.message, code: error.capability, pointer: '#' }],
        cause: error,
      });
    case 'rejected':
    case 'unauthorized': {
      const detail = 'the payment provider refused our request';
      return new Problem(502, `provider_${error.kind}`, detail, { cause: error });
    }
    case 'rate_limited':
      return away(Math.ceil((error.retryAfterMs ?? 1_000) / 1_000));
    case 'unavailable':
    case 'unknown_outcome':
      return away(5);
  }
};

/** How errors that only this app knows become answers. */
export const problems: ProblemOptions = {
  rejections: REJECTIONS,
  other: (error) => {
    if (error instanceof ReservationTaken) {
      const thing = error.scope.startsWith('merchant.') ? 'merchant' : 'order';
      return new Problem(
        409,
        'reference_taken',
        `the ${thing} ${error.holder} has this reference: read it, or use another reference`,
        { errors: [{ detail: 'is taken', pointer: '#/reference' }] },
      );
    }
    if (error instanceof StepConflict) {
      return new Problem(503, 'busy', 'too much happens to this at once: repeat the request', {
        headers: { 'retry-after': '1' },
        cause: error,
      });
    }
    if (error instanceof Rejection && error.code === 'capability_missing') {
      const {
        message: detail,
        details: { capability },
      } = error;
      return new Problem(422, error.code, detail, {
        errors: [{ detail, code: String(capability), pointer: '#/amountMinor' }],
        cause: error,
      });
    }
    // A process of the newer release answers the same request.
    if (error instanceof WrittenByNewerRelease) return temporarilyUnavailable(error, 5);
    return isProviderError(error) ? providerProblem(error) : undefined;
  },
};
