import { readFileSync } from 'node:fs';
import { problems } from './problems.js';

const WORDS = 'apps/admin/console/src/i18n/en/problems.ts';

/** Its detail says what no word for all of them could: it is shown as it is, as English. */
const TOLD_BY_DETAIL = ['undecided'];

/** What English has, the compiler asks of the other languages. */
test('the console has words for each rejection', () => {
  const words = readFileSync(WORDS, 'utf8');
  const codes = Object.keys(problems.rejections ?? {});
  expect(codes).toContain('preview_changed');
  expect(codes.filter((code) => !words.includes(`\n  ${code}:`))).toEqual(TOLD_BY_DETAIL);
});
