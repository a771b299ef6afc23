import { assert } from '#kernel';

/**
 * `numerator / denominator` rounded to the nearest integer, half to even. Both are non-negative
 * integers that a double represents exactly.
 */
export const divideHalfEven = (numerator: number, denominator: number): number => {
  assert(
    Number.isSafeInteger(numerator) && numerator >= 0,
    'the numerator is a non-negative safe integer',
  );
  assert(
    Number.isSafeInteger(denominator) && denominator > 0,
    'the denominator is a positive safe integer',
  );
  const rest = numerator % denominator;
  const down = (numerator - rest) / denominator;
  const twice = 2 * rest;
  if (twice === denominator) return down + (down % 2);
  return twice > denominator ? down + 1 : down;
};
