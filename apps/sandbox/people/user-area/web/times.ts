import { type Instant, msOf } from '#kernel';
import { html, type SafeHtml } from '../../web/html.js';
import type { Locale } from '../../web/locale.js';

/**
 * Formatters are created only once: creating a formatter costs more than formatting all the times
 * of a page.
 */
const formats = (
  options: Intl.DateTimeFormatOptions,
): Readonly<Record<Locale, Intl.DateTimeFormat>> => ({
  en: new Intl.DateTimeFormat('en-GB', options),
  fr: new Intl.DateTimeFormat('fr-FR', options),
});

const SHORT = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
} as const;
const SHORT_FORMATS = formats(SHORT);

/** A time in UTC, like all times of the User Area: `21 Nov 2026, 18:02 UTC`. */
export const shortTime = (at: Instant, locale: Locale): string =>
  `${SHORT_FORMATS[locale].format(msOf(at))} UTC`;

const DAY = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
} as const;
const DAY_FORMATS = formats(DAY);
const SHORT_DAY_FORMATS = formats({ ...DAY, weekday: 'short', month: 'short' });

/** A day YYYY-MM-DD in words. */
export const dayText = (date: string, locale: Locale): string =>
  SHORT_DAY_FORMATS[locale].format(Date.parse(`${date}T00:00:00Z`));

/**
 * The time as readers see it, with the exact instant in the `datetime` attribute and in the
 * tooltip.
 */
export const time = (at: Instant | null, locale: Locale): SafeHtml | null =>
  at === null
    ? null
    : html`<time datetime="${at}" title="${at}">${SHORT_FORMATS[locale].format(msOf(at))}</time>`;

const PRECISE_FORMATS = formats({ ...SHORT, second: '2-digit' });

/** The time with seconds, in UTC. */
export const preciseTime = (at: Instant | null, locale: Locale): SafeHtml | null =>
  at === null
    ? null
    : html`<time datetime="${at}" title="${at}">${PRECISE_FORMATS[locale].format(msOf(at))}</time>`;

/** The clock in large: its time, and its day. */
export const clockFace = (at: Instant, locale: Locale) => ({
  time: at.slice(11, 19),
  day: DAY_FORMATS[locale].format(msOf(at)),
});
