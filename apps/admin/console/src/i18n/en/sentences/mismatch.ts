import { type Mismatch, mismatchIn, mismatchValue } from '../../../story/mismatch';
import type { Say } from '../../../story/sentence';
import { lowerFirst } from '../../lower-first';

/** The part of an entity that differs from the provider, for use within a sentence. */
export const aspects: Readonly<Record<string, string>> = {
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
  intent: 'payment intent',
  lines: 'lines',
  reference: 'reference',
  refund: 'refund',
  status: 'status',
  totals: 'totals',
};

/** The sentence about a status mismatch. */
export const mismatch = (event: Mismatch, say: Say): string =>
  `Mismatch of the ${aspects[event.aspect] ?? event.aspect}: ` +
  `“${mismatchValue(say, event, event.expected)}” in our records, ` +
  `“${mismatchValue(say, event, event.observed)}” at the provider`;

/** The sentence about the review of status mismatches. */
export const mismatchesReviewed = (
  { mismatches }: { readonly mismatches: readonly string[] },
  say: Say,
): string =>
  `Reviewed: ${mismatches.map((one) => lowerFirst(mismatch(mismatchIn(one), say))).join('; ')}${say.by}`;
