import { Problem, problemBody, type ProblemBody } from '#platform';

interface ErrorCode {
  readonly status: number;
  readonly detail: string;
  readonly errors?: ProblemBody['errors'];
}

type FieldError = NonNullable<ProblemBody['errors']>[number];

/**
 * The error message, alone or with the error of a field. If only the field's JSON pointer is given,
 * the error message is also the message of the field's error.
 */
type Says = string | readonly [detail: string, field: FieldError | string];

const errorOf = (status: number, says: Says): ErrorCode => {
  if (typeof says === 'string') return { status, detail: says };
  const [detail, field] = says;
  const error = typeof field === 'string' ? { detail, pointer: field } : field;
  return { status, detail, errors: [error] };
};

/** The errors with one HTTP status, by their codes. */
const withStatus = <C extends string>(
  status: number,
  errors: Readonly<Record<C, Says>>,
): Readonly<Record<C, ErrorCode>> =>
  // The cast is needed because the type of `fromEntries` cannot express that every code is a key.
  Object.fromEntries(
    Object.entries<Says>(errors).map(([code, says]) => [code, errorOf(status, says)]),
  ) as Record<C, ErrorCode>;

const reuse = 'send the same request again, with the same Idempotency-Key';

const wholeOnly =
  'the provider of this account captures whole amounts only: capture without ' +
  'an amount, and refund the excess after the capture is sent';

/** All errors of the API, each with its example response. */
const CODES = {
  ...withStatus(400, {
    malformed_request: 'the request cannot be read: check that the body is valid JSON',
    idempotency_key_missing: [
      'send an Idempotency-Key of 1 to 128 visible characters, new for each intended change',
      { detail: 'is missing or malformed', parameter: 'Idempotency-Key' },
    ],
  }),
  ...withStatus(401, {
    unauthorized: 'send a valid API key as Authorization: Bearer <key>',
  }),
  ...withStatus(403, {
    scope_missing: 'this key lacks the scope orders:write',
  }),
  ...withStatus(404, {
    order_not_found: 'no order has this id',
    payment_not_found: 'no payment has this id',
    merchant_not_found: 'no merchant has this id',
    person_not_found: 'no owner or representative of the merchant has this id',
    document_not_found: 'no document of the merchant has this id',
    terminal_not_found: 'no terminal of the merchant has this id',
    event_not_found: 'no event has this id',
    payout_not_found: 'no payout has this id',
    exception_not_found: 'no reconciliation break has this id',
    account_not_found: 'no provider account has this id',
    webhook_endpoint_not_found: 'no webhook endpoint has this id',
    webhook_delivery_not_found: 'no webhook delivery has this id',
    ledger_account_not_found: 'no ledger account has this name',
    route_not_found: 'this method and path do not exist: check them in the API reference',
  }),
  ...withStatus(408, {
    upload_too_slow: 'the document was sent too slowly: send it again over a faster connection',
  }),
  ...withStatus(409, {
    request_in_progress:
      'a request with this Idempotency-Key is still in progress: send it again in a few seconds',
    account_registration_in_progress:
      'another request is registering an account of this merchant: send this request again in a few seconds',
    reference_taken: [
      'the order ord_3xKq0Zb7Yw2m4c9NfTgV1hJa has this reference already: read that order, or use another reference',
      { detail: 'is taken', pointer: '#/reference' },
    ],
    order_paid: 'the order is paid and cannot be canceled: refund it instead',
    order_ended: 'the order cannot be canceled, because it has ended: its status is expired',
    not_authorized: 'the payment cannot be captured before it is authorized',
    payment_closing: 'the payment is being canceled and cannot be captured',
    payment_ended: 'the payment has ended: its status is canceled',
    capture_in_progress:
      'another capture of this payment is in progress: try again when it has succeeded or failed',
    not_captured: 'only a captured amount can be refunded: the status of the payment is authorized',
    payment_disputed:
      'the payer has disputed the payment, so it can never be refunded, even if the dispute is won',
    refund_in_progress:
      'another refund of this payment is in progress: try again when it has succeeded or failed',
    already_refunded: 'the whole payment is refunded already',
    refund_exceeds_payment:
      'at most 750 (in minor units) can still be refunded: request a smaller amount',
    merchant_not_enabled: [
      'the merchant does not accept orders yet: its contract is not signed: give the merchant ' +
        'its subscription link',
      { detail: 'does not accept orders: its status is incomplete', pointer: '#/merchantId' },
    ],
    account_disabled:
      'the provider account of this merchant is disabled: register a different provider account to accept orders',
    webhook_endpoint_disabled: 'the webhook endpoint is disabled: enable it before this request',
    webhook_secret_rotating:
      'messages are signed with the former secret until 2026-03-03T06:00:00.000Z: wait, or send ' +
      'revokeFormer: true if no receiver needs it',
    too_many_webhook_endpoints:
      'a platform may have 20 webhook endpoints: delete one that is not needed any more',
    timeline_too_long:
      'the order or merchant has more than 5,000 events: read them by GET /v1/events',
    too_many_changes: 'the webhook endpoint was changed too often: replace it by a new one',
    delivery_succeeded: 'the delivery has succeeded and cannot be discarded',
    account_in_use: 'orders have used the provider account: disable it instead of withdrawing it',
    provider_key_taken: [
      'this API key belongs to another account: use the key of this merchant’s own account',
      { detail: 'belongs to another account', pointer: '#/apiKey' },
    ],
    merchant_onboarded: [
      'this merchant is onboarded here: its provider accounts are registered automatically, so do not register one',
      { detail: 'is onboarded here', pointer: '#/merchantId' },
    ],
    merchant_not_registered:
      'the company is not registered at the provider yet: the status of the merchant is requested',
    merchant_not_validated:
      'terminals can be ordered when the merchant is validated or available: its status is incomplete',
    registration_in_progress:
      'the company is being registered: change the details when the status of the merchant shows the result',
    personal_data_erased:
      'the personal data of this merchant have been erased here and cannot be used any more',
    people_not_replaceable: [
      'the company is registered: add, change and remove its owners one by one',
      { detail: 'must be changed one by one', pointer: '#/details/owners' },
    ],
    person_exists: [
      'the owner pers_3xKq0Zb7Yw2m4c9NfTgV1hJa has this reference already: use another reference',
      { detail: 'is taken', pointer: '#/reference' },
    ],
    terminal_order_in_progress:
      'another terminal is being ordered: order this terminal after the provider has accepted or refused that order',
    terminal_not_pending:
      'the terminal’s order can be canceled only while it is pending: its status is shipped',
    email_unavailable: [
      'another merchant of the provider uses this email address: send a different email address',
      '#/details/contact/email',
    ],
    email_terminated: [
      'the provider has ended a contract with this email address: send a different email address',
      '#/details/contact/email',
    ],
    not_allowed: [
      'the provider does not allow this change in the present status of the merchant',
      '#/details/payoutAccount/iban',
    ],
    provider_conflict:
      'the change conflicts with the data at the provider: the last representative cannot be removed',
    already_requested:
      'the same action is already pending or in progress (act_3xKq0Zb7Yw2m4c9NfTgV1hJa): ' +
      'wait until it has ended',
    exception_closed: 'the reconciliation break is closed already: the payment is in a payout',
  }),
  ...withStatus(413, {
    document_too_large: ['the file is larger than 10 MiB: send a smaller one', '#/file'],
    body_too_large: 'the request body is larger than this route accepts',
  }),
  ...withStatus(414, {
    uri_too_long: 'a part of the path is too long: shorten it',
  }),
  ...withStatus(415, {
    unsupported_media_type: 'send the body as application/json',
    unsupported_document_type: [
      'the content of the file is not PDF, JPEG or PNG: send one of these',
      '#/file',
    ],
  }),
  ...withStatus(422, {
    document_empty: ['the file is empty: send it with its content', '#/file'],
    document_not_expected: [
      'the provider does not expect this document: GET the merchant’s documents to see which ones it expects',
      { detail: 'is not a person whose identity card is expected', parameter: 'personId' },
    ],
    mode_not_offered: [
      'merchants cannot be onboarded in the mode live, because no partner key is configured for it',
      { detail: 'is not offered', pointer: '#/mode' },
    ],
    validation_failed: [
      'some fields are invalid: correct each field that errors lists',
      {
        code: 'unknown_field',
        detail: 'amount is not a field of this request',
        pointer: '#/amount',
      },
    ],
    idempotency_key_reused: [
      'this Idempotency-Key was used for a request with another content: use a new key',
      { detail: 'was used for another request', parameter: 'Idempotency-Key' },
    ],
    card_number_not_allowed: [
      'a field contains what looks like a card number: remove it, because payers enter card numbers only on the payment page',
      { detail: 'looks like a card number', pointer: '#/reference' },
    ],
    iban_not_allowed: [
      'a text contains an IBAN: send account numbers only in the field that is meant for them',
      { detail: 'contains an IBAN', pointer: '#/description' },
    ],
    unstorable_text: [
      'a text contains characters that cannot be stored: remove them',
      { detail: 'contains NUL or half of a surrogate pair', pointer: '#/description' },
    ],
    too_deep: 'the request body is nested too deeply: use at most 32 levels',
    merchant_unknown: [
      'your platform has no merchant with this id: onboard one by POST /v1/merchants, with an e-mail address of its own, ' +
        'or register its account by POST /v1/provider-accounts',
      { detail: 'has no provider account', pointer: '#/merchantId' },
    ],
    mandate_unknown: [
      'no payer of this merchant has signed a mandate with this id',
      { detail: 'is not a mandate of this merchant', pointer: '#/mandateId' },
    ],
    invalid_methods: 'an order with a mandate must have sepa as its only method',
    mode_required: 'this merchant has a test account and a live account: set mode to test or live',
    invalid_amount: ['a capture takes a positive amount, in minor units', '#/amountMinor'],
    invalid_expiry: 'expiresAt must be later than now, and at most 30 days from now',
    invalid_capture_delay: 'the capture delay must be positive and at most 144 hours',
    invalid_currency:
      'a SEPA direct debit is possible in eur only: change the currency, or remove sepa from methods',
    invalid_provider_key: [
      'a test key begins with stest_',
      { detail: 'must begin with stest_', pointer: '#/apiKey' },
    ],
    provider_key_rejected: [
      'the provider rejected this API key: check it',
      { detail: 'is rejected by the provider', pointer: '#/apiKey' },
    ],
    capture_exceeds_authorized:
      'at most 1250 (in minor units) can still be captured: request a smaller amount',
    capability_missing: [
      wholeOnly,
      {
        code: 'partialCapture',
        detail: wholeOnly,
        pointer: '#/amountMinor',
      },
    ],
    limit_exceeded: [
      'the daily limit key.refund.amount is 10000000000 eur in minor units: the request exceeds it',
      { code: 'key.refund.amount', detail: '0 of 10000000000 eur in minor units are used today' },
    ],
  }),
  ...withStatus(429, {
    limit_reached: [
      'the daily limit platform.refund.count is 100000, and 100000 are used: retry on the next day (UTC), with the same Idempotency-Key',
      { code: 'platform.refund.count', detail: '100000 of 100000 are used today' },
    ],
    too_many_documents:
      'too many documents are being transferred at this moment: try again in a few seconds',
    rate_limited:
      'too many requests: wait for the number of seconds in the header Retry-After, then send the request again',
  }),
  ...withStatus(500, {
    internal_error:
      'an internal error occurred: send the same request again, or contact the operator of the service with the request id',
  }),
  ...withStatus(502, {
    provider_rejected:
      'the payment provider rejected a request of this service: contact its operator with the request id',
    provider_unauthorized:
      'the payment provider does not accept the API key of this account: register a valid key',
  }),
  ...withStatus(503, {
    temporarily_unavailable: `a dependency is temporarily unavailable: ${reuse}`,
    unavailable: 'the service is starting or stopping: send the request again in a few seconds',
    busy: 'too many changes of this resource at the same time: send the same request again',
    provider_unavailable:
      'the payment provider does not respond: send the same request again later; it is not executed twice',
    reference_data_unavailable:
      'the provider’s lists of codes cannot be read at this moment: send the request again later; ' +
      'nothing was changed',
    too_many_streams: 'too many event streams are open: close some, or try again later',
  }),
};

/** The machine-readable part of an error. */
export type Code = keyof typeof CODES;

export const ERROR_CODES: Readonly<Record<Code, ErrorCode>> = CODES;

/** Creates the `Problem` to throw: the code's example response with the given changes. */
export const problem = (
  code: Code,
  { detail, errors, ...more }: Problem['more'] & { readonly detail?: string } = {},
): Problem => {
  const listed = ERROR_CODES[code];
  const all = errors ?? listed.errors ?? [];
  return new Problem(listed.status, code, detail ?? listed.detail, {
    ...more,
    ...(all.length > 0 && { errors: all }),
  });
};

/** A platform has as many requests of a kind in progress as it may have. */
export const tooManyAtOnce = (): Problem =>
  problem('rate_limited', { headers: { 'retry-after': '1' } });

/** The complete example response of an error. */
export const exampleOf = (code: Code): ProblemBody =>
  problemBody(problem(code), 'req_4kPz8sVn2WcYt6LqBdRfXj0M');
