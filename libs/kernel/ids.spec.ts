import { holdsCardNumber } from './card-number.js';
import { drawWithoutCardNumber, newEventId, newId, randomText } from './ids.js';

test('an id consists of a prefix, an underscore, and 24 letters or digits', () => {
  expect(newId('ord')).toMatch(/^ord_[A-Za-z0-9]{24}$/);
});

test('ids do not repeat', () => {
  const ids = new Set(Array.from({ length: 20_000 }, () => newId('x')));
  expect(ids.size).toBe(20_000);
});

test('every letter and digit is equally frequent in ids', () => {
  const counts = new Map<string, number>();
  for (const letter of randomText(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // Each character is expected 1,000 times; a deviation of 220 is seven standard deviations.
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(220);
});

test('an id that looks like a card number is replaced by a new random id', () => {
  const draws = ['a4242424242424242b', 'x-4242-4242-4242-4242', 'a4242424242424243b'];
  expect(drawWithoutCardNumber(() => draws.shift() ?? '')).toBe('a4242424242424243b');
});

// Without the replacement about twenty of these ids would look like card numbers.
test('no event id contains a card number', () => {
  const ids = Array.from({ length: 30_000 }, newEventId);
  expect(ids.filter(holdsCardNumber)).toEqual([]);
});
