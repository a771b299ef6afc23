import { StepConflict } from '#log';
import { UNDECIDED } from '#operations';
import { type ProblemOptions, Problem } from '#platform';
import { isProviderError } from '#psp';

const REJECTIONS: Readonly<Record<string, number>> = {
  entity_not_found: 404,
  user_not_found: 404,
  key_not_found: 404,
  action_not_found: 404,
  account_not_found: 404,
  account_disabled: 409,
  account_in_use: 409,
  already_approved: 409,
  name_taken: 409,
  own_action: 409,
  not_pending: 409,
  already_requested: 409,
  preview_changed: 409,
  account_in_doubt: 409,
  requester_not_allowed: 409,
  no_intent: 409,
  no_account: 409,
  order_paid: 409,
  order_ended: 409,
  not_authorized: 409,
  payment_closing: 409,
  payment_ended: 409,
  last_admin: 409,
  user_enabled: 409,
  user_changed: 409,
  own_account: 409,
  too_many_keys: 409,
  refund_not_open: 409,
  not_stuck: 409,
  not_blocked: 409,
  already_reacted: 409,
  limit_unknown: 422,
  workflow_missing: 422,
  stimulus_missing: 422,
  not_seen: 422,
  merchant_not_found: 404,
  order_not_found: 404,
  payment_not_found: 404,
  marked_failed: 409,
  not_captured: 409,
  already_refunded: 409,
  capture_in_progress: 409,
  refund_in_progress: 409,
  payment_disputed: 409,
  refund_exceeds_payment: 409,
  capability_missing: 422,
  capture_exceeds_authorized: 422,
  invalid_amount: 422,
  invalid_day: 422,
  invalid_expiry: 422,
  invalid_name: 422,
  invalid_platform: 422,
  weak_password: 422,
  wrong_password: 422,
  ...Object.fromEntries(UNDECIDED.map((code) => [code, 409])),
};

/** The HTTP statuses of the rejections of this app. */
export const problems: ProblemOptions = {
  rejections: REJECTIONS,
  other: (error) => {
    if (error instanceof StepConflict) {
      return new Problem(
        503,
        'busy',
        'too many changes of this resource at the same time: send the same request again',
        {
          headers: { 'retry-after': '1' },
          cause: error,
        },
      );
    }
    if (!isProviderError(error)) return undefined;
    const isRefusal = error.kind === 'rejected' || error.kind === 'unauthorized';
    return isRefusal
      ? new Problem(
          502,
          'provider_refused',
          `the provider rejected the request: ${error.message}`,
          {
            cause: error,
          },
        )
      : new Problem(503, 'provider_unavailable', 'the provider does not respond: try again later', {
          headers: { 'retry-after': '5' },
          cause: error,
        });
  },
};
