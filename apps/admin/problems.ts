import { StepConflict } from '#log';
import { UNDECIDED } from '#operations';
import { type ProblemOptions, Problem } from '#platform';
import { isProviderError } from '#psp';

/** The rejection codes that have the same HTTP status. */
const withStatus = (
  status: number,
  ...codes: readonly string[]
): Readonly<Record<string, number>> =>
  Object.fromEntries(codes.flatMap((names) => names.split(' ')).map((code) => [code, status]));

const REJECTIONS = {
  ...withStatus(
    404,
    'entity_not_found user_not_found key_not_found action_not_found account_not_found',
    'merchant_not_found order_not_found payment_not_found view_not_found case_not_found',
    'security_key_not_found incident_unknown export_not_found',
  ),
  ...withStatus(
    409,
    'account_disabled account_in_use already_approved name_taken own_action not_pending',
    'own_change',
    'already_requested preview_changed requests_changed account_in_doubt',
    'requester_not_allowed no_intent',
    'no_account order_paid order_ended not_authorized payment_closing payment_ended',
    'amount_above_limit last_admin user_enabled user_changed own_account too_many_keys refund_not_open not_stuck',
    'not_blocked already_reacted marked_failed not_captured already_refunded',
    'capture_in_progress refund_in_progress payment_disputed refund_exceeds_payment',
    'too_many_security_keys security_keys_unavailable',
    'too_many_webhook_endpoints second_factor_absent second_factor_not_begun',
    'fee_not_shown line_differs_otherwise payout_failed payout_may_change',
    'email_taken identity_absent too_many_views',
    'too_many_exports no_mismatch webhook_endpoint_disabled no_open_delivery',
    ...UNDECIDED,
  ),
  ...withStatus(
    422,
    'limit_unknown workflow_missing stimulus_missing not_seen capability_missing',
    'capture_exceeds_authorized invalid_amount invalid_day invalid_expiry invalid_name',
    'invalid_platform platform_unknown weak_password wrong_password wrong_code',
    'wrong_security_key invalid_email invalid_snooze snooze_past_deadline platform_ambiguous',
  ),
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
        { headers: { 'retry-after': '1' }, cause: error },
      );
    }
    if (!isProviderError(error)) return undefined;
    const isRefusal = error.kind === 'rejected' || error.kind === 'unauthorized';
    return isRefusal
      ? new Problem(
          502,
          'provider_refused',
          `the provider rejected the request: ${error.message}`,
          { cause: error },
        )
      : new Problem(503, 'provider_unavailable', 'the provider does not respond: try again later', {
          headers: { 'retry-after': '5' },
          cause: error,
        });
  },
};
