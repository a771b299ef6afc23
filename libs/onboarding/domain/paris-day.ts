import { DAY_MS, HOUR_MS, type Instant, instantFromMs, msOf, Rejection } from '#kernel';

declare const dayBrand: unique symbol;

/**
 * A calendar day in Europe/Paris, e.g. `2026-03-01`; sorts as text.
 * @see docs/provider/onboarding-completion.md#status-history
 */
export type Day = string & { readonly [dayBrand]: true };

const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Paris',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The calendar day in Paris at this time. */
export const parisDay = (at: Instant): Day => parts.format(msOf(at)) as Day;

/** Adds calendar days: a day of 23 or 25 hours, on which clocks change, is one day. */
export const addDays = (day: Day, days: number): Day =>
  instantFromMs(Date.parse(day) + days * DAY_MS).slice(0, 10) as Day;

/**
 * The time of midnight in Paris. It is never skipped or repeated, because clocks change at 01:00
 * UTC.
 */
export const startOfDay = (day: Day): Instant => {
  const inSummer = instantFromMs(Date.parse(day) - 2 * HOUR_MS);
  return parisDay(inSummer) === day ? inSummer : instantFromMs(Date.parse(day) - HOUR_MS);
};

/** Throws `Rejection('invalid_day')` for anything but a calendar day. */
export const parseDay = (text: string): Day => {
  const epochMs = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(epochMs) || instantFromMs(epochMs).slice(0, 10) !== text) {
    throw new Rejection('invalid_day', `'${text}' is not a day such as 2026-03-01`);
  }
  return text as Day;
};

export const earlierDay = (a: Day, b: Day): Day => (a < b ? a : b);
