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

/** `aspect:expected:observed`; a value may contain a colon, an aspect does not. */
const RECORDED = /^([^:]*):(.*?):(.*)$/s;

/** A mismatch as the event of its review records it. */
export const mismatchIn = (recorded: string): Mismatch => {
  const [, aspect = '', expected = '', observed = ''] = RECORDED.exec(recorded) ?? [];
  return { aspect, expected, observed };
};
