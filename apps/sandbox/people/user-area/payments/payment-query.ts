import { queryStart, queryText } from '../web/query.js';
import type { PaymentQuery } from './payment-search.js';

const day = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';

const oneOf = (known: readonly string[], text: string): string =>
  known.includes(text) ? text : '';

/** What the list may be filtered by. */
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

/** What cannot be filtered by filters nothing. */
export const readPaymentQuery = (query: unknown): PaymentQuery => ({
  // No text of a database holds NUL.
  q: queryText(query, 'q').replaceAll('\0', ''),
  status: oneOf(FILTER_STATUSES, queryText(query, 'status')),
  method: oneOf(['card', 'sepa'], queryText(query, 'method')),
  from: day(queryText(query, 'from')),
  to: day(queryText(query, 'to')),
  start: queryStart(query),
});
