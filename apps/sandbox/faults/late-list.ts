import { HOUR_MS, type Instant, msOf, SECOND_MS } from '#kernel';

/** The age that an object must have to appear in a list with the fault `late_list`. */
const LATE_MS = 12 * HOUR_MS;
/** The time of day, in UTC, at which payouts are created. */
const PAYOUT_MS = 6 * HOUR_MS;

/** The creation time of an item in epoch seconds; null if the item has none. */
const createdOf = (item: unknown): number | null => {
  // Intents, mandates and addresses have `created_at`, payouts only a `date`, other objects
  // `created`.
  const { date, created_at: at, created = at } = Object(item) as Readonly<Record<string, unknown>>;
  if (typeof created === 'number') return created;
  return typeof date === 'string' ? (Date.parse(date) + PAYOUT_MS) / SECOND_MS : null;
};

/**
 * The body of a list as the provider sends it while its lists are late: without the objects of the
 * last twelve hours. A body that is no list stays as it is.
 */
export const withoutNewest = (payload: string, now: Instant): string => {
  const body = JSON.parse(payload) as Readonly<Record<string, unknown>>;
  if (body['range'] === undefined) return payload;
  const shownUntil = (msOf(now) - LATE_MS) / SECOND_MS;
  const shown = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.filter((item) => (createdOf(item) ?? 0) <= shownUntil) : value,
  ]);
  return JSON.stringify(Object.fromEntries(shown));
};
