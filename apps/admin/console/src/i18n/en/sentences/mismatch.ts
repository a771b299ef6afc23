import { type Mismatch, mismatchValue } from '../../../story/mismatch';
import type { Say } from '../../../story/sentence';

/** The part of an entity that differs from the provider, for use within a sentence. */
const ASPECTS: Readonly<Record<string, string>> = {
  account: 'account',
  amount: 'amount',
  capture: 'capture',
  company: 'company',
  currency: 'currency',
  date: 'date',
  day: 'day of the status',
  dispute: 'dispute',
  fees: 'fees',
  fees_vat: 'VAT on the fees',
  intent: 'intent',
  lines: 'lines',
  reference: 'reference',
  refund: 'refund',
  status: 'status',
  totals: 'totals',
};

/** The sentence of a contradiction between our records and the provider. */
export const mismatch = (event: Mismatch, say: Say): string =>
  `Mismatch of the ${ASPECTS[event.aspect] ?? event.aspect}: ` +
  `“${mismatchValue(say, event, event.expected)}” in our records, ` +
  `“${mismatchValue(say, event, event.observed)}” at the provider`;
