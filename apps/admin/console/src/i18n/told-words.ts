import type { Schemas } from '../api/client';

/** What a dry run tells besides the events. */
export type Told = Schemas['PreviewAnswer']['calls' | 'follows' | 'notes'][number];

/** An amount as its reader writes it. */
export type AmountText = (amountMinor: number, currency: string) => string;

/** For each code its words; a language without one does not compile. */
export type ToldWords = {
  readonly [Code in Told['code']]: (
    told: Extract<Told, { readonly code: Code }>,
    amount: AmountText,
  ) => string;
};
