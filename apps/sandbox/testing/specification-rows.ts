/**
 * The headings of the specifications and their completions, each with its rows, in the words with
 * which the rows of docs begin. Kept by hand: whoever changes a specification changes this list. A
 * heading that only holds others is not here; the rows of codes are one by one in the specs that
 * docs name.
 */
type Headings = Readonly<Record<string, readonly string[]>>;

export const PAYMENT_COLLECTION: Headings = {
  'What the service does': [
    'Payers pay by card and by direct debit', 'A payment intent, its page, its `url`',
    'The page in an iframe', '3D Secure', 'Authorized first, captured later',
    'Direct debit, also again by `sepa_<id>`', 'Webhooks', 'One base address', 'TLS 1.2',
    'HTTP/1.1', 'HTTP/2',
  ],
  'Online payment flow with 3D Secure': [
    '1 ', '2 ', '3 ', '4 ', '5 ', '6 ', '7 ', '8 ', 'Interrupted: 3D Secure alone',
    'Interrupted before authorization', 'Interrupted after authorization',
  ],
  'Manual capture': [
    'By the API where `capture=false`', 'By the User Area where the flow was interrupted',
  ],
  'SEPA direct debit': [
    'Page 1', 'Page 2', 'Page 3', 'Page 4', 'Import 1', 'Import 2', 'Import 3',
  ],
  'Test environment': [
    'Card accepted, 3D Secure optional, not required, not enrolled',
    'Card accepted through API channels', 'Card A1, 05, 51, 41', 'Card accepted then disputed',
    'SEPA accepted, many countries', 'SEPA refused: AC01, AC04, AC06, AG01, AM04, MD01, MD06, MS02',
    'SEPA accepted then disputed: AM04, AC04', 'Values of the test key only',
  ],
  'Identifier formats': [
    '`cust_`', '`pi_`', '`we_`', '`evt_`', '`sepa_`', '`addr_`', 'Customer: `id`, `name`, `email`',
  ],
  'Payment intent (fields)': [
    '`amount`', '`currency`', '`customer`', '`description`', '`capture`', '`methods_allowed`',
    '`id`, `url`, `status` answered', 'payment `status`, `response`', 'payment `auth`',
    'payout `status`', 'dispute `response`', 'webhook endpoint `url`, `id`, `secret`',
    'mandate import: sepa id, RUM, `upload_url`', 'event `id`, `type`, `data`',
  ],
  'Payment status': [
    '`authorized`, `to_capture`, `capture_sent`, `captured`, `disputed`, `expired`, `failed`, ' +
      '`refused`',
    'authorized:', 'to_capture: within the day; capture_sent; captured', 'capture_sent: no cancel',
    'status disputed', 'status expired', 'status failed', 'status refused',
    'authorized → to_capture', 'to_capture → capture_sent', 'capture_sent → captured',
    'authorized → expired', 'captured → disputed', 'Intent statuses `authorized`, `to_capture`',
  ],
  'Authenticated payment status': [
    'auth: all eight statuses', '`available`, then `requested`, `attempted`, `success`',
    'auth `declined`', 'auth `expired`', 'auth `failed`', 'auth `unavailable`',
  ],
  'Payout status': ['`pending`, `to_pay`, `sent`, `paid`', 'payout `failed`'],
  'Endpoints': [
    'GET /v2/addresses/', 'POST /v2/addresses/', 'GET /v2/addresses/{id}', 'POST /v2/customers/',
    'POST /v2/payment_intents/', 'GET /v2/payment_intents/{pi_id}',
    'POST /v2/payment_intents/{pi_id}/capture', 'The singular form', 'POST /v2/sepa',
    'POST /v2/mandates', 'POST {upload_url}', 'POST /v2/webhooks/', 'Generic read',
  ],
  'Authentication': ['1 ', '2 ', '3 ', '4 '],
  'Events': [
    'Delivery 1', 'Delivery 2', 'Delivery 3', 'Delivery 4', 'Attempts 1 to 15', 'Event body',
    'Signature 1', 'Signature 2, 3', 'Signature 4', 'Signature 5', 'Signature 6',
    'Types of customer', 'Types of card', 'Types of mandate', 'Types of payment_intent',
    'Types of payment:', 'Types of product', 'Types of price', 'Types of subscription',
    'Emission 1', 'Emission 2, 4', 'Emission 3, 5',
  ],
  'Errors': [
    '422', 'A receiver’s other status', 'Payment response codes: each row',
    'Card dispute codes: 14, 42, 45', 'SEPA dispute codes: each row',
    'Payment response codes: (M)', 'Payment response codes: the API gives the real one',
    'Card dispute codes: (M)',
  ],
  'Limits': [
    '`start`, `limit`', 'Authorization: 7 days', 'Strong authentication: 6 hours', '15 attempts',
    'Signature: one minute', '200 or 204',
  ],
  'Versioning': ['v2', 'Signatures carry v1'],
  'Conventions': [
    'Ids', 'Every resource has its prefix and its list', 'Amounts', 'Currencies', '`created`',
    '200', 'Plural, singular', 'An unknown key', 'A path id', 'Lists', 'Modes', '401',
    '404, 405, 413, 415, 422', '409', '500', 'Bearer',
  ],
  'Resources': [
    'address', 'customer', 'card', 'sepa', 'mandate', 'payment_intent', 'payment:', 'auth',
    'refund', 'dispute', 'payout', 'webhook endpoint', 'product', 'price', 'subscription',
    'References', 'DELETE', 'Without the page: `card`', 'Without the page: `threeds: none`',
    'Without the page: `sepa`', 'More verbs: PATCH, DELETE', 'More verbs: intents listed',
    'More verbs: intents canceled', 'More verbs: intents’ refund and refunds',
    'More verbs: `GET /v2/ping`',
  ],
  'States': [
    'Intent: all states', 'Intent: refused', 'Intent: `processing`, `unpaid`',
    'Intent: `unpaid` when the authorization expires', 'Payment: `canceled`', '`capture: true`',
    'Interrupted after 3D Secure', 'Interrupted: the User Area captures it', 'Capture twice',
    'Capture after expiry or cancel', 'Clearing', 'Payout', 'Refunds', 'SEPA',
    'The cancelling DELETE', 'Fees: card', 'Fees: SEPA', 'Fees: VAT', 'Fees: dispute',
    'Disputes by hand', 'The clock',
  ],
  'Events (completion)': [
    '`payment.succeeded`', 'Never sent: `payment_intent.captured`, `payment.captured`',
    'Never sent: `payment.disputed`', 'Never sent: `subscription.unpaid`', 'Refunds', 'Payouts',
    'The same id and body, a fresh `t`', 'The first attempt leaves 15 s after', '201 and redirects',
    '10 s',
  ],
  'Hosted page': [
    'No key', 'The bank is framed by the page only', 'English and French', 'Without a mouse',
    'On a phone', 'postMessage: each status', 'postMessage: target from `return_url`',
    'postMessage: target from the referrer', 'postMessage: `*`', 'The bank: Approve',
    'The bank: Refuse', 'The bank: Leave', 'The bank: `auth.status`', 'SEPA: 5 tries',
    'SEPA: 10 minutes', 'SEPA: the inbox, the signed PDF', 'Only masked codes',
  ],
  'Test values': ['Luhn-valid', 'Valid IBANs', '`GET /sandbox/test-values`', 'Shown on the page'],
  'Settled': [
    '`PATCH /v2/cards/{id}`: a renewed card', '`PATCH /v2/cards/{id}`: the pair together',
    'A DELETE may carry a body', 'List filters: customers', 'List filters: cards, sepa, mandates',
    'List filters: payment intents by `external_id`',
    'List filters: one that a list does not have', '`country` in either case',
    '`metadata`: any JSON value', '`metadata`: at most 16 KiB', '`GET /v2/ping`',
    'Cards outside the test list', 'Test cards have all of them', 'Disputes: evidence',
    'Disputes: two bank days', 'Disputes: by hand', 'Disputes: `out_of_time` after 20 days',
    'Disputes: won gives the amount back', 'PATCH of an intent with a card',
    'A SEPA intent is `processing`', '`{id}.pdf`', 'The card form: Tab',
    'The card form: digits in the name', 'The User Area: open on loopback',
    'The User Area: a sign-in', 'The User Area: a key of the account',
  ],
};

export const MERCHANT_ONBOARDING: Headings = {
  'Conventions': ['JSON, hyphenated names, dates', 'a country is alpha3'],
  'What the service does': ['activity determines mcc', 'link, status, terminals'],
  'Identifier prefixes': ['comp_, user_, pers_, addr_, acct_', 'dcmt_, term_'],
  'Company creation request': [
    'required fields',
    "every field's check: user.contact, legal-form, country, legal-id, legal-name, " +
      'date-registration, url, headquarters-address, iban, services, activity-reference, ' +
      'average-basket, forecast-turnover, field-of-activity, pnfe, owners, representatives',
    'legal-id: SIRET, or SIREN', 'average-basket, forecast-turnover: code of its form',
    'shipping-address', 'Address, birth, person objects', 'Person `id`',
  ],
  'Owners': ['person, capital, votes, control, transaction-identifier'],
  'Representatives': [
    'person or company, nested; position, transaction-identifier', 'exactly one',
    'one who is an owner',
  ],
  'Company response': [
    'id, status, accounts, activity-reference, average-basket, forecast-turnover, contact, ' +
      'country, date-registration, documents, enabled-services, headquarters-address, ' +
      'legal-form, legal-id, legal-name, trade-name, url, mcc, owners, representatives, pnfe; ' +
      'user, documents-to-upload',
    'iban masked',
  ],
  'Documents': [
    'kbis and iban', 'records', 'identity document record and meta file', 'Upload result',
  ],
  'Payment terminal fields': ['id, name, status, carrier-name, tracking-url'],
  'Company status': [
    'notComplete, pendingActivation, validated, available, pendingDeactivation, deactivate: ' +
      'any to any by PATCH',
  ],
  'Payment terminal status': [
    'pendingOrder, orderCancelled',
    "the clock's: orderInProgress, shipped, delivred, activated",
    "the User Area's: posLostByCarrier, pendingPosReturn, poskeptByMerchant, posReturned, " +
      'deactivated',
  ],
  'Endpoints': [
    'POST /company', 'GET /company', 'PATCH /company', 'DELETE /company-head', 'GET /naf-code',
    'GET /average-basket, GET /forecast-turnover', 'GET /currency',
    'GET /field-of-activity, GET /service', 'GET /countries', 'GET /language', 'GET /legal-form',
    'GET /legal-form-position', 'GET /document-upload-url',
    'POST {upload-url}, PATCH {upload-url}', 'GET /document', 'DELETE /document', 'Rule 1',
    'Rule 2', 'Rule 3', 'Rule 4', 'GET /subscription-link', 'GET /registration-progress',
    'PATCH /company-status', 'GET {manage_url}/api/partners/company-status-history',
    'POST /payment-terminal, GET /payment-terminal', 'POST /cancel-payment-terminal-order',
    'Prerequisites for ordering: status', 'Prerequisites for ordering: shipping-address',
    'Query parameters',
  ],
  'Authentication': ['Basic'],
  'Events': ['none'],
  'Errors': ['email-unavailable', 'email-terminated'],
  'Limits': [
    'since inclusive, until exclusive', "a legal person's representatives", 'capital and votes',
    'cancellation only while pendingOrder',
  ],
  'Versioning': ['none'],
  'Completion': [
    'Authentication: Basic, else 401', "Another partner's, or of the other mode: 404",
    'A live key gets 403', 'Two base addresses', 'Errors: shape and types',
    'Errors: validation, unsupported-media-type, too-large', 'Required at creation',
    'progress says what is missing', 'PATCH: objects merge, null clears',
    'PATCH: owners and representatives by person.id', 'PATCH: legal persons by company.id',
    'An unknown key', 'SIREN to SIRET', 'Checks: IBAN', 'Checks: phone',
    'Checks: codes, dates in the past', "Checks: the owners' sums",
    'Checks: exactly one of person and company',
    "Checks: a legal person's representatives not empty", 'Lookups: shapes',
    'Lookups: unknown or missing values are 422', 'Lookups: 732 sub-classes', 'DELETE answers',
    'The last representative', 'type=owner', 'Upload addresses', 'At most 10 MiB',
    'Type by content', 'iban: PDF', 'idcard: two files and meta',
    'Finalized: IBAN of X, GET /document 403', 'registration-progress', 'The page: reviews',
    'Signing moves to pendingActivation', 'Clock: validated after 1 day, available after 1 more',
    'REJECT', 'After PATCH /company-status the clock rests', 'POST, GET, PATCH answer',
    'email-terminated', 'Files are never parsed', 'History: days in Europe/Paris',
    'History: since >= until', 'History: the filter', 'terminated-by-service',
    'Terminals on the clock', 'Terminals: other statuses from the User Area', 'Terminals: too',
    'shipping-address', 'One account, and the first row of the history',
    'GET /company-keys: keys at available, working, until deactivate', 'Keys: shown once',
  ],
};

/** Each row after its heading, as the rows of docs begin. */
export const listedRows = (headings: Headings): readonly string[] =>
  Object.entries(headings).flatMap(([heading, rows]) => rows.map((row) => `${heading}: ${row}`));

/** `PATCH /company` begins "PATCH /company after …", but not "PATCH /company-status". */
const begins = (row: string, what: string): boolean =>
  what.startsWith(row) && !/^\w[\w-]/.test(what.slice(row.length - 1));

/**
 * What of these no row of docs names. A row of docs begins with its heading, a colon, and the
 * listed row that it shows; where several begin it, it shows the longest and none of the others.
 */
export const unnamedRows = (headings: Headings, whats: readonly string[]): readonly string[] => {
  const listed = listedRows(headings);
  const longestFirst = listed.toSorted((one, other) => other.length - one.length);
  const shown = new Set(whats.map((what) => longestFirst.find((row) => begins(row, what))));
  return listed.filter((row) => !shown.has(row));
};
