import { isDeepStrictEqual } from 'node:util';

/** The row with the columns that are given; the row itself when they change nothing of it. */
export const patched = <R extends object>(
  row: R,
  given: { readonly [C in keyof R]?: R[C] | undefined },
): R => {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const changed = { ...row, ...Object.fromEntries(entries) };
  return isDeepStrictEqual(changed, row) ? row : changed;
};
