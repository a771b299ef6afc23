import { setTimeout as sleep } from 'node:timers/promises';
import { holdsCardNumber } from './card-number.js';
import { drawWithoutCardNumber, newEventId, newId, randomText } from './ids.js';

test('an id consists of a prefix, an underscore, and 24 letters or digits', () => {
  expect(newId('ord')).toMatch(/^ord_[A-Za-z0-9]{24}$/);
});

test('ids do not repeat', () => {
  const ids = new Set(Array.from({ length: 20_000 }, () => newId('x')));
  expect(ids.size).toBe(20_000);
});

test('ids of one type sort in the order of their creation', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    ids.push(newId('ord'));
    await sleep(2);
  }
  expect(ids).toEqual(ids.toSorted());
});

test('ids that are created in the same millisecond have 16 random letters', () => {
  const ids = Array.from({ length: 1_000 }, () => newId('ord'));
  const randomParts = new Set(ids.map((id) => id.slice(-16)));
  expect(randomParts.size).toBe(1_000);
});

test('an event id is a UUID of version 7 with the time of its creation', () => {
  const before = Date.now();
  const id = newEventId();
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const ms = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  expect(ms).toBeGreaterThanOrEqual(before);
  expect(ms).toBeLessThanOrEqual(Date.now());
  expect(new Set(Array.from({ length: 20_000 }, newEventId)).size).toBe(20_000);
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

// Without the replacement about two of these ids would look like card numbers.
test('no event id contains a card number', () => {
  const ids = Array.from({ length: 30_000 }, newEventId);
  expect(ids.filter(holdsCardNumber)).toEqual([]);
});
