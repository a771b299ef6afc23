import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GoldenHistory, readHistory } from './history.js';
import { GOLDEN_KINDS } from './kinds.js';

/*
 * Histories as earlier releases wrote them. Today's code must read each as it was read then: what
 * an order or a payment was, it is, and the checkout asks for the same. A new kind gets a new file
 * (`npm run simulate -- --golden`); an old one changes only where the old reading was wrong, or by a
 * field that a state has besides.
 */

const FOLDER = join(import.meta.dirname, 'histories');

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

const historyOf = (file: string): GoldenHistory =>
  JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as GoldenHistory;

/** As a file holds it: without what is not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(files)('%s is read as it always was', (file) => {
  const { events, reading } = historyOf(file);
  expect(plain(readHistory(events))).toEqual(reading);
});

test('every kind of order has its history', () => {
  expect(files.map((file) => file.replace('.json', ''))).toEqual(
    expect.arrayContaining(GOLDEN_KINDS.map(({ name }) => name)),
  );
});

test('a history that is read otherwise is noticed', () => {
  const { events, reading } = historyOf('card-automatic.json');
  const without = events.filter(({ type }) => type !== 'PaymentCaptured');
  expect(plain(readHistory(without))).not.toEqual(reading);
});

test('together they hold every event to which the specified provider leads', () => {
  const told = new Set(files.flatMap((file) => historyOf(file).events.map(({ type }) => type)));
  // A provider that holds to the specification never contradicts itself.
  expect(told).not.toContain('ProviderMismatchObserved');
  // It captures an authorization once.
  expect(told).not.toContain('OrderCaptured');
  expect(told).not.toContain('AuthorizationClosed');
  expect(told.size).toBe(43);
});
