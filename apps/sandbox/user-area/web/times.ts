import { type Instant, msOf } from '#kernel';
import { html, type SafeHtml } from '../../page/web/html.js';
import type { Locale } from '../../page/web/locale.js';

const tag = (locale: Locale): string => (locale === 'fr' ? 'fr-FR' : 'en-GB');

const SHORT = {
  day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit',
  timeZone: 'UTC',
} as const;

/** In UTC, as everything here: `21 Nov 2026, 18:02 UTC`. */
export const shortTime = (at: Instant, locale: Locale): string =>
  `${new Intl.DateTimeFormat(tag(locale), SHORT).format(msOf(at))} UTC`;

const DAY = {
  weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC',
} as const;
const SHORT_DAY = { ...DAY, weekday: 'short', month: 'short' } as const;

/** A day YYYY-MM-DD in words. */
export const dayText = (date: string, locale: Locale): string =>
  new Intl.DateTimeFormat(tag(locale), SHORT_DAY).format(Date.parse(`${date}T00:00:00Z`));

/** As people read it, with the exact instant for machines and pointers. */
export const time = (at: Instant | null, locale: Locale): SafeHtml | null =>
  at === null
    ? null
    : html`<time datetime="${at}" title="${at}">${
        new Intl.DateTimeFormat(tag(locale), SHORT).format(msOf(at))
      }</time>`;

const PRECISE = { ...SHORT, second: '2-digit' } as const;

/** To the second. */
export const preciseTime = (at: Instant | null, locale: Locale): SafeHtml | null =>
  at === null
    ? null
    : html`<time datetime="${at}" title="${at}">${
        new Intl.DateTimeFormat(tag(locale), PRECISE).format(msOf(at))
      }</time>`;

/** The clock in large: its time, and its day. */
export const clockFace = (at: Instant, locale: Locale) => ({
  time: at.slice(11, 19),
  day: new Intl.DateTimeFormat(tag(locale), DAY).format(msOf(at)),
});
