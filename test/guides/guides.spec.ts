import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasBrowser, launchBrowser, type TestBrowser } from '#testing';
import { blocksOf } from '../../tools/snippets.fixture.js';
import { Flow } from '../support/flow.js';
import { Reader } from './reader.js';

/**
 * Runs every code block of the quick start, the concepts and the guides against the whole product:
 * commands in a shell, and the steps on hosted pages in a browser.
 */

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
/**
 * This guide runs first, because it shows totals of one payment, to which other guides would add
 * payments.
 */
const FIRST = 'guides/reconcile-payouts.md';
/** Guides whose commands are run by test/chart/deploy-guide.spec.ts, because they need a cluster. */
const ELSEWHERE = ['guides/deploy.md'];

const PAGES = [
  FIRST,
  'quick-start.md',
  'concepts.md',
  ...readdirSync(join(DOCS, 'guides'))
    .map((name) => `guides/${name}`)
    .filter((path) => path !== FIRST && !ELSEWHERE.includes(path)),
];

const isCi = process.env['CI'] === 'true';

// In CI a missing browser makes the tests fail instead of skipping them.
(hasBrowser() || isCi ? describe : describe.skip)('a reader of the documentation', () => {
  let flow: Flow;
  let browser: TestBrowser;

  beforeAll(async () => {
    [flow, browser] = await Promise.all([Flow.start({ name: 'demo' }), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await flow.stop();
  });

  const read = async (text: string, patienceMs?: number): Promise<void> => {
    const reader = await Reader.open(browser, flow.stack, patienceMs);
    try {
      await reader.read(blocksOf(text));
    } finally {
      await reader.close();
    }
  };

  test.each(PAGES)('gets the outputs shown in %s by running its commands', async (path) => {
    await read(readFileSync(join(DOCS, path), 'utf8'));
  });

  const block = (language: string, code: string): string =>
    `\`\`\`${language}\n${code}\n\`\`\`\n\n`;
  const placing = (path: string, field: string, shown: string): string =>
    block('sh', 'KEY=po_…') +
    block(
      'sh',
      `curl http://127.0.0.1:4100${path} -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -H "Idempotency-Key: wrong-$RANDOM$RANDOM" \\
  -d '{"merchantId":"merchant-7","reference":"wrong-'$RANDOM-$RANDOM'","${field}":4250,
       "currency":"eur","capture":{"policy":"automatic"}}'`,
    ) +
    shown;

  const json = (shown: string): string => block('json', shown);
  const RIGHT = ['/v1/orders', 'amountMinor', json('{ "id": "ord_…", "status": "open" }')] as const;
  const reading = block('sh', 'curl http://127.0.0.1:4100/v2/orders') + json('{ "items": [] }');

  test('succeeds if a command prints the output that the page shows', () =>
    read(placing(...RIGHT)));

  test.each([
    ['names a wrong field', placing(RIGHT[0], 'amount', RIGHT[2]), 'amount is not a field'],
    ['names a wrong path', placing('/v1/order', RIGHT[1], ''), 'route_not_found'],
    ['shows a wrong value', placing(RIGHT[0], RIGHT[1], json('{ "status": "paid" }')), '$.status'],
    ['shows a wrong field', placing(RIGHT[0], RIGHT[1], json('{ "state": "open" }')), '$.state'],
    ['reads a wrong path', reading, '$.items'],
    ['names an id that was not answered', block('sh', 'echo ord_…'), 'no answer before'],
    ['shows an answer without its request', json('{}'), 'no commands before'],
    ['has a block that cannot be run', block('ruby', 'puts 1'), 'cannot be run'],
  ])('notices when a page %s', async (_, text, message) => {
    await expect(read(text, 300)).rejects.toThrow(message);
  });
});
