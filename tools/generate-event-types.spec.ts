import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { eventTypes } from './generate-event-types.js';

const root = process.cwd();
/** Generated once for both tests, because the generation reads all types of the project. */
const generated = eventTypes(root);

test('the generated event types of the packages are up to date', async () => {
  for (const [path, text] of generated) {
    const found = await readFile(join(root, path), 'utf8');
    if (found !== text) throw new Error(`${path} is not current: run \`npm run generate\``);
  }
});

test('the generated event types are valid TypeScript with one union of all events', () => {
  const [text] = generated.values();
  const file = ts.createSourceFile('events.ts', text ?? '', ts.ScriptTarget.ES2023, true);
  const aliases = file.statements.filter(ts.isTypeAliasDeclaration);
  const union = aliases.find(({ name }) => name.text === 'PublishedEvent');
  if (union === undefined || !ts.isUnionTypeNode(union.type)) throw new Error('expected a union');
  expect(union.type.types.length).toBe(aliases.length - 1);
  expect(text).toContain("Envelope<'RequirementsObserved', 'merchant', 1,");
  expect(text).toContain("Envelope<'RequirementsObserved', 'merchant', 2,");
});
