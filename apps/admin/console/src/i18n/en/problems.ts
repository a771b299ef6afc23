/** The texts of errors, by error code; errors without a text show the server's message. */
export const problems = {
  network: 'The server is unreachable. The data shown may be outdated.',
  unreadable: 'The server sent a response that the console cannot read. Reload the page.',
  internal_error: 'Internal error. Try again; if it fails again, give the reference to support.',
  busy: 'Too many concurrent changes. Try again.',
  rate_limited: 'Too many requests. Try again in a moment.',
  provider_unavailable: 'The provider is unavailable. Try again later.',
  provider_refused: 'The provider rejected the request:',
  provider_rejected: 'The provider rejected the request:',
  provider_unauthorized:
    'The provider rejected the API key stored for this provider account. Ask the platform to ' +
    'register the account again with a valid key of the provider: POST /v1/provider-accounts.',
  provider_rate_limited: 'The provider received too many requests. Try again in a moment.',
  provider_unknown_outcome:
    'The provider did not respond: the request may have been executed. Do not request it again; ' +
    'see its case.',
  bug: 'Internal error:',
  unauthorized: 'Your session had ended. You are signed in again: try again.',
  csrf_refused: 'You have signed in again in another tab. Try again.',
  scope_missing:
    'Your access is limited to some platforms or merchants. Ask a user without this limit.',
  amount_above_limit:
    'The amount is above the limit of the user for one action, or the user’s limits allow no ' +
    'amount in this currency. A user with a higher limit must do this.',
  role_missing: 'Your role does not allow this action.',
  validation_failed: 'Some fields are invalid.',
  not_found: 'Not found.',
  entity_not_found: 'The object was not found, or its status does not allow the action.',
  account_not_found: 'Provider account not found.',
  account_disabled: 'The provider account is already disabled.',
  account_in_use:
    'Orders already use or have used the provider account. To stop its use, disable it.',
  already_approved: 'The provider account is already approved and scheduled for its date.',
  user_not_found: 'User not found.',
  key_not_found: 'No active API key begins with these characters.',
  action_not_found: 'Action request not found.',
  name_taken: 'A user with this name already exists.',
  invalid_name: 'Use 2 to 32 lower-case letters, digits, dots, _ or -.',
  invalid_expiry: 'The expiry must be in the future, or empty.',
  invalid_day: 'Choose today or an earlier day, at most 400 days ago.',
  too_many_keys: 'The platform already has 20 active keys. Revoke one first.',
  too_many_views: 'You have saved 50 views. Delete one first.',
  too_many_exports: 'You have 10 exports. Delete one first.',
  export_not_found: 'The export no longer exists.',
  view_not_found: 'The view no longer exists.',
  webhook_endpoint_disabled: 'The webhook endpoint is disabled. Enable it first.',
  no_open_delivery: 'None of these webhooks is pending or failed: nothing is left to send.',
  too_many_webhook_endpoints:
    'The platform already has 20 webhook endpoints. It must delete one first.',
  platform_ambiguous: 'Several platforms have a merchant of this id. Choose the platform, too.',
  platform_unknown: 'The platform has no API key. Create one first.',
  user_changed: 'The role of the user has changed meanwhile. Reload and try again.',
  case_not_found: 'Case not found: cases disappear when their problem is solved.',
  incident_unknown: 'Incident not found. Reload the page.',
  invalid_snooze: 'Choose a time in the next 90 days.',
  snooze_past_deadline: 'The deadline of the case is earlier. Choose a shorter time.',
  merchant_not_found: 'Merchant not found.',
  invalid_platform: 'A platform id has 1 to 64 letters, digits, _ or -, and is not console.',
  limit_unknown: 'This limit does not exist: for a mandate, only debits can be limited.',
  user_enabled: 'The user is already enabled.',
  last_admin: 'At least one admin is required. Create another admin first.',
  own_account:
    'Change your password or second factor in your account menu, or ask another admin to reset it.',
  weak_password:
    'Use a new password of 12 to 128 characters that does not contain your name and is not a ' +
    'commonly used one.',
  wrong_code: 'The code is wrong, expired or already used. Enter a new code.',
  wrong_security_key: 'The answer of the security key is wrong or came too late. Try again.',
  security_key_not_found: 'Security key not found.',
  security_keys_unavailable:
    'Security keys work only if the web address of the console contains a name, not an IP address.',
  too_many_security_keys: 'You have ten security keys. Remove one first.',
  second_factor_absent: 'The user has no second factor.',
  second_factor_not_begun: 'The set-up was replaced by a later one. Start again.',
  second_factor_required: 'Enter a code of your second factor first.',
  second_factor_set_up_required: 'Set up a second factor first.',
  provider_sign_in_required:
    'Sign in at the identity provider first, then set up the second factor.',
  identity_provider_absent: 'No identity provider is configured. Sign in with your password.',
  identity_provider_unavailable:
    'The identity provider does not respond. Try again, or sign in with your password.',
  identity_provider_refused:
    'The identity provider refused the sign-in. Try again, or sign in with your password.',
  identity_token_invalid:
    'The answer of the identity provider is invalid or has expired. Begin the sign-in again.',
  sign_in_not_begun:
    'The sign-in was not begun in this browser within the last 10 minutes. Begin it again.',
  email_not_verified:
    'The identity provider has not verified your email address. Have it verified there, or sign ' +
    'in with your password.',
  identity_unknown:
    'No user of the console belongs to this account. Ask an admin to register your email address.',
  identity_expired:
    'Your email address was registered more than seven days ago. Ask an admin to register it again.',
  user_disabled: 'Your user is disabled. Ask an admin to enable it.',
  email_taken: 'Another user is registered with this email address.',
  invalid_email: 'Enter an email address such as jane@company.example.',
  identity_absent: 'The user has no single sign-on.',
  wrong_password: 'The current password is wrong.',
  own_action: 'A second person must approve your request.',
  own_change: 'Another admin must approve changes of your account.',
  not_pending: 'The action request is no longer awaiting approval.',
  already_requested: 'The same action request is already in progress.',
  preview_changed: 'The effect of the action differs from your preview. Preview again.',
  requests_changed:
    'The failed requests of the incident have changed since this action was requested, so it cannot ' +
    'be approved. Reject it; then it can be requested again.',
  not_seen: 'Preview the action first.',
  account_in_doubt:
    'You and the requester are not independent, for example because one of you created, reset or ' +
    'changed the other’s user or linked single sign-on for it, a third user set both your passwords or linked single sign-on for ' +
    'both of you, or you were shown the API key of the request. Another person must approve.',
  requester_not_allowed: 'The requester no longer has the right to request this action.',
  interrupted:
    'The action was interrupted before it was executed, so it had no effect. Preview and request it ' +
    'again.',
  marked_failed: 'The action was already marked failed; it was not executed.',
  no_intent: 'The payment has no payment intent at the provider yet.',
  no_account: 'The provider account of the payment is missing.',
  not_stuck: 'The request no longer needs attention. Reload the list.',
  intent_not_found:
    'The provider has no payment intent for this payment. Retry the request: before it is sent ' +
    'again, its result is read from the provider.',
  result_not_shown:
    'The provider does not show the result of the request. Retry the request: before it is sent ' +
    'again, the result is read from the provider.',
  refund_not_requested: 'No refund of this payment has been requested.',
  no_other_refund:
    'The provider shows no unrecorded refund of this amount. Clear the checkbox and preview again.',
  possibly_ours:
    'This refund may result from our request: it cannot be declared a different refund. Clear ' +
    'the checkbox and preview again.',
  refunds_not_listed:
    'The provider does not list the refunds of this payment yet. Try again later.',
  may_still_arrive:
    'The request failed recently and may still reach the provider. Try again 15 minutes after the failure.',
  not_blocked: 'The workflow has no failed automatic reaction.',
  already_reacted: 'The workflow has already processed or discarded this event. Reload the list.',
  workflow_missing: 'Specify the workflow.',
  stimulus_missing: 'Specify the event or scheduled job to discard.',
  not_authorized: 'The payment is not authorized.',
  not_captured: 'There is no captured amount to refund.',
  payment_not_found: 'Payment not found.',
  order_not_found: 'Order not found.',
  payment_closing: 'The payment is being canceled.',
  order_paid: 'The order is already paid and cannot be canceled: refund it instead.',
  order_ended: 'The order has already expired or failed.',
  payment_ended: 'The payment already has a final status: this action is no longer possible.',
  payment_disputed: 'The payment was disputed: it cannot be refunded, even after a won dispute.',
  already_refunded: 'The full amount has already been refunded.',
  refund_exceeds_payment: 'The amount exceeds the refundable amount of the payment.',
  capability_missing: 'The provider of this account does not support this operation.',
  capture_exceeds_authorized: 'The amount exceeds the authorized amount left to capture.',
  capture_in_progress: 'Another capture of this payment is in progress. Wait until it has ended.',
  invalid_amount: 'The amount must be greater than zero.',
  no_mismatch: 'There is no status mismatch left to review.',
  refund_not_open: 'The refund has already been reissued or abandoned.',
  fee_not_shown: 'The provider shows no fee for this line.',
  line_differs_otherwise:
    'The line has another currency than the ledger or the payout, which cannot be booked.',
  payout_failed:
    'The payout has failed: its lines become part of another payout, where they can be accepted.',
  payout_may_change:
    'The payout is not sent yet, or not all of its lines were read: its lines may change. Accept the ' +
    'line after that.',
  refund_in_progress: 'Another refund of this payment is in progress. Wait until it has ended.',
};
