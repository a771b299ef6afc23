/** Random choices that a seed determines. */
export interface Random {
  /** A whole number from `from` up to and including `to`. */
  int(from: number, to: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
  shuffled<T>(items: readonly T[]): T[];
}

/** The random number generator mulberry32, which is small, fast and uniform enough here. */
const generator = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/**
 * Random choices that depend only on the seed and the name `stream`, so that the parts of a run do
 * not influence each other's choices.
 */
export const randomFrom = (seed: number, stream: string): Random => {
  let mixed = seed >>> 0;
  for (const letter of stream) mixed = (Math.imul(mixed, 31) + letter.charCodeAt(0)) >>> 0;
  const next = generator(mixed);
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[int(0, choices.length - 1)] ?? choices[0],
    shuffled: (items) =>
      items
        .map((item) => ({ item, rank: next() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
  };
};
