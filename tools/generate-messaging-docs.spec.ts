import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Parser } from '@asyncapi/parser';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { messagingDocs } from './generate-messaging-docs.js';

const root = process.cwd();

/** The AsyncAPI document, parsed once, because parsing takes longer than the tests. */
let asyncApi: Awaited<ReturnType<Parser['parse']>>;

beforeAll(async () => {
  const source = join(root, 'docs/generated/asyncapi.yaml');
  asyncApi = await new Parser().parse(await readFile(source, 'utf8'), { source });
});

test('the generated schemas and documents are up to date with the event types', async () => {
  for (const [path, text] of messagingDocs(root)) {
    const found = await readFile(join(root, path), 'utf8');
    if (found !== text) throw new Error(`${path} is not current: run \`npm run generate\``);
  }
});

test('the AsyncAPI document is valid and names every message with its schema', () => {
  const { document, diagnostics } = asyncApi;
  expect(diagnostics.filter(({ severity }) => severity === 0)).toEqual([]);
  const placed = document?.channels().get('orders.v1')?.messages().get('OrderPlaced');
  expect(placed?.payload()?.required()).toContain('amountMinor');
  expect(placed?.headers()?.required()).toContain('ce_sequence');
});

/** The keys of an AsyncAPI document whose entries must all have a description. */
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

test('every event schema of all versions has a title and an example that is valid', async () => {
  const folder = join(root, 'docs/generated/schemas');
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  const faults: string[] = [];
  for (const file of await readdir(folder)) {
    const schema = JSON.parse(await readFile(join(folder, file), 'utf8')) as {
      readonly title?: string;
      readonly examples?: readonly unknown[];
    };
    const { title = '', examples = [] } = schema;
    const validate = ajv.compile(schema);
    if (title === '' || examples.length === 0) faults.push(`${file}: has no title or no example`);
    if (!examples.every((one) => validate(one))) {
      faults.push(`${file}: ${ajv.errorsText(validate.errors)}`);
    }
  }
  expect(faults).toEqual([]);
});

test('every message of the AsyncAPI document has an example with valid headers and data', () => {
  const { document } = asyncApi;
  const ajv = new Ajv({ allErrors: true, strict: false });
  formats.default(ajv);
  const messages = document?.allMessages().all() ?? [];
  expect(messages.length).toBeGreaterThan(50);
  const faults = messages.flatMap((message) => {
    const [example] = message.examples().all();
    const [headers, payload] = [message.headers()?.json(), message.payload()?.json()] as object[];
    const isValid =
      ajv.validate(headers ?? false, example?.headers()) &&
      ajv.validate(payload ?? false, example?.payload());
    return isValid ? [] : [`${message.id()}: ${ajv.errorsText()}`];
  });
  expect(faults).toEqual([]);
});

test('the AsyncAPI document names a server with TLS and how to authenticate', () => {
  const { document } = asyncApi;
  const production = document?.servers().get('production');
  expect(production?.protocol()).toBe('kafka-secure');
  const schemes = production?.security().flatMap((one) => one.all()) ?? [];
  expect(schemes.map((one) => one.scheme().type())).toEqual(['scramSha512']);
});
