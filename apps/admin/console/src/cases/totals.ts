import type { CaseTotal, CaseTotalList } from './case';

const ofMode = <Row extends { readonly mode: string | null }>(
  rows: readonly Row[],
  { usualMode }: CaseTotalList,
  chosen: string | null,
): readonly Row[] => rows.filter(({ mode }) => mode === null || mode === (chosen ?? usualMode));

/**
 * The totals of a mode, with those of cases without a mode. Live and test money are never added.
 * @param chosen the mode that the viewer selected; null: the usual mode
 */
export const totalsOfMode = (list: CaseTotalList, chosen: string | null): readonly CaseTotal[] =>
  ofMode(list.items, list, chosen);

/** The money at risk in all cases of a mode, in minor units, by currency. */
export const atRiskOfMode = (
  list: CaseTotalList,
  chosen: string | null,
): Readonly<Record<string, number>> => amountsIn(ofMode(list.atRisk, list, chosen));

/** The number of cases. */
export const casesIn = (totals: readonly CaseTotal[]): number =>
  totals.reduce((sum, { cases }) => sum + cases, 0);

/** The money at risk in minor units, by currency. */
export const amountsIn = (
  totals: readonly Pick<CaseTotal, 'currency' | 'amountMinor'>[],
): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {};
  for (const { currency, amountMinor } of totals) {
    if (currency !== null) sums[currency] = (sums[currency] ?? 0) + (amountMinor ?? 0);
  }
  return sums;
};
