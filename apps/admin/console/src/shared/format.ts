import { ageFormat, dateFormat, numberFormat } from './formats';

/** The number of decimals of a currency: 2 for the euro, 0 for the yen. */
export const minorDigits = (currency: string): number =>
  numberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** The exact decimal text of an amount, without floating-point fractions. */
const decimalOf = (amountMinor: number, digits: number): `${number}` => {
  const text = Math.abs(amountMinor)
    .toString()
    .padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const rest = digits === 0 ? '' : `.${text.slice(-digits)}`;
  return `${amountMinor < 0 ? '-' : ''}${whole}${rest}` as `${number}`;
};

/** The amount in the main unit of its currency, as it is typed: `12.50`. */
export const decimalText = (amountMinor: number, currency: string): string =>
  decimalOf(amountMinor, minorDigits(currency));

/** Minor units of a typed amount such as `12.5` or `12,50`; null if it is not an amount. */
export const minorOf = (typed: string, currency: string): number | null => {
  const digits = minorDigits(currency);
  const [, whole, rest = ''] = /^(\d{1,9})(?:[.,](\d*))?$/.exec(typed.trim()) ?? [];
  if (whole === undefined || rest.length > digits) return null;
  return Number(whole + rest.padEnd(digits, '0'));
};

/** Formats an amount, e.g. `€1,250.00`. @param currency an ISO 4217 code, in upper or lower case */
export const formatAmount = (amountMinor: number, currency: string, locale: string): string => {
  const format = numberFormat(locale, { style: 'currency', currency });
  return format.format(decimalOf(amountMinor, minorDigits(currency)));
};

/** Shows the year, except for instants in the current year. */
const yearOf = (date: Date): Pick<Intl.DateTimeFormatOptions, 'year'> =>
  date.getUTCFullYear() === new Date().getUTCFullYear() ? {} : { year: 'numeric' };

/** Formats an instant in the viewer's time zone. */
export const formatInstant = (at: string, locale: string): string => {
  const date = new Date(at);
  return dateFormat(locale, {
    ...yearOf(date),
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(date);
};

/** Formats an instant for use within a sentence, in the viewer's time zone: no seconds. */
export const formatMoment = (at: string, locale: string): string => {
  const date = new Date(at);
  return dateFormat(locale, {
    ...yearOf(date),
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(date);
};

/** Formats a calendar day, the same in every time zone. @param day YYYY-MM-DD */
export const formatDay = (day: string, locale: string): string => {
  const date = new Date(day);
  return dateFormat(locale, {
    ...yearOf(date),
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(date);
};

/** Formats an instant in UTC, e.g. `2026-11-21 20:45:39.120 UTC`. */
export const formatUtc = (at: string): string =>
  `${new Date(at).toISOString().replace('T', ' ').slice(0, -1)} UTC`;

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats the time since or until an instant, e.g. `3 hours ago`, `in 2 days`. */
export const formatAge = (at: string, nowMs: number, locale: string): string => {
  const seconds = Math.round((Date.parse(at) - nowMs) / 1_000);
  const [unit, size] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? UNITS[3];
  const format = ageFormat(locale, { numeric: 'auto' });
  return format.format(Math.trunc(seconds / size), unit);
};

/**
 * Formats a duration, e.g. `2 d 3 h`, `4 min`, `12 s`: two units at most. @param day the unit of
 * days in the viewer's language; the other units are the same in every language
 */
export const formatSpan = (seconds: number, day: string): string => {
  const parts = [
    [Math.floor(seconds / 86_400), day],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
};

export const formatCount = (count: number, locale: string): string =>
  numberFormat(locale, {}).format(count);

/** The smallest step that a formatted share shows. */
const RATE_STEP = 0.001;

/**
 * Formats a share, e.g. `97.4%`. A share that is not 0 or 1 is never rounded to 0% or 100%, which
 * would say that there are no exceptions. @param share 1 for 100%; may exceed 1
 */
export const formatRate = (share: number, locale: string): string => {
  const isPart = share > 0 && share < 1;
  const shown = isPart ? Math.min(Math.max(share, RATE_STEP), 1 - RATE_STEP) : share;
  return numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(shown);
};

/** The name of a currency, e.g. `Swiss Franc`. @param currency an ISO 4217 code */
export const currencyName = (currency: string, locale: string): string =>
  new Intl.DisplayNames(locale, { type: 'currency' }).of(currency.toUpperCase()) ?? '';
