import { readdirSync, readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/**
 * The folder of the committed OpenAPI documents, which the reference page, the console and client
 * generators read.
 */
const FOLDER = new URL('../docs/generated/', import.meta.url);
const documents = readdirSync(FOLDER).filter((name) => /^openapi\..*\.json$/.test(name));

const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Record<string, unknown>;

/** The location and target of every `$ref` in a document. */
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

interface Named {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}

const schemasOf = (document: Record<string, unknown>): Readonly<Record<string, Named>> =>
  (document['components'] as { readonly schemas: Record<string, Named> }).schemas;

test.each(documents)('%s names a server', (name) => {
  const { servers } = read(name) as { readonly servers?: readonly { readonly url: string }[] };
  expect(servers?.every(({ url }) => url !== '')).toBe(true);
});

/** The OpenAPI documents of the orchestrator, without those of the sandbox. */
const ours = documents.filter((name) => !name.includes('sandbox'));

test.each(ours)('each schema of %s has a title, a description and a valid example', (name) => {
  const document = read(name);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, name);
  const faults = Object.entries(schemasOf(document)).flatMap(([schema, about]) => {
    const { title, description, examples = [] } = about;
    const isValid = ajv.compile({ $ref: `${name}#/components/schemas/${schema}` });
    return [
      ...(title && description && examples.length > 0 ? [] : [`${schema} is not documented`]),
      ...examples
        .filter((one) => !isValid(one))
        .map(() => `${schema}: ${ajv.errorsText(isValid.errors)}`),
    ];
  });
  expect(faults).toEqual([]);
});

test.each(ours)('the ids in the examples of %s have the prefixes of their descriptions', (name) => {
  const faults = Object.entries(schemasOf(read(name))).flatMap(
    ([schema, { properties = {}, examples = [] }]) =>
      Object.entries(properties).flatMap(([field, { description = '' }]) => {
        const prefixes = [...description.matchAll(/(?<!e\.g\. )`([a-z]+_)…`/g)].map(
          ([, one = '']) => one,
        );
        const values = examples
          .map((one) => (one as Readonly<Record<string, unknown>>)[field])
          .filter((value) => typeof value === 'string');
        return prefixes.length === 0
          ? []
          : values
              .filter((value) => !prefixes.some((one) => value.startsWith(one)))
              .map((value) => `${schema}.${field}: ${value}`);
      }),
  );
  expect(faults).toEqual([]);
});

test('the examples of webhook endpoints and redeliveries are consistent', () => {
  const { WebhookEndpointState, RedeliverWebhooks } = schemasOf(read('openapi.api.json'));
  expect(WebhookEndpointState?.examples).toEqual([
    expect.objectContaining({ status: 'enabled', disabledReason: null, failingSince: null }),
  ]);
  const redelivery = RedeliverWebhooks?.examples?.[0] as { from: string; to: string };
  expect(redelivery.to > redelivery.from).toBe(true);
});

interface Operation {
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}

test.each(documents)('each response 201 of %s has the header Location', (name) => {
  const paths = read(name)['paths'] as Readonly<
    Record<string, Readonly<Record<string, Operation>>>
  >;
  const lacking = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { responses }]) => responses['201'] !== undefined)
      .filter(([, { responses }]) => !('Location' in (responses['201']?.headers ?? {})))
      .map(([method]) => `${method} ${path}`),
  );
  expect(lacking).toEqual([]);
});
