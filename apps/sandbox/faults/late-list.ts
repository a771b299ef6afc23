import { HOUR_MS, type Instant, msOf, SECOND_MS } from '#kernel';

/** The age at which a list with the fault `late_list` shows an object. */
const LATE_MS = HOUR_MS;

interface Listed {
  /** In epoch seconds. */
  readonly created_at: number;
}

const isListed = (item: unknown): item is Listed =>
  typeof item === 'object' &&
  item !== null &&
  'created_at' in item &&
  typeof item.created_at === 'number';

/**
 * The body of a list as the provider sends it while its lists are late: without the objects of the
 * last hour. A body that is no list stays as it is.
 */
export const withoutNewest = (payload: string, now: Instant): string => {
  const body = JSON.parse(payload) as Readonly<Record<string, unknown>>;
  if (body['range'] === undefined) return payload;
  const shownUntil = (msOf(now) - LATE_MS) / SECOND_MS;
  const shown = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value)
      ? value.filter((item) => !isListed(item) || item.created_at <= shownUntil)
      : value,
  ]);
  return JSON.stringify(Object.fromEntries(shown));
};
