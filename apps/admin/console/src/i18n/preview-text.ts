import type { Schemas } from '../api/client';

/** A line of a preview that is not an event: a code with its values. */
export type PreviewItem = Schemas['PreviewAnswer']['calls' | 'follows' | 'notes'][number];

/** Formats an amount in the viewer's locale. */
export type AmountText = (amountMinor: number, currency: string) => string;

/** Formats the limits of an access, minor units and a currency each: `50000 eur, 100 jpy`. */
export const limitsText = (limits: string, amount: AmountText): string =>
  limits
    .split(', ')
    .map((limit) => {
      const [minor, currency = ''] = limit.split(' ');
      return amount(Number(minor), currency);
    })
    .join(', ');

/** The text of each code; a language without one of these texts does not compile. */
export type PreviewTexts = {
  readonly [Code in PreviewItem['code']]: (
    item: Extract<PreviewItem, { readonly code: Code }>,
    amount: AmountText,
  ) => string;
};
