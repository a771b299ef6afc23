import type { Instant } from '#kernel';

/** The first of several instants; null when there is none. */
export const earliest = (instants: readonly (Instant | null)[]): Instant | null => {
  let first: Instant | null = null;
  for (const at of instants) if (at !== null && (first === null || at < first)) first = at;
  return first;
};
