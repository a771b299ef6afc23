/** A range of amounts in whole units of a currency; its code is `<minimum>_<maximum>`. */
export interface AmountRange {
  readonly code: string;
  readonly minimum: number;
  readonly maximum: number;
}

const BASKET_STEPS = [0, 20, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];
const TURNOVER_STEPS = [
  0, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
  50_000_000, 100_000_000,
];

/**
 * Factors for currencies whose unit is worth a tenth, a hundredth, a thousandth or less of a euro:
 * the amounts of the ranges are multiplied by the factor.
 */
const TENS = 'cny czk dkk egp hkd mad mxn myr nok php pln sek thb twd try uah zar brl ils';
const HUNDREDS = 'all amd dzd huf inr isk jpy kes lkr npr pkr rsd rub xaf xof xpf';
const THOUSANDS = 'clp cop gnf idr irr khr krw lak lbp mga mmk mnt ngn pyg tzs ugx uzs vnd';

const scales = new Map([
  ...TENS.split(' ').map((code) => [code, 10] as const),
  ...HUNDREDS.split(' ').map((code) => [code, 100] as const),
  ...THOUSANDS.split(' ').map((code) => [code, 1_000] as const),
]);

const rangesOf = (steps: readonly number[], currency: string): readonly AmountRange[] => {
  const scale = scales.get(currency) ?? 1;
  return steps.slice(1).map((step, index) => {
    const minimum = (steps[index] ?? 0) * scale;
    const maximum = step * scale;
    return { code: `${minimum}_${maximum}`, minimum, maximum };
  });
};

/**
 * The amount ranges among which a merchant chooses its average order value, in a currency
 * (lower-case alpha3).
 */
export const averageBaskets = (currency: string): readonly AmountRange[] =>
  rangesOf(BASKET_STEPS, currency);

/** The amount ranges among which a merchant chooses its expected turnover of a year. */
export const forecastTurnovers = (currency: string): readonly AmountRange[] =>
  rangesOf(TURNOVER_STEPS, currency);

/** The amount range that a code in this format denotes. */
export const rangeOf = (code: string): AmountRange => {
  const [minimum, maximum] = code.split('_').map(Number);
  return { code, minimum: minimum ?? 0, maximum: maximum ?? 0 };
};
