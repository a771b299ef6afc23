import { Rejection } from './rejection.js';

declare const instantBrand: unique symbol;

/** UTC in ISO 8601 with milliseconds, e.g. `2026-03-01T12:00:00.000Z`; sorts as text. */
export type Instant = string & { readonly [instantBrand]: true };

/** Adds the field `at` to each member of a union of events or commands. */
export type Dated<Members> = Members & {
  /** When the event happened, in business time. */
  readonly at: Instant;
};

/** Milliseconds since 1970-01-01T00:00:00Z. */
export const instantFromMs = (epochMs: number): Instant =>
  new Date(epochMs).toISOString() as Instant;

/** Reads any ISO 8601 date-time with a zone; throws `Rejection('invalid_instant')` otherwise. */
export const parseInstant = (text: string): Instant => {
  const epochMs = /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(epochMs)) {
    throw new Rejection('invalid_instant', `'${text}' is not an ISO 8601 date-time with a zone`);
  }
  return instantFromMs(epochMs);
};

export const msOf = (instant: Instant): number => Date.parse(instant);

export const plusMs = (instant: Instant, ms: number): Instant => instantFromMs(msOf(instant) + ms);

export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const DURATION = /^P(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/;

/**
 * Parses an ISO 8601 duration of days, hours, minutes and seconds (`P7D`, `PT30M`, `P1DT12H`) to
 * milliseconds; throws `Rejection('invalid_duration')` for anything else and for zero.
 */
export const parseDurationMs = (text: string): number => {
  const parts = DURATION.exec(text);
  const [, days, hours, minutes, seconds] = parts ?? [];
  const ms =
    Number(days ?? 0) * DAY_MS +
    Number(hours ?? 0) * HOUR_MS +
    Number(minutes ?? 0) * MINUTE_MS +
    Number(seconds ?? 0) * SECOND_MS;
  if (parts === null || ms === 0) {
    throw new Rejection(
      'invalid_duration',
      `'${text}' is not a duration such as P3D, PT12H or PT30M`,
    );
  }
  return ms;
};
