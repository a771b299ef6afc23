import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problems } from './problems.js';

const WORDS = 'apps/admin/console/src/i18n/en/problems.ts';

/** The folders whose code rejects the console's requests and actions. */
const ROOMS = ['apps/admin', 'libs/operations', 'libs/order/domain', 'libs/payment/domain'];

/** Rejections of an order's placement, which only a platform's request can cause. */
const PLACING = ['order_exists', 'invalid_capture_delay', 'invalid_methods', 'invalid_currency'];

const sourcesIn = (room: string): readonly string[] =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('console/'))
    .map((name) => readFileSync(join(room, name), 'utf8'));

const codesIn = (source: string): readonly string[] =>
  [...source.matchAll(/new Rejection\(\s*'(\w+)'/g)].map(([, code = '']) => code);

/**
 * Only the English texts are checked: the compiler requires the same codes in the other languages.
 */
test('the console has a text for each rejection code', () => {
  const words = readFileSync(WORDS, 'utf8');
  const codes = [
    ...Object.keys(problems.rejections ?? {}),
    ...ROOMS.flatMap(sourcesIn).flatMap(codesIn),
  ];
  for (const code of ['preview_changed', 'may_still_arrive', 'not_captured'])
    expect(codes).toContain(code);
  const untold = codes.filter((code) => !words.includes(`\n  ${code}:`));
  expect(new Set(untold)).toEqual(new Set(PLACING));
});
