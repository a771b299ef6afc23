/**
 * The headings of the specifications and their completions, each with its rows, in the words by
 * which the tables of docs name them. A heading that only holds others is not here; the rows of
 * codes are one by one in the specs that those tables name.
 */
type Headings = Readonly<Record<string, readonly string[]>>;

export const PAYMENT_COLLECTION: Headings = {
  'What the service does': [
    'by card and by direct debit', '`url`', 'iframe', '3D Secure', 'captured later', '`sepa_<id>`',
    'Webhooks', 'live from test', 'TLS 1.2', 'HTTP/1.1', 'HTTP/2',
  ],
  'Online payment flow with 3D Secure': [
    '1 ', '2 ', '3 ', '4 ', '5 ', '6 ', '7 ', '8 ', 'Interrupted: 3D Secure alone',
    'Interrupted before authorization', 'Interrupted after authorization',
  ],
  'Manual capture': ['`capture=false`', 'User Area'],
  'SEPA direct debit': [
    'Page 1', 'Page 2', 'Page 3', 'Page 4', 'Import 1', 'Import 2', 'Import 3',
  ],
  'Test environment': [
    'Card accepted, 3D Secure optional, not required, not enrolled', 'API channels', 'A1', '05',
    '51', '41', 'Card accepted then disputed', 'SEPA accepted', 'AC01', 'AC04', 'AC06', 'AG01',
    'AM04', 'MD01', 'MD06', 'MS02', 'SEPA accepted then disputed', 'test key only',
  ],
  'Identifier formats': ['cust_', 'pi_', 'we_', 'evt_', 'sepa_', 'addr_', 'Customer'],
  'Payment intent (fields)': [
    'amount', 'currency', 'customer', 'description', 'capture', 'methods_allowed', 'id', 'url',
    'status', 'payment `status`', '`response`', 'payment `auth`', 'payout `status`',
    'dispute `response`', 'webhook endpoint `url`, `id`, `secret`', 'mandate import',
    'event `id`, `type`, `data`',
  ],
  'Payment status': [
    '`authorized`', '`to_capture`', '`capture_sent`', '`captured`', '`disputed`', '`expired`',
    '`failed`', '`refused`', 'authorized → to_capture', 'to_capture → capture_sent',
    'capture_sent → captured', 'authorized → expired', 'captured → disputed', 'Intent statuses',
  ],
  'Authenticated payment status': [
    '`available`', '`requested`', '`attempted`', '`success`', '`declined`', '`expired`', '`failed`',
    '`unavailable`',
  ],
  'Payout status': ['`pending`', '`to_pay`', '`sent`', '`paid`', '`failed`'],
  'Endpoints': [
    'GET /v2/addresses/', 'POST /v2/addresses/', 'GET /v2/addresses/{id}', 'POST /v2/customers/',
    'POST /v2/payment_intents/', 'GET /v2/payment_intents/{pi_id}',
    'POST /v2/payment_intents/{pi_id}/capture', '`/payment_intent/<pi_id>`', 'POST /v2/sepa',
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
    '422', 'other status', 'Payment response codes: each row', 'Card dispute codes: 14, 42, 45',
    'SEPA dispute codes: each row', 'Payment response codes: (M)', 'Card dispute codes: (M)',
  ],
  'Limits': ['`start`', '`limit`', '7 days', '6 hours', '15 attempts', 'one minute', '200 or 204'],
  'Versioning': ['v2', 'v1'],
  'Conventions': [
    'Ids', 'Amounts', 'Currencies', '`created`', '200', 'Plural, singular', 'unknown key',
    'path id', 'Lists', 'Modes', '401', '404, 405, 413, 415, 422', '409', '500', 'Bearer',
  ],
  'Resources': [
    'address', 'customer', 'card', 'sepa', 'mandate', 'payment_intent', 'payment:', 'auth',
    'refund', 'dispute', 'payout', 'webhook endpoint', 'product', 'price', 'subscription',
    'References', 'DELETE', 'Without the page: `card`', 'Without the page: `sepa`', 'More verbs',
  ],
  'States': [
    'Intent: all states', 'Intent: refused', '`processing`, `unpaid`', 'Payment: `canceled`',
    '`capture: true`', 'Interrupted after 3D Secure', 'Capture twice', 'Clearing', 'Payout',
    'Refunds', 'SEPA', 'The cancelling DELETE', 'Fees: card', 'Fees: SEPA', 'Fees: VAT',
    'Fees: dispute', 'Disputes by hand', 'The clock',
  ],
  'Events (completion)': [
    '`payment.succeeded`', '`payment_intent.captured`, `payment.captured`', '`payment.disputed`',
    '`subscription.unpaid`', 'Refunds', 'Payouts', 'fresh `t`', '15 s', '201 and redirects', '10 s',
  ],
  'Hosted page': [
    'No key', 'English and French', 'Without a mouse', 'On a phone', 'postMessage: each status',
    '`return_url`', 'referrer', '`*`', 'Approve', 'Refuse', 'Leave', '`auth.status`', '5 tries',
    '10 minutes', 'inbox', 'signed PDF', 'masked codes',
  ],
  'Test values': ['Luhn-valid', 'IBANs', '`GET /sandbox/test-values`', 'Shown on the page'],
};

export const MERCHANT_ONBOARDING: Headings = {
  'Conventions': ['hyphenated', 'dates', 'alpha3'],
  'What the service does': ['mcc', 'link, status, terminals'],
  'Identifier prefixes': ['comp_', 'user_', 'pers_', 'addr_', 'acct_', 'dcmt_', 'term_'],
  'Company creation request': [
    'user.contact', 'legal-form', 'country', 'legal-id', 'legal-name', 'date-registration', 'url',
    'headquarters-address', 'iban', 'services', 'activity-reference', 'average-basket',
    'forecast-turnover', 'field-of-activity', 'pnfe', 'owners', 'representatives',
    'shipping-address', 'Address, birth, person objects',
  ],
  'Owners': ['person', 'capital', 'votes', 'control', 'transaction-identifier'],
  'Representatives': ['person', 'company', 'position', 'transaction-identifier', 'exactly one'],
  'Company response': [
    'accounts', 'activity-reference', 'average-basket', 'forecast-turnover', 'contact', 'country',
    'date-registration', 'documents', 'enabled-services', 'headquarters-address', 'iban masked',
    'legal-form', 'legal-id', 'legal-name', 'trade-name', 'url', 'mcc', 'owners',
    'representatives', 'pnfe', 'documents-to-upload', 'user',
  ],
  'Documents': ['kbis and iban', 'records', 'meta file', 'Upload result'],
  'Payment terminal fields': ['id', 'name', 'status', 'carrier-name', 'tracking-url'],
  'Company status': [
    'notComplete', 'pendingActivation', 'validated', 'available', 'pendingDeactivation',
    'deactivate', 'by PATCH',
  ],
  'Payment terminal status': [
    'pendingOrder', 'orderCancelled', 'orderInProgress', 'shipped', 'delivred', 'activated',
    'posLostByCarrier', 'pendingPosReturn', 'poskeptByMerchant', 'posReturned', 'deactivated',
  ],
  'Endpoints': [
    'POST /company', 'GET /company', 'PATCH /company', 'DELETE /company-head', 'GET /naf-code',
    'GET /average-basket', 'GET /currency', 'GET /field-of-activity', 'GET /forecast-turnover',
    'GET /countries', 'GET /language', 'GET /legal-form', 'GET /legal-form-position',
    'GET /service', 'GET /document-upload-url', 'POST {upload-url}', 'PATCH {upload-url}',
    'GET /document', 'DELETE /document', 'Rule 1', 'Rule 2', 'Rule 3', 'Rule 4',
    'GET /subscription-link', 'GET /registration-progress', 'PATCH /company-status',
    'GET {manage_url}/api/partners/company-status-history', 'POST /payment-terminal',
    'GET /payment-terminal', 'POST /cancel-payment-terminal-order', 'Prerequisites for ordering',
  ],
  'Authentication': ['Basic'],
  'Events': ['none'],
  'Errors': ['email-unavailable', 'email-terminated'],
  'Limits': [
    'since inclusive, until exclusive', 'legal person', 'capital and votes', 'pendingOrder',
  ],
  'Versioning': ['none'],
  'Completion': [
    'Authentication: Basic, else 401', '404', '403', 'Two base addresses', 'Errors',
    'Required at creation', 'PATCH', 'null clears', 'unknown key', 'SIREN to SIRET', 'Checks: IBAN',
    'Checks: phone', 'Checks: codes', 'dates in the past', "owners' sums", 'not empty',
    'exactly one of person and company', 'Lookups: shapes', '422', '732', 'DELETE answers',
    'last representative', 'type=owner', 'Upload addresses', '10 MiB', 'by content', 'PDF',
    'two files and meta', 'IBAN of X', 'registration-progress', 'The page: reviews',
    'pendingActivation', 'validated after 1 day', 'REJECT', 'the clock rests',
    'POST, GET, PATCH answer', 'email-terminated', 'never parsed', 'Europe/Paris', 'since >= until',
    'the filter', 'terminated-by-service', 'Terminals on the clock', 'User Area', 'Terminals: too',
    'shipping-address', 'One account', 'first row', 'keys at available', 'shown once',
    'GET /company-keys',
  ],
};

/** What of these the docs' rows do not name: a row begins with its heading and a colon. */
export const unnamedRows = (headings: Headings, whats: readonly string[]): readonly string[] =>
  Object.entries(headings).flatMap(([heading, rows]) => {
    const own = whats
      .filter((what) => what.startsWith(`${heading}: `))
      .map((what) => what.slice(heading.length + 2));
    return rows
      .filter((row) => !own.some((what) => what.includes(row)))
      .map((row) => `${heading}: ${row}`);
  });
