import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Parser } from '@asyncapi/parser';
import { parse } from 'yaml';
import { messagingDocs } from './generate-messaging-docs.js';

const root = process.cwd();

test('the generated schemas and documents are up to date with the event types', async () => {
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

/** The keys of the AsyncAPI document below which each entry must have a description. */
const DESCRIBED = ['properties', 'servers', 'channels', 'messages', 'operations'];

/** The paths of all properties, messages, topics and operations without a description. */
const undescribed = (node: unknown, path: string): readonly string[] => {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, inner]: [string, unknown]) => {
    const lacking = DESCRIBED.includes(name)
      ? Object.entries(inner as Record<string, { description?: string }>)
          .filter(([, entry]) => !entry.description)
          .map(([key]) => `${path}.${name}.${key}`)
      : [];
    return [...lacking, ...undescribed(inner, `${path}.${name}`)];
  });
};

test('every topic, message and header of the AsyncAPI document has a description', async () => {
  const text = await readFile(join(root, 'docs/generated/asyncapi.yaml'), 'utf8');
  expect(undescribed(parse(text), 'asyncapi')).toEqual([]);
});

test('every event and field has a description in the schemas of all versions', async () => {
  const folder = join(root, 'docs/generated/schemas');
  const schemas = await Promise.all(
    (await readdir(folder)).map(
      async (name): Promise<{ title: string; description?: string }> =>
        JSON.parse(await readFile(join(folder, name), 'utf8')) as { title: string },
    ),
  );
  expect(schemas.length).toBeGreaterThan(0);
  const lacking = schemas.flatMap((schema) => [
    ...(schema.description ? [] : [schema.title]),
    ...undescribed(schema, schema.title),
  ]);
  expect(lacking).toEqual([]);
});
