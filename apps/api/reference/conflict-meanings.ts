/** What an error means, and what the client that receives the error should do. */
export type Meaning = readonly [means: string, remedy: string];

export const AGAIN = 'Send the same request again, with the same `Idempotency-Key`.';

/** The meanings of the errors with the status 409. */
export const CONFLICTS = {
  request_in_progress: [
    'A request with this `Idempotency-Key` is being handled at this moment.',
    `${AGAIN} Wait a few seconds before.`,
  ],
  account_registration_in_progress: [
    'Another request registers an account of this merchant at this moment.',
    `${AGAIN} Wait a few seconds before.`,
  ],
  reference_taken: [
    'One of your orders or merchants has this `reference` already; `detail` names its id.',
    'Read that one if it is what you meant, or choose another reference.',
  ],
  order_paid: ['A paid order cannot be canceled.', 'Refund it.'],
  order_ended: [
    'The order has ended and cannot be canceled any more.',
    'Nothing: `status` says how it has ended.',
  ],
  not_authorized: [
    'The payment is not authorized yet, so nothing can be captured.',
    'Wait for the event `OrderAuthorized`, or read the order.',
  ],
  payment_closing: [
    'The payment is being canceled, so it cannot be captured.',
    'Place a new order if the payer still wants to pay.',
  ],
  payment_ended: [
    'The payment has ended, so it can be neither captured nor refunded.',
    'Read the order: its status says what happened.',
  ],
  capture_in_progress: [
    'Another capture of the payment has no result yet.',
    'Wait until it is accepted or rejected, then request the next one.',
  ],
  not_captured: [
    'Nothing is captured, so there is nothing to refund.',
    'Wait until the order is `paid`, or cancel it.',
  ],
  payment_disputed: [
    'The payer has disputed the payment at the bank, which returns the money.',
    'Do not refund: the payer would be paid twice.',
  ],
  refund_in_progress: [
    'Another refund of the payment is not visible at the provider yet.',
    'Wait until it is no longer `requested`, then request the next one.',
  ],
  already_refunded: ['The whole amount is refunded.', 'Nothing.'],
  refund_exceeds_payment: [
    'More would be refunded than is left of the captured amount.',
    'Request at most what `detail` and `refundableMinor` name.',
  ],
  merchant_not_enabled: [
    'The merchant does not accept orders yet, or any more.',
    'Do what `detail` says; the event `MerchantEnabled` says when orders are accepted.',
  ],
  account_disabled: [
    'The merchant’s provider account is disabled.',
    'Register another account of the merchant.',
  ],
  webhook_endpoint_disabled: ['The webhook endpoint is disabled.', 'Enable it first.'],
  webhook_secret_rotating: [
    'The secret was rotated less than 24 hours ago, and receivers may still use the former secret.',
    'Wait, or send `revokeFormer: true` if no receiver needs the former secret.',
  ],
  too_many_webhook_endpoints: [
    'The platform has as many webhook endpoints as it may have.',
    'Delete one that you do not need.',
  ],
  timeline_too_long: [
    'The order or the merchant has more than 5,000 events, which are not listed at once.',
    'Read them by `GET /v1/events`, with `merchantId`.',
  ],
  too_many_changes: [
    'The webhook endpoint has more than 2,000 events. No more changes are recorded.',
    'Replace the webhook endpoint by a new one.',
  ],
  delivery_succeeded: ['A delivery that succeeded cannot be discarded.', 'Nothing.'],
  account_in_use: [
    'Orders have used the provider account, so it cannot be withdrawn.',
    'Let an operator disable it.',
  ],
  provider_key_taken: [
    'The provider’s API key belongs to an account that is registered already.',
    'Use the key of this merchant’s own account.',
  ],
  merchant_onboarded: [
    'The merchant is onboarded here, so its accounts are registered automatically.',
    'Nothing: place orders when the merchant is enabled.',
  ],
  merchant_not_registered: [
    'The merchant’s company is not registered at the provider yet.',
    'Wait for the event `CompanyRegistered`, or read the merchant.',
  ],
  merchant_not_validated: [
    'Terminals can be ordered only for a merchant that is `validated` or `available`.',
    'Wait for the provider’s review.',
  ],
  registration_in_progress: [
    'The company is being registered with the details that you have sent.',
    'Wait until the status is no longer `requested`, then change the details.',
  ],
  personal_data_erased: [
    'The merchant’s personal data were erased here.',
    'Nothing: they cannot be restored.',
  ],
  people_not_replaceable: [
    'A registered company’s owners and representatives cannot be replaced as a list.',
    'Add, change and remove them one by one.',
  ],
  person_exists: [
    'The merchant has a person with this `reference` already.',
    'Change that person, or choose another reference.',
  ],
  terminal_order_in_progress: [
    'Another order of a terminal has no result yet.',
    'Wait until the provider has accepted or refused it.',
  ],
  terminal_not_pending: [
    'The terminal’s order is handled already and cannot be canceled.',
    'Return the terminal after its delivery.',
  ],
  email_unavailable: [
    'Another merchant of the provider uses this email address.',
    'Send another email address.',
  ],
  email_terminated: [
    'The provider has ended a contract with this email address.',
    'Send another email address, or ask the provider.',
  ],
  not_allowed: [
    'The provider does not allow the change in the merchant’s present status.',
    'Read the merchant; after the signature only some fields can be changed.',
  ],
  provider_conflict: [
    'The change conflicts with what the provider has, such as the removal of the last representative.',
    'Read the details, and send a change that fits them.',
  ],
  already_requested: [
    'An equal request already waits for an operator’s approval.',
    'Wait for the decision.',
  ],
  exception_closed: ['The reconciliation break is closed.', 'Nothing.'],
} as const satisfies Readonly<Record<string, Meaning>>;
