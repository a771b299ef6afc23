import type { WireRoute } from './routes.js';

/** The texts that describe an endpoint, in addition to its schemas. */
export interface EndpointWords {
  readonly tag: string;
  readonly summary: string;
  /** Error statuses that only some endpoints return. */
  readonly refusals?: readonly (403 | 404 | 409)[];
}

const company = (summary: string, ...refusals: readonly (403 | 404 | 409)[]): EndpointWords => ({
  tag: 'Companies',
  summary,
  refusals,
});
const lookup = (summary: string): EndpointWords => ({ tag: 'Lookups', summary });
const document = (summary: string, ...refusals: readonly (403 | 404 | 409)[]): EndpointWords => ({
  tag: 'Documents',
  summary,
  refusals,
});
const registration = (
  summary: string,
  ...refusals: readonly (403 | 404 | 409)[]
): EndpointWords => ({ tag: 'Registration', summary, refusals });
const terminal = (summary: string, ...refusals: readonly (403 | 404 | 409)[]): EndpointWords => ({
  tag: 'Payment terminals',
  summary,
  refusals,
});

/**
 * The texts of every endpoint by method and path; `onboarding-document.ts` fails when one is
 * missing.
 */
export const ONBOARDING_WORDS: Readonly<Record<string, EndpointWords>> = {
  'POST /company': company('Create a company', 409),
  'GET /company': company('Read a company', 404),
  'PATCH /company': company('Change a company', 404, 409),
  'DELETE /company-head': company('Remove a representative or an owner', 404, 409),
  'GET /naf-code': lookup('Activities, each with its merchant category'),
  'GET /average-basket': lookup('Ranges for the average amount of a payment'),
  'GET /currency': lookup('Currencies'),
  'GET /field-of-activity': lookup('Fields of activity'),
  'GET /forecast-turnover': lookup('Ranges for the expected yearly turnover'),
  'GET /countries': lookup('Countries allowed for a purpose'),
  'GET /language': lookup('Languages'),
  'GET /legal-form': lookup('Legal forms of a country'),
  'GET /legal-form-position': lookup('Positions of representatives for a legal form'),
  'GET /service': lookup('Services available to companies'),
  'GET /document-upload-url': document('Upload URL of each expected document', 404),
  'POST /document/:token': document('Upload a document', 404, 409),
  'PATCH /document/:token': document('Replace a document', 404, 409),
  'GET /document': document('Read a document’s file', 403, 404),
  'DELETE /document': document('Delete a document', 404, 409),
  'GET /subscription-link': registration('Page where the merchant registers and signs', 404),
  'GET /registration-progress': registration('Missing data of a registration, by step', 404),
  'PATCH /company-status': registration('Set any status (test key only)', 403, 404),
  'GET /company-status-history': registration('Companies with a status change in a period'),
  'GET /company-keys': registration('The company’s keys of the payment API', 404, 409),
  'POST /payment-terminal': terminal('Order a terminal', 404, 409),
  'GET /payment-terminal': terminal('List the terminals of an account', 404),
  'POST /cancel-payment-terminal-order': terminal('Cancel the order of a terminal', 404, 409),
};

export const wordsOf = ({ method, path }: WireRoute): EndpointWords | undefined =>
  ONBOARDING_WORDS[`${method} ${path}`];
