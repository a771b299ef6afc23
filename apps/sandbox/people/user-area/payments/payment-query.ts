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

/** Reads the filters of the list; an invalid value is ignored. */
export const readPaymentQuery = (query: unknown): PaymentQuery => ({
  // Removes NUL from the search text, because PostgreSQL cannot store NUL in a text.
  q: queryText(query, 'q').replaceAll('\0', ''),
  status: oneOf(FILTER_STATUSES, queryText(query, 'status')),
  method: oneOf(['card', 'sepa'], queryText(query, 'method')),
  from: day(queryText(query, 'from')),
  to: day(queryText(query, 'to')),
  start: queryStart(query),
});
