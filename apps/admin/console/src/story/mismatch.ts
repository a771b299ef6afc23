import type { Say } from './sentence';

/** The aspects whose values are amounts in minor units. */
const AMOUNTS: readonly string[] = ['amount', 'fees', 'fees_vat'];

/** A contradiction between our records and the provider; each value as the event records it. */
export interface Mismatch {
  readonly aspect: string;
  readonly expected: string;
  readonly observed: string;
}

/** A value of a mismatch as people read it: an amount, the label of a status, or the text. */
export const mismatchValue = (say: Say, { aspect }: Mismatch, value: string): string => {
  if (AMOUNTS.includes(aspect) && /^-?\d+$/.test(value)) return say.money(Number(value));
  return aspect === 'status' ? say.status(value) : value;
};
