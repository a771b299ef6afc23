import { assert } from '#kernel';

/**
 * The whole number next to `numerator / denominator`; halfway, the even one. Both are whole, not
 * negative, and exact as doubles.
 */
export const divideHalfEven = (numerator: number, denominator: number): number => {
  assert(Number.isSafeInteger(numerator) && numerator >= 0, 'only what is exact is divided');
  assert(Number.isSafeInteger(denominator) && denominator > 0, 'the denominator is a count');
  const rest = numerator % denominator;
  const down = (numerator - rest) / denominator;
  const twice = 2 * rest;
  if (twice === denominator) return down + (down % 2);
  return twice > denominator ? down + 1 : down;
};
