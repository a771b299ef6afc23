import { queryStart, queryText } from '../web/query.js';
import type { PaymentQuery } from './payment-search.js';

const day = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';

const oneOf = (known: readonly string[], text: string): string =>
  known.includes(text) ? text : '';

/** The statuses by which the list can be filtered. */
export const FILTER_STATUSES = [
  'awaiting_bank',
  'authorized',
  'interrupted',
  'to_capture',
  'capture_sent',
  'captured',
  'disputed',
  'refused',
  'failed',
  'expired',
  'canceled',
] as const;

/** Reads the filters of the list; an invalid value filters nothing. */
export const readPaymentQuery = (query: unknown): PaymentQuery => ({
  // PostgreSQL cannot store NUL in a text, so it is removed from the search.
  q: queryText(query, 'q').replaceAll('\0', ''),
  status: oneOf(FILTER_STATUSES, queryText(query, 'status')),
  method: oneOf(['card', 'sepa'], queryText(query, 'method')),
  from: day(queryText(query, 'from')),
  to: day(queryText(query, 'to')),
  start: queryStart(query),
});
