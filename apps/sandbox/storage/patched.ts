import { isDeepStrictEqual } from 'node:util';

/** The row with the given columns changed; the same row when nothing changes. */
export const patched = <R extends object>(
  row: R,
  given: { readonly [C in keyof R]?: R[C] | undefined },
): R => {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const changed = { ...row, ...Object.fromEntries(entries) };
  return isDeepStrictEqual(changed, row) ? row : changed;
};
