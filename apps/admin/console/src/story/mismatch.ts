import type { Say } from './sentence';

/** The aspects whose values are amounts in minor units. */
const AMOUNTS: readonly string[] = ['amount', 'fees', 'fees_vat'];

/** A status mismatch, with the expected and the observed value as the event records them. */
export interface Mismatch {
  readonly aspect: string;
  readonly expected: string;
  readonly observed: string;
}

/**
 * A value of a status mismatch in the viewer's language: an amount, the label of a status, or the
 * unchanged text.
 */
export const mismatchValue = (say: Say, { aspect }: Mismatch, value: string): string => {
  if (AMOUNTS.includes(aspect) && /^-?\d+$/.test(value)) return say.money(Number(value));
  return aspect === 'status' ? say.status(value) : value;
};

/**
 * Matches a mismatch in the form `aspect:expected:observed`. A value may contain a colon, an aspect
 * does not.
 */
const RECORDED = /^([^:]*):(.*?):(.*)$/s;

/** Parses a mismatch from the event that records the review of mismatches. */
export const mismatchIn = (recorded: string): Mismatch => {
  const [, aspect = '', expected = '', observed = ''] = RECORDED.exec(recorded) ?? [];
  return { aspect, expected, observed };
};
