/**
 * One of the two programs of a comparison. Runs for about `forMs` milliseconds, and returns the
 * operations per second.
 */
export type Contender = (forMs: number) => Promise<number>;

export interface Comparison {
  /** Our code's rate divided by the reference program's rate: the median of the rounds. */
  readonly ratio: number;
  readonly ours: number;
  readonly yardstick: number;
  readonly rounds: readonly number[];
}

const ROUNDS = 5;

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1] ?? 0, sorted[middle] ?? 0];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/**
 * Runs our code and the reference program in turn, five rounds each, so that a temporary slowdown
 * of the machine affects both.
 */
export const compare = async (
  ours: Contender,
  yardstick: Contender,
  forMs = 2_000,
): Promise<Comparison> => {
  await ours(500);
  await yardstick(500);
  const pairs: { ours: number; yardstick: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const base = await yardstick(forMs);
    pairs.push({ ours: await ours(forMs), yardstick: base });
  }
  const rounds = pairs.map((pair) => pair.ours / pair.yardstick);
  return {
    ratio: median(rounds),
    ours: median(pairs.map((pair) => pair.ours)),
    yardstick: median(pairs.map((pair) => pair.yardstick)),
    rounds,
  };
};

/** Runs `callers` concurrent loops that call `once`; returns the completed calls per second. */
export const perSecond = async (
  callers: number,
  forMs: number,
  once: () => Promise<unknown>,
): Promise<number> => {
  const startedMs = performance.now();
  let done = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - startedMs < forMs) {
      await once();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, loop));
  return done / ((performance.now() - startedMs) / 1_000);
};
