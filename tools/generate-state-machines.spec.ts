import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stateMachineDocs } from './generate-state-machines.js';

const docs = stateMachineDocs();

test('the generated state diagrams are up to date with the tables in the code', async () => {
  for (const [path, text] of docs) {
    const found = await readFile(join(process.cwd(), path), 'utf8');
    if (found !== text) throw new Error(`${path} is not current: run \`npm run generate\``);
  }
});

test('the state diagram of a payment shows its initial states, its transitions and its final states', () => {
  const [text] = docs.values();
  const payment = text?.split('## ').find((part) => part.startsWith('Payment\n')) ?? '';
  expect(payment).toContain('  [*] --> awaiting_bank\n');
  expect(payment).toContain('  authorized --> to_capture: capture\n');
  expect(payment).toContain('  expired --> [*]\n');
  expect(payment).not.toContain('[*] --> authorized');
});
