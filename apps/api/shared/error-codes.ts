import { Problem, problemBody, type ProblemBody } from '#platform';

interface ErrorCode {
  readonly status: number;
  readonly detail: string;
  readonly errors?: ProblemBody['errors'];
}

type FieldError = NonNullable<ProblemBody['errors']>[number];

/** `field`: what is wrong with which field; as a pointer, the field that the detail is about. */
const error = (status: number, detail: string, field?: FieldError | string): ErrorCode => {
  if (field === undefined) return { status, detail };
  return {
    status,
    detail,
    errors: [typeof field === 'string' ? { detail, pointer: field } : field],
  };
};

const reuse = 'send the same request again, with the same Idempotency-Key';

const wholeOnly =
  'the provider of this account captures whole amounts only: capture without ' +
  'an amount, and refund what is too much once the capture is sent';

/** The errors of the API, each with its response. */
const CODES = {
  malformed_request: error(400, 'the request cannot be read: check that the body is valid JSON'),
  idempotency_key_missing: error(
    400,
    'send an Idempotency-Key of 1 to 128 visible characters, new for each intended change',
    { detail: 'is missing or malformed', parameter: 'Idempotency-Key' },
  ),
  unauthorized: error(401, 'send a valid API key as Authorization: Bearer <key>'),
  scope_missing: error(403, 'this key lacks the scope orders:write'),
  order_not_found: error(404, 'there is no such order'),
  payment_not_found: error(404, 'there is no such payment'),
  merchant_not_found: error(404, 'there is no such merchant'),
  person_not_found: error(404, 'the merchant has no such person'),
  document_not_found: error(404, 'the merchant has no such document'),
  terminal_not_found: error(404, 'the merchant has no such terminal'),
  event_not_found: error(404, 'there is no such event'),
  payout_not_found: error(404, 'there is no such payout'),
  exception_not_found: error(404, 'there is no such exception'),
  account_not_found: error(404, 'there is no such account'),
  ledger_account_not_found: error(404, 'there is no such ledger account'),
  route_not_found: error(404, 'there is no such route'),
  request_in_progress: error(
    409,
    'a request with this Idempotency-Key is in progress: repeat it shortly',
  ),
  account_registration_in_progress: error(
    409,
    'this merchant is being registered: repeat the request shortly',
  ),
  reference_taken: error(
    409,
    'the order ord_3xKq0Zb7Yw2m4c9NfTgV1hJa has this reference: read it, or use another reference',
    { detail: 'is taken', pointer: '#/reference' },
  ),
  order_paid: error(409, 'the order is paid: it can no longer be cancelled'),
  order_ended: error(409, 'the order has already ended: it is expired'),
  not_authorized: error(409, 'only an authorized payment is captured: none is yet'),
  payment_closing: error(409, 'the payment is being cancelled'),
  payment_ended: error(409, 'the payment has ended: it is canceled'),
  capture_in_progress: error(409, 'another capture of this payment is being made'),
  not_captured: error(409, 'only what was captured is refunded: the payment is to_capture'),
  payment_disputed: error(
    409,
    'the payer has disputed the payment: it is not refunded, however that ended',
  ),
  refund_in_progress: error(409, 'another refund of this payment is being made'),
  already_refunded: error(409, 'the payment is refunded already'),
  refund_exceeds_payment: error(409, 'only 750 is left to be refunded'),
  merchant_not_enabled: error(
    409,
    'the merchant takes no orders: its contract is not signed: give the merchant its ' +
      'subscription link',
    { detail: 'takes no orders: it is incomplete', pointer: '#/merchantId' },
  ),
  account_disabled: error(409, 'this merchant’s provider account is disabled'),
  account_in_use: error(
    409,
    'orders have used the provider account: disable it instead of withdrawing it',
  ),
  provider_key_taken: error(409, 'this key is another account’s: each has its own', {
    detail: 'is another account’s',
    pointer: '#/apiKey',
  }),
  merchant_onboarded: error(409, 'this merchant is onboarded here, which manages its accounts', {
    detail: 'is onboarded here',
    pointer: '#/merchantId',
  }),
  merchant_not_registered: error(409, 'the company is not registered yet: it is requested'),
  merchant_not_validated: error(
    409,
    'terminals are ordered for a validated or available merchant: it is incomplete',
  ),
  registration_in_progress: error(409, 'the company is being registered: wait for the outcome'),
  personal_data_erased: error(409, 'the details of this merchant have been erased'),
  people_not_replaceable: error(
    409,
    'the company is registered: its owners are added, changed and removed one by one',
    { detail: 'are changed one by one now', pointer: '#/details/owners' },
  ),
  person_exists: error(409, 'the owner pers_3xKq0Zb7Yw2m4c9NfTgV1hJa has this reference already', {
    detail: 'is taken',
    pointer: '#/reference',
  }),
  terminal_order_in_progress: error(
    409,
    'one terminal is being ordered: order the next one after it',
  ),
  terminal_not_pending: error(409, 'only a pending order is cancelled: it is shipped'),
  email_unavailable: error(
    409,
    'another merchant of the provider has this email: give another one',
    '#/details/user/contact/email',
  ),
  email_terminated: error(
    409,
    'the provider has ended a contract with this email: give another one',
    '#/details/user/contact/email',
  ),
  not_allowed: error(
    409,
    'the provider does not allow this in the merchant’s present status',
    '#/details/iban',
  ),
  provider_conflict: error(
    409,
    'this conflicts with what the provider has: the last representative stays',
  ),
  document_too_large: error(413, 'the file has more than 10 MiB', '#/file'),
  already_requested: error(409, 'an equal action is already open (act_3xKq0Zb7Yw2m4c9NfTgV1hJa)'),
  exception_closed: error(409, 'the exception is closed: it is in a payout'),
  body_too_large: error(413, 'the body is larger than this route takes'),
  uri_too_long: error(414, 'a part of the path is too long'),
  unsupported_media_type: error(415, 'send the body as application/json'),
  unsupported_document_type: error(
    415,
    'by its content the file is none of: PDF, JPEG, PNG',
    '#/file',
  ),
  document_empty: error(422, 'the file must not be empty', '#/file'),
  document_not_expected: error(
    422,
    'the provider expects no such document of this merchant: read which ones it expects',
    { detail: 'is not a person whose identity card is expected', parameter: 'personId' },
  ),
  mode_not_offered: error(
    422,
    'no merchant is onboarded in the mode live: there is no key for it',
    { detail: 'is not offered', pointer: '#/mode' },
  ),
  validation_failed: error(422, 'some fields are invalid', {
    code: 'unknown_field',
    detail: 'amount is not a field of this request',
    pointer: '#/amount',
  }),
  idempotency_key_reused: error(
    422,
    'this Idempotency-Key was used for another request: send a new one',
    { detail: 'was used for another request', parameter: 'Idempotency-Key' },
  ),
  card_number_not_allowed: error(
    422,
    'a field holds what looks like a card number; card numbers belong on the payment page only',
    { detail: 'looks like a card number', pointer: '#/reference' },
  ),
  iban_not_allowed: error(
    422,
    'a text holds an IBAN; account numbers belong in the fields that are made for them',
    { detail: 'holds an IBAN', pointer: '#/description' },
  ),
  unstorable_text: error(422, 'a text holds characters that cannot be stored', {
    detail: 'holds NUL or half a surrogate pair',
    pointer: '#/description',
  }),
  too_deep: error(422, 'nest values at most 32 levels deep'),
  merchant_unknown: error(
    422,
    'register an account for this merchant first: POST /v1/provider-accounts',
    { detail: 'has no provider account', pointer: '#/merchantId' },
  ),
  mandate_unknown: error(422, 'no payer of this merchant has signed this mandate', {
    detail: 'is not one of this merchant’s',
    pointer: '#/mandateId',
  }),
  invalid_methods: error(422, 'an order with a mandate is paid by sepa alone'),
  mode_required: error(422, 'this merchant has a test and a live account: say which'),
  invalid_expiry: error(422, 'an order expires between now and 30 days from now'),
  invalid_capture_delay: error(422, 'a delayed capture follows its authorization within 144 hours'),
  invalid_currency: error(422, 'a SEPA direct debit is paid in eur only'),
  invalid_provider_key: error(422, 'a test key begins with stest_', {
    detail: 'must begin with stest_',
    pointer: '#/apiKey',
  }),
  provider_key_rejected: error(422, 'the provider does not take this key', {
    detail: 'is refused by the provider',
    pointer: '#/apiKey',
  }),
  capture_exceeds_authorized: error(422, 'at most 1250 is left to be captured'),
  capability_missing: error(422, wholeOnly, {
    code: 'partialCapture',
    detail: wholeOnly,
    pointer: '#/amountMinor',
  }),
  limit_exceeded: error(
    422,
    'the daily limit key.refund.amount is 10000000000 eur in minor units: this is more',
    { code: 'key.refund.amount', detail: '0 of 10000000000 eur in minor units are used today' },
  ),
  limit_reached: error(
    429,
    'the daily limit platform.refund.count is 100000, and 100000 are used: retry on the next day (UTC)',
    { code: 'platform.refund.count', detail: '100000 of 100000 are used today' },
  ),
  upload_too_slow: error(408, 'the document was sent too slowly: send it again'),
  too_many_documents: error(429, 'too many documents are being transferred: try again'),
  rate_limited: error(429, 'too many requests: wait as long as Retry-After says'),
  internal_error: error(500, 'an internal error occurred'),
  provider_rejected: error(502, 'the payment provider refused our request'),
  provider_unauthorized: error(502, 'the payment provider refused our request'),
  temporarily_unavailable: error(503, `a dependency is temporarily unavailable: ${reuse}`),
  unavailable: error(503, 'the service is stopping or not ready: try again shortly'),
  busy: error(503, 'too much happens to this at once: repeat the request'),
  provider_unavailable: error(
    503,
    'the payment provider does not respond: repeat the request later; nothing is lost',
  ),
  reference_data_unavailable: error(
    503,
    'the provider’s lists of codes cannot be read now: repeat the request later; nothing was ' +
      'done',
  ),
  too_many_streams: error(503, 'too many event streams are open: try again'),
};

/** The machine-readable part of an error. */
export type Code = keyof typeof CODES;

export const ERROR_CODES: Readonly<Record<Code, ErrorCode>> = CODES;

/** The error to throw: the listed response with the given changes. */
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

/** The complete response of this error. */
export const exampleOf = (code: Code): ProblemBody =>
  problemBody(problem(code), 'req_4kPz8sVn2WcYt6LqBdRfXj0M');

/** All errors as a Markdown table. */
export const errorList = (): string => {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { status, detail }]) => `| ${status} | \`${code}\` | ${detail.replace('<', '&lt;')} |`,
  );
  return ['| Status | Code | For example |', '| --- | --- | --- |', ...rows].join('\n');
};
