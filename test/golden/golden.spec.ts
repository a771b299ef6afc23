import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GoldenHistory, readHistory } from './history.js';
import { GOLDEN_KINDS } from './kinds.js';

/**
 * Histories that earlier releases wrote. Today's code must read each history as those releases did:
 * the same states of orders and payments, the same commands of the checkout. A new kind of order
 * gets a new file (`npm run simulate -- --golden`). An old file changes only where the old reading
 * was wrong, or when a state gets a further field.
 */

const FOLDER = join(import.meta.dirname, 'histories');

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

const historyOf = (file: string): GoldenHistory =>
  JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as GoldenHistory;

/** A value as a JSON file stores it: without absent fields. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(files)('reads the history %s as earlier releases did', (file) => {
  const { events, reading } = historyOf(file);
  expect(plain(readHistory(events))).toEqual(reading);
});

test('every kind of order has a history', () => {
  expect(files.map((file) => file.replace('.json', ''))).toEqual(
    expect.arrayContaining(GOLDEN_KINDS.map(({ name }) => name)),
  );
});

test('the comparison fails for a history that is read differently', () => {
  const { events, reading } = historyOf('card-automatic.json');
  const without = events.filter(({ type }) => type !== 'PaymentCaptured');
  expect(plain(readHistory(without))).not.toEqual(reading);
});

test('the histories together contain every event that the specified provider can cause', () => {
  const types = new Set(files.flatMap((file) => historyOf(file).events.map(({ type }) => type)));
  // A provider that follows the specification never contradicts itself.
  expect(types).not.toContain('PaymentMismatchObserved');
  // The specified provider captures an authorization once.
  expect(types).not.toContain('OrderCaptured');
  expect(types).not.toContain('AuthorizationClosed');
  expect(types.size).toBe(43);
});
