import type { CaseTotal } from './case';

/** The number of cases. */
export const casesIn = (totals: readonly CaseTotal[]): number =>
  totals.reduce((sum, { cases }) => sum + cases, 0);

/** The money at risk in minor units, by currency. */
export const amountsIn = (totals: readonly CaseTotal[]): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {};
  for (const { currency, amountMinor } of totals) {
    if (currency !== null) sums[currency] = (sums[currency] ?? 0) + (amountMinor ?? 0);
  }
  return sums;
};
