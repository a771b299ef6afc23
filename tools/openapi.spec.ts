import { readdirSync, readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';

/**
 * The folder of the committed OpenAPI documents, which the reference page, the console and client
 * generators read.
 */
const FOLDER = new URL('../docs/generated/', import.meta.url);
const documents = readdirSync(FOLDER).filter((name) => /^openapi\..*\.json$/.test(name));

const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Record<string, unknown>;

/** Every `$ref` of a document, with its location. */
const refsIn = (node: unknown, at = '#'): readonly (readonly [at: string, ref: string])[] => {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' ? [[at, String(value)] as const] : refsIn(value, `${at}/${key}`),
  );
};

const lookUp = (document: unknown, ref: string): unknown => {
  const [top, ...names] = ref.split('/');
  if (top !== '#') return undefined;
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (node, name) => (node as Record<string, unknown> | undefined)?.[name],
      document,
    );
};

test('each of the four APIs has an OpenAPI document', () => {
  expect(documents).toEqual([
    'openapi.admin.json',
    'openapi.api.json',
    'openapi.sandbox-onboarding.json',
    'openapi.sandbox.json',
  ]);
});

test.each(documents)('%s is a valid OpenAPI 3.1 document', async (name) => {
  const validator = new Validator();
  expect(await validator.validate(read(name))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test.each(documents)('each $ref of %s resolves', (name) => {
  const document = read(name);
  const refs = refsIn(document);
  expect(refs.length).toBeGreaterThan(10);
  expect(refs.filter(([, ref]) => lookUp(document, ref) === undefined)).toEqual([]);
});
