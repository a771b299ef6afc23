import { STATUS_CODES } from 'node:http';
import type { ProblemBody } from '#platform';

interface ErrorCode {
  readonly status: number;
  readonly detail: string;
  readonly errors?: ProblemBody['errors'];
}

const reuse = 'send the same request again, with the same Idempotency-Key';

const wholeOnly =
  'the provider of this account captures whole amounts only: capture without ' +
  'an amount, and refund what is too much once the capture is sent';

/** The errors that a caller can meet, each as it is answered. */
const CODES = {
  malformed_request: {
    status: 400,
    detail: 'the request cannot be read: check that the body is valid JSON',
  },
  idempotency_key_missing: {
    status: 400,
    detail: 'send an Idempotency-Key of 1 to 128 visible characters, new for each intended change',
    errors: [{ detail: 'is missing or malformed', parameter: 'Idempotency-Key' }],
  },
  unauthorized: { status: 401, detail: 'send a valid API key as Authorization: Bearer <key>' },
  scope_missing: { status: 403, detail: 'this key lacks the scope orders:write' },
  order_not_found: { status: 404, detail: 'there is no such order' },
  payment_not_found: { status: 404, detail: 'there is no such payment' },
  merchant_not_found: { status: 404, detail: 'there is no such merchant' },
  head_not_found: { status: 404, detail: 'the merchant has no such person' },
  document_not_found: { status: 404, detail: 'the merchant has no such document' },
  terminal_not_found: { status: 404, detail: 'the merchant has no such terminal' },
  event_not_found: { status: 404, detail: 'there is no such event' },
  payout_not_found: { status: 404, detail: 'there is no such payout' },
  exception_not_found: { status: 404, detail: 'there is no such exception' },
  account_not_found: { status: 404, detail: 'there is no such account' },
  ledger_account_not_found: { status: 404, detail: 'there is no such ledger account' },
  route_not_found: { status: 404, detail: 'there is no such route' },
  request_in_flight: {
    status: 409,
    detail: 'a request with this Idempotency-Key is being carried out: repeat it shortly',
  },
  registration_in_flight: {
    status: 409,
    detail: 'this merchant is being registered: repeat the request shortly',
  },
  reference_taken: {
    status: 409,
    detail:
      'the order ord_3xKq0Zb7Yw2m4c9NfTgV1hJa has this reference: read it, or use another reference',
    errors: [{ detail: 'is taken', pointer: '#/reference' }],
  },
  order_paid: { status: 409, detail: 'the order is paid: it can no longer be cancelled' },
  order_ended: { status: 409, detail: 'the order has ended already: it is expired' },
  not_authorized: {
    status: 409,
    detail: 'only an authorized payment is captured: none is yet',
  },
  payment_closing: { status: 409, detail: 'the payment is being cancelled' },
  payment_ended: { status: 409, detail: 'the payment has ended: it is canceled' },
  capture_in_flight: { status: 409, detail: 'another capture of this payment is being made' },
  not_captured: {
    status: 409,
    detail: 'only what was captured is refunded: the payment is to_capture',
  },
  payment_disputed: {
    status: 409,
    detail: 'the payer has disputed the payment: it is not refunded, however that ended',
  },
  refund_in_flight: { status: 409, detail: 'another refund of this payment is being made' },
  already_refunded: { status: 409, detail: 'the payment is refunded already' },
  refund_exceeds_payment: { status: 409, detail: 'only 750 is left to be refunded' },
  merchant_not_open: {
    status: 409,
    detail:
      'the merchant takes no orders: its contract is not signed: give the merchant its ' +
      'subscription link',
    errors: [{ detail: 'takes no orders: it is incomplete', pointer: '#/merchantId' }],
  },
  account_disabled: {
    status: 409,
    detail: 'this merchant’s provider account is disabled',
  },
  account_in_use: {
    status: 409,
    detail: 'orders have used it: it is disabled, not withdrawn',
  },
  provider_key_taken: {
    status: 409,
    detail: 'this key is another account’s: each has its own',
    errors: [{ detail: 'is another account’s', pointer: '#/apiKey' }],
  },
  merchant_onboarded: {
    status: 409,
    detail: 'this merchant is onboarded here: its accounts are kept by itself',
    errors: [{ detail: 'is onboarded here', pointer: '#/merchantId' }],
  },
  merchant_not_registered: {
    status: 409,
    detail: 'the company is not registered yet: it is requested',
  },
  merchant_not_validated: {
    status: 409,
    detail: 'terminals are ordered for a validated or available merchant: it is incomplete',
  },
  registration_under_way: {
    status: 409,
    detail: 'the company is being registered: wait for the outcome',
  },
  personal_data_erased: {
    status: 409,
    detail: 'the details of this merchant have been erased',
  },
  heads_apart: {
    status: 409,
    detail: 'the company is registered: its owners are added, changed and removed one by one',
    errors: [{ detail: 'are changed one by one now', pointer: '#/details/owners' }],
  },
  head_exists: {
    status: 409,
    detail: 'the owner pers_3xKq0Zb7Yw2m4c9NfTgV1hJa has this reference already',
    errors: [{ detail: 'is taken', pointer: '#/reference' }],
  },
  terminal_order_under_way: {
    status: 409,
    detail: 'one terminal is being ordered: order the next one after it',
  },
  terminal_not_pending: {
    status: 409,
    detail: 'only a pending order is cancelled: it is shipped',
  },
  email_unavailable: {
    status: 409,
    detail: 'another merchant of the provider has this email: give another one',
    errors: [
      {
        detail: 'another merchant of the provider has this email: give another one',
        pointer: '#/details/user/contact/email',
      },
    ],
  },
  email_terminated: {
    status: 409,
    detail: 'the provider has ended a contract with this email: give another one',
    errors: [
      {
        detail: 'the provider has ended a contract with this email: give another one',
        pointer: '#/details/user/contact/email',
      },
    ],
  },
  not_allowed: {
    status: 409,
    detail: 'the provider does not allow this in the merchant’s present status',
    errors: [
      {
        detail: 'the provider does not allow this in the merchant’s present status',
        pointer: '#/details/iban',
      },
    ],
  },
  provider_conflict: {
    status: 409,
    detail: 'this conflicts with what the provider has: the last representative stays',
  },
  document_too_large: {
    status: 413,
    detail: 'the file has more than 10 MiB',
    errors: [{ detail: 'the file has more than 10 MiB', pointer: '#/file' }],
  },
  already_asked: {
    status: 409,
    detail: 'the same is asked for already, and not over (act_3xKq0Zb7Yw2m4c9NfTgV1hJa)',
  },
  exception_closed: { status: 409, detail: 'the exception is closed: it is in a payout' },
  body_too_large: { status: 413, detail: 'the body is larger than this route takes' },
  uri_too_long: { status: 414, detail: 'a part of the path is too long' },
  unsupported_media_type: { status: 415, detail: 'send the body as application/json' },
  document_type: {
    status: 415,
    detail: 'by its content the file is none of: PDF, JPEG, PNG',
    errors: [
      {
        detail: 'by its content the file is none of: PDF, JPEG, PNG',
        pointer: '#/file',
      },
    ],
  },
  document_empty: {
    status: 422,
    detail: 'the file must not be empty',
    errors: [{ detail: 'the file must not be empty', pointer: '#/file' }],
  },
  document_not_expected: {
    status: 422,
    detail: 'the provider expects no such document of this merchant: read which ones it expects',
    errors: [{ detail: 'is nobody whose identity card is expected', parameter: 'personId' }],
  },
  mode_not_offered: {
    status: 422,
    detail: 'no merchant is onboarded in the mode live: there is no key for it',
    errors: [{ detail: 'is not offered', pointer: '#/mode' }],
  },
  validation_failed: {
    status: 422,
    detail: 'some fields are not as they must be',
    errors: [
      {
        code: 'unknown_field',
        detail: 'amount is not a field of this request',
        pointer: '#/amount',
      },
    ],
  },
  idempotency_key_reused: {
    status: 422,
    detail: 'this Idempotency-Key was used for another request: send a new one',
    errors: [{ detail: 'was used for another request', parameter: 'Idempotency-Key' }],
  },
  card_number_refused: {
    status: 422,
    detail:
      'a field holds what looks like a card number; card numbers belong on the payment page only',
    errors: [{ detail: 'looks like a card number', pointer: '#/reference' }],
  },
  iban_refused: {
    status: 422,
    detail: 'a text holds an IBAN; account numbers belong in the fields that are made for them',
    errors: [{ detail: 'holds an IBAN', pointer: '#/description' }],
  },
  unstorable_text: {
    status: 422,
    detail: 'a text holds characters that cannot be stored',
    errors: [{ detail: 'holds NUL or half a surrogate pair', pointer: '#/description' }],
  },
  too_deep: { status: 422, detail: 'nest values at most 32 levels deep' },
  merchant_unknown: {
    status: 422,
    detail: 'register an account for this merchant first: POST /v1/provider-accounts',
    errors: [{ detail: 'has no provider account', pointer: '#/merchantId' }],
  },
  mandate_unknown: {
    status: 422,
    detail: 'no payer of this merchant has signed this mandate',
    errors: [{ detail: 'is not one of this merchant’s', pointer: '#/mandateId' }],
  },
  invalid_methods: {
    status: 422,
    detail: 'an order with a mandate is paid by sepa alone',
  },
  mode_required: {
    status: 422,
    detail: 'this merchant has a test and a live account: say which',
  },
  invalid_expiry: { status: 422, detail: 'an order expires between now and 30 days from now' },
  invalid_capture_delay: {
    status: 422,
    detail: 'a delayed capture follows its authorization within 144 hours',
  },
  invalid_currency: { status: 422, detail: 'a SEPA direct debit is paid in eur only' },
  invalid_provider_key: {
    status: 422,
    detail: 'a test key begins with stest_',
    errors: [{ detail: 'must begin with stest_', pointer: '#/apiKey' }],
  },
  provider_key_refused: {
    status: 422,
    detail: 'the provider does not take this key',
    errors: [{ detail: 'is refused by the provider', pointer: '#/apiKey' }],
  },
  capture_exceeds_authorized: { status: 422, detail: 'at most 1250 is left to be captured' },
  capability_missing: {
    status: 422,
    detail: wholeOnly,
    errors: [{ code: 'partialCapture', detail: wholeOnly, pointer: '#/amountMinor' }],
  },
  limit_exceeded: {
    status: 422,
    detail: 'the daily limit key.refund.amount is 10000000000 eur in minor units: this is more',
    errors: [
      {
        code: 'key.refund.amount',
        detail: '0 of 10000000000 eur in minor units are used today',
      },
    ],
  },
  limit_reached: {
    status: 429,
    detail:
      'the daily limit platform.refund.count is 100000, and 100000 are used: wait for a new day',
    errors: [{ code: 'platform.refund.count', detail: '100000 of 100000 are used today' }],
  },
  upload_too_slow: {
    status: 408,
    detail: 'the document came too slowly: send it again',
  },
  too_many_documents: {
    status: 429,
    detail: 'too many documents are on their way: try again',
  },
  rate_limited: { status: 429, detail: 'too many requests: wait as long as Retry-After says' },
  internal_error: { status: 500, detail: 'something went wrong on our side' },
  provider_rejected: { status: 502, detail: 'the payment provider refused our request' },
  provider_unauthorized: { status: 502, detail: 'the payment provider refused our request' },
  temporarily_unavailable: {
    status: 503,
    detail: `a part of the service is away for a moment: ${reuse}`,
  },
  unavailable: {
    status: 503,
    detail: 'the service is stopping or not ready: try again shortly',
  },
  busy: { status: 503, detail: 'too much happens to this at once: repeat the request' },
  provider_unavailable: {
    status: 503,
    detail: 'the payment provider does not answer now: repeat the request later; nothing is lost',
  },
  lookups_unavailable: {
    status: 503,
    detail:
      'the provider’s lists of codes cannot be read now: repeat the request later; nothing was ' +
      'done',
  },
  too_many_streams: { status: 503, detail: 'too many event streams are open: try again' },
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** What a program reads of an error. */
export type Code = keyof typeof CODES;

export const ERROR_CODES: Readonly<Record<Code, ErrorCode>> = CODES;

/** An answer with this error, whole. */
export const exampleOf = (code: Code): ProblemBody => {
  const { status, detail, errors } = ERROR_CODES[code];
  return {
    type: `urn:problem-type:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    code,
    ...(errors === undefined ? {} : { errors }),
    correlationId: 'req_4kPz8sVn2WcYt6LqBdRfXj0M',
  };
};

/** The list of all of them, as Markdown. */
export const errorList = (): string => {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { status, detail }]) => `| ${status} | \`${code}\` | ${detail.replace('<', '&lt;')} |`,
  );
  return ['| Status | Code | For example |', '| --- | --- | --- |', ...rows].join('\n');
};
