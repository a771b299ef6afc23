import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Parser } from '@asyncapi/parser';
import { messagingDocs } from './generate-messaging-docs.js';

const root = process.cwd();

test('the generated files are up to date with the event types', async () => {
  for (const [path, text] of messagingDocs(root)) {
    const found = await readFile(join(root, path), 'utf8');
    if (found !== text) throw new Error(`${path} is not current: run \`npm run generate\``);
  }
});

test('the AsyncAPI document is valid and names every message with its schema', async () => {
  const source = join(root, 'docs/generated/asyncapi.yaml');
  const { document, diagnostics } = await new Parser().parse(await readFile(source, 'utf8'), {
    source,
  });
  expect(diagnostics.filter(({ severity }) => severity === 0)).toEqual([]);
  const placed = document?.channels().get('orders.v1')?.messages().get('OrderPlaced');
  expect(placed?.payload()?.required()).toContain('amountMinor');
  expect(placed?.headers()?.required()).toContain('ce_sequence');
});
