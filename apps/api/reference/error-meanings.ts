import type { Code } from '../shared/error-codes.js';
import { AGAIN, CONFLICTS, type Meaning } from './conflict-meanings.js';

const CHECK_ID = 'Check the id, and that the key belongs to the platform that owns it.';
const OPERATOR = 'Send the `correlationId` to the operators of the service.';

/** The meaning of each error for the error catalogue. */
export const ERROR_MEANINGS: Readonly<Record<Code, Meaning>> = {
  malformed_request: [
    'The request cannot be read; nothing was changed.',
    'Send a body that is valid JSON, with `Content-Type: application/json`.',
  ],
  idempotency_key_missing: [
    'The request would change something and has no usable `Idempotency-Key`.',
    'Send 1 to 128 visible characters: new for each intended change, the same for each repetition.',
  ],
  unauthorized: [
    'The API key is missing, wrong, expired or revoked.',
    'Send a valid key as `Authorization: Bearer po_…`.',
  ],
  scope_missing: [
    'The key is valid but lacks the scope that the request needs.',
    'Use a key with the scope that `detail` names, or let an operator create one.',
  ],
  order_not_found: ['No order of your platform has this id.', CHECK_ID],
  payment_not_found: ['No payment of your platform has this id.', CHECK_ID],
  merchant_not_found: ['No merchant of your platform has this id.', CHECK_ID],
  person_not_found: [
    'The merchant has no owner or representative with this id.',
    'Read the ids from the details of the merchant.',
  ],
  document_not_found: [
    'The merchant has no document with this id.',
    'Read the ids from the list of the merchant’s documents.',
  ],
  terminal_not_found: [
    'The merchant has no terminal with this id.',
    'Read the ids from the list of the merchant’s terminals.',
  ],
  event_not_found: [
    'The stream of events has no such version, or is not of your platform.',
    'Check the id and the version; versions begin with 1.',
  ],
  payout_not_found: ['No payout of your merchants has this id.', CHECK_ID],
  exception_not_found: ['No reconciliation break of your merchants has this id.', CHECK_ID],
  account_not_found: ['No provider account of your merchants has this id.', CHECK_ID],
  webhook_endpoint_not_found: ['No webhook endpoint of your platform has this id.', CHECK_ID],
  webhook_delivery_not_found: [
    'No webhook delivery of your platform has this id, or it is older than 30 days.',
    CHECK_ID,
  ],
  ledger_account_not_found: [
    'The ledger has no account with this name.',
    'Read the names from `GET /v1/ledger/accounts`.',
  ],
  route_not_found: [
    'The API has no such method and path.',
    'Check both in the reference; paths begin with `/v1/`.',
  ],
  upload_too_slow: [
    'The document arrived too slowly and was not stored.',
    'Send it again over a faster connection.',
  ],
  ...CONFLICTS,
  document_too_large: ['The file is larger than 10 MiB.', 'Send a smaller one.'],
  body_too_large: ['The body is larger than the route accepts.', 'Send a smaller one.'],
  uri_too_long: ['A part of the path is too long to be an id.', 'Shorten it.'],
  unsupported_media_type: [
    'The route does not accept this content type.',
    'Send `application/json`, or for documents `multipart/form-data`.',
  ],
  unsupported_document_type: [
    'The content of the file is not of a type that the provider accepts.',
    'Send a PDF, JPEG or PNG; a proof of the bank account must be a PDF.',
  ],
  document_empty: ['The file has no content.', 'Send the file with its content.'],
  document_not_expected: [
    'The provider does not expect such a document of the merchant.',
    'Read the list of the merchant’s documents: `expected` says which ones it needs.',
  ],
  mode_not_offered: [
    'The service has no partner key for this mode.',
    'Use the other mode, or ask the operators to configure the key.',
  ],
  validation_failed: [
    'Some fields are missing, unknown or invalid; nothing was changed.',
    'Correct each field that `errors` lists by its `pointer` or `parameter`.',
  ],
  idempotency_key_reused: [
    'The `Idempotency-Key` was used for a request with another content.',
    'Use a new key for a new change; repeat a request only unchanged.',
  ],
  card_number_not_allowed: [
    'A text, perhaps the `Idempotency-Key`, contains what looks like a card number; it was not stored. These are 13 to 19 digits, uninterrupted, one by one or in the groups of a card, that begin like a card number of this length and pass the Luhn check. Times since 1970 and UUIDs never look like one.',
    'Remove it, or choose another id: put a letter between its digits, or use a UUID. Payers enter card numbers on the payment page only.',
  ],
  iban_not_allowed: [
    'A text contains an IBAN; it was not stored.',
    'Send account numbers in the field that is meant for them.',
  ],
  unstorable_text: [
    'A text contains characters that cannot be stored.',
    'Remove NUL and unpaired surrogates.',
  ],
  too_deep: ['The body is nested too deeply.', 'Use at most 32 levels.'],
  merchant_unknown: [
    'The platform has no merchant and no provider account with this `merchantId`.',
    'A new platform has no merchants: onboard one, with an e-mail address of its own, or register its account.',
  ],
  mandate_unknown: [
    'No payer of this merchant has signed this mandate.',
    'Read the merchant’s mandates; a mandate serves one merchant only.',
  ],
  invalid_methods: [
    'A mandate can be debited only by direct debit.',
    'Send `"methods":["sepa"]` with a `mandateId`.',
  ],
  mode_required: [
    'The merchant has a test account and a live account.',
    'Say which one by `mode`.',
  ],
  invalid_amount: ['The amount is not positive.', 'Send a positive number of minor units.'],
  invalid_expiry: [
    'The order would expire in the past, or later than in 30 days.',
    'Choose another `expiresIn`.',
  ],
  invalid_capture_delay: [
    'The delay is not positive, or longer than an authorization surely lasts.',
    'Choose a delay of at most six days.',
  ],
  invalid_currency: [
    'A SEPA direct debit is possible in euro only.',
    'Send `eur`, or remove `sepa` from `methods`.',
  ],
  invalid_provider_key: [
    'The provider’s API key does not belong to the mode.',
    'Send a test key with `test`, a live key with `live`.',
  ],
  provider_key_rejected: ['The provider does not accept the API key.', 'Check the key.'],
  capture_exceeds_authorized: [
    'More would be captured than is left of the authorized amount.',
    'Request at most what `detail` and `capturableMinor` name.',
  ],
  capability_missing: [
    'The provider of the merchant’s account cannot do this; `errors` names the capability.',
    'Use what it can do: capture the whole amount, and refund the excess.',
  ],
  limit_exceeded: [
    'The request alone exceeds a daily limit, which `errors` names.',
    'Ask the operators to raise the limit, or send smaller requests.',
  ],
  limit_reached: [
    'A daily limit, which `errors` names, is used up.',
    `${AGAIN} Wait for the next day (UTC), or let the operators raise the limit.`,
  ],
  too_many_documents: [
    'Too many documents are being transferred at this moment.',
    `${AGAIN} Wait a few seconds before.`,
  ],
  rate_limited: [
    'The key has sent too many requests in a second.',
    `${AGAIN} Wait for the seconds in \`Retry-After\` before.`,
  ],
  internal_error: [
    'A bug in the service; whether anything was changed is open.',
    `${AGAIN} ${OPERATOR}`,
  ],
  provider_rejected: [
    'The provider rejected a request of the service.',
    `Do not repeat the request. ${OPERATOR}`,
  ],
  provider_unauthorized: [
    'The provider does not accept the stored API key of the merchant’s account any more.',
    'Register the account again with a valid key.',
  ],
  temporarily_unavailable: ['A dependency, such as the database, is unavailable.', AGAIN],
  unavailable: ['The service is starting or stopping.', `${AGAIN} Wait a few seconds before.`],
  busy: ['Too many changes of the same resource at the same time.', AGAIN],
  provider_unavailable: [
    'The provider does not respond. What was requested is not executed twice.',
    `${AGAIN} Wait for the seconds in \`Retry-After\` before.`,
  ],
  reference_data_unavailable: [
    'The provider’s lists of codes cannot be read; nothing was changed.',
    `${AGAIN} Wait a minute before.`,
  ],
  too_many_streams: ['Too many event streams are open.', 'Close some, or open this one later.'],
};
