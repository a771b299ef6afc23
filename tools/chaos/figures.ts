/** The real time since `startedMs`, a value of `Date.now`, as text. */
export const secondsSince = (startedMs: number): string =>
  `${((Date.now() - startedMs) / 1_000).toFixed(1)} s`;

/** Counts as text, e.g. `api0 2, worker1 1`. */
export const countsOf = (counts: Iterable<readonly [string, number]>): string =>
  [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
