import type { CaseTotal, CaseTotalList } from './case';

/**
 * The totals of a mode, with those of cases without a mode. Live and test money are never added.
 * @param chosen the mode that the viewer selected; null: the usual mode
 */
export const totalsOfMode = (
  { items, usualMode }: CaseTotalList,
  chosen: string | null,
): readonly CaseTotal[] => {
  const shown = chosen ?? usualMode;
  return items.filter(({ mode }) => mode === null || mode === shown);
};

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
