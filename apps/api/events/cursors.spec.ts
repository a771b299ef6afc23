import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { holdsCardNumber, newId } from '#kernel';
import type { LogCursor } from '#log';
import { createSecretBox } from '#platform';
import { CURSOR, Cursors } from './cursors.js';

const secretsKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [secretsKey('old'), secretsKey('new')];
const cursorsWith = (keys: string) => new Cursors(createSecretBox(keys, 'cursors'));
const cursors = cursorsWith(OLD);

const POSITION = fc.record({
  epoch: fc.integer({ min: 0, max: 999_999_999 }),
  transactionId: fc.bigInt({ min: 0n, max: 9_999_999_999_999_999_999n }).map(String),
  position: fc.bigInt({ min: 0n, max: 999_999_999_999_999_999n }).map(String),
});
const at = (position: string): LogCursor => ({ epoch: 1, transactionId: '8974698', position });

test('a platform reads its own cursor, and none looks like a card number', () => {
  fc.assert(
    fc.property(POSITION, (position) => {
      const text = cursors.textOf('shop', position);
      expect(text).toMatch(CURSOR);
      expect(holdsCardNumber(text)).toBe(false);
      expect(cursors.read('shop', text)).toEqual(position);
      expect(cursors.read('other', text)).toBeNull();
    }),
    { numRuns: 2_000 },
  );
});

test('a cursor does not show its position: neither by its length nor by staying the same', () => {
  const texts = [at('9'), at('9'), at('10000000')].map((one) => cursors.textOf('shop', one));
  expect(new Set(texts).size).toBe(3);
  expect(new Set(texts.map(({ length }) => length)).size).toBe(1);
});

test('a cursor is read as long as its key is configured', () => {
  const text = cursors.textOf('shop', at('7'));
  expect(cursorsWith(`${NEW},${OLD}`).read('shop', text)).toEqual(at('7'));
  expect(cursorsWith(NEW).read('shop', text)).toBeNull();
});

test('a text that is no cursor, or was altered, is refused', () => {
  const text = cursors.textOf('shop', at('7'));
  const altered = text.slice(0, -3) + (text.endsWith('AAA') ? 'BBB' : 'AAA');
  for (const other of [altered, text.slice(1), `${text}A`, '', '1-2-3', newId('evt')]) {
    expect(cursors.read('shop', other)).toBeNull();
  }
});
