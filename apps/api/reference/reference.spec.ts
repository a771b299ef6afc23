import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { randomText } from '#kernel';
import { createLogger } from '#platform';
import { undescribedProperties } from '#testing';
import { type ApiFixture, startApiFixture } from '../api.fixture.js';
import { startApi } from '../api-app.js';
import { PLACE_ORDER_EXAMPLES } from '../orders/place-order.dto.js';
import { ERROR_CODES } from '../shared/error-codes.js';
import { errorPage } from './error-page.js';

let api: ApiFixture;

beforeAll(async () => {
  api = await startApiFixture();
});

afterAll(() => api.stop());

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly required: boolean }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, unknown>>;
}

const operations = async (): Promise<Readonly<Record<string, Operation>>> => {
  const { body } = await api.call('GET', '/openapi.json');
  const paths = body['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation]),
    ),
  );
};

const generated: Readonly<Record<string, (document: OpenAPIObject) => string>> = {
  'openapi.api.json': (document) => `${JSON.stringify(document, null, 2)}\n`,
  'errors.md': errorPage,
};

test.each(Object.entries(generated))('the committed %s is current', async (name, textOf) => {
  const file = new URL(`../../../docs/generated/${name}`, import.meta.url);
  const { body } = await api.call('GET', '/openapi.json');
  const text = textOf(body as unknown as OpenAPIObject);
  if (process.env['UPDATE_GENERATED'] === '1') {
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('the OpenAPI document does not depend on the development clock', async () => {
  const { CLOCK_URL } = process.env;
  process.env['CLOCK_URL'] = 'http://127.0.0.1:9/sandbox/clock';
  const logger = createLogger('api', { level: 'silent' });
  const other = await startApi(api.config, { logger, ownsProcess: false });
  if (CLOCK_URL === undefined) delete process.env['CLOCK_URL'];
  else process.env['CLOCK_URL'] = CLOCK_URL;
  const document: unknown = await (await fetch(`${other.url}/openapi.json`)).json();
  await other.close();
  expect(document).toEqual((await api.call('GET', '/openapi.json')).body);
});

test.each(Object.entries(PLACE_ORDER_EXAMPLES))(
  'each order example in the OpenAPI document is a valid request: %s',
  async (_, { value }) => {
    const { key } = await api.newPlatform();
    const account = {
      merchantId: value.merchantId,
      mode: 'test',
      apiKey: `stest_${randomText(24)}`,
    };
    expect((await api.post('/v1/provider-accounts', key, account)).status).toBe(201);
    expect((await api.post('/v1/orders', key, value)).status).toBe(201);
  },
);

test('the OpenAPI document lists each header once, and only Idempotency-Key as required', async () => {
  for (const { parameters = [] } of Object.values(await operations())) {
    const names = parameters.map(({ name }) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    const required = parameters.filter((one) => one.required).map(({ name }) => name);
    const mayBe = [
      'id',
      'personId',
      'documentId',
      'terminalId',
      'kind',
      'format',
      'version',
      'merchantId',
      'mode',
      'month',
      'Idempotency-Key',
    ];
    expect(mayBe).toEqual(expect.arrayContaining(required));
  }
});

type Schema = Readonly<Record<string, unknown>>;

const schemas = async (): Promise<
  Readonly<Record<string, { properties: Schema; required: string[] }>>
> => {
  const { components } = (await api.call('GET', '/openapi.json')).body as never as {
    components: { schemas: Record<string, { properties: Schema; required: string[] }> };
  };
  return components.schemas;
};

test('every property of the OpenAPI document has a description', async () => {
  const { body } = await api.call('GET', '/openapi.json');
  expect(undescribedProperties(body)).toEqual([]);
});

const contentOf = ({ responses }: Operation): Readonly<Record<string, Schema>> =>
  (responses['200'] as { readonly content: Readonly<Record<string, Schema>> }).content;

test('the OpenAPI document describes both formats of a downloadable list, with their rows', async () => {
  const all = Object.entries(await operations()).filter(([route]) => route.endsWith('/export'));
  expect(all.length).toBeGreaterThan(2);
  for (const [, operation] of all) {
    const content = contentOf(operation);
    expect(Object.keys(content)).toEqual(['text/csv', 'application/json']);
    expect(content['application/json']?.['schema']).toEqual({
      type: 'array',
      items: { $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) },
    });
  }
  const { key } = await api.newPlatform();
  const authorization = `Bearer ${key}`;
  const csv = await fetch(`${api.http.url}/v1/reconciliation/exceptions/export?format=csv`, {
    headers: { authorization },
  });
  const header = (await csv.text()).trim().split(',');
  expect(header.sort()).toEqual(
    Object.keys((await schemas())['ReconciliationExceptionLine']?.properties ?? {}).sort(),
  );
});

test('the OpenAPI document describes the data of an event stream’s events', async () => {
  const { TimelineEntry: entry } = await schemas();
  const all = Object.entries(await operations()).filter(([route]) => route.endsWith('}/events'));
  expect(all.map(([route]) => route)).toEqual([
    'get /v1/orders/{id}/events',
    'get /v1/merchants/{id}/events',
  ]);
  for (const [, operation] of all) {
    const content = contentOf(operation);
    expect(Object.keys(content)).toEqual(['text/event-stream']);
    const { schema, example } = content['text/event-stream'] ?? {};
    expect(schema).toEqual({
      type: 'string',
      description: expect.stringContaining('TimelineEntry'),
    });
    const [, data = ''] = /^id: \S+\nevent: \w+\ndata: (.*)\n\n$/.exec(String(example)) ?? [];
    expect(Object.keys(JSON.parse(data) as object).sort()).toEqual(entry?.required.toSorted());
  }
});

test('each error example in the OpenAPI document has the status under which it is listed', async () => {
  const all = await operations();
  const pattern = /"status":(\d+)/g;
  for (const { responses } of Object.values(all)) {
    for (const [status, response] of Object.entries(responses)) {
      const shown = [...JSON.stringify(response).matchAll(pattern)].map(([, one]) => one);
      if (Number(status) >= 400) expect(shown.length).toBeGreaterThan(0);
      expect(new Set(shown)).toEqual(new Set(shown.length === 0 ? [] : [status]));
    }
  }
});

test('each request with a JSON body lists the errors of a body that is too large or no JSON', async () => {
  const withBody = Object.entries(await operations()).filter(([, { requestBody }]) =>
    JSON.stringify(requestBody ?? null).includes('application/json'),
  );
  expect(withBody.length).toBeGreaterThan(15);
  for (const [route, { responses }] of withBody) {
    expect([route, ...Object.keys(responses)]).toEqual(expect.arrayContaining(['413', '415']));
    expect(JSON.stringify(responses['422'])).toMatch(/"unstorable_text".*"too_deep"/s);
  }
});

test('the OpenAPI document lists every error code of the platforms’ routes', () => {
  const here = new URL('..', import.meta.url);
  const sources = readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((file) =>
      /^(?:accounts|events|merchants|orders|payments|shared|story)\/.*(?<!\.spec)\.ts$/.test(file),
    )
    .map((file) => readFileSync(new URL(file, here), 'utf8'));
  const RAISED = /(?:\bproblem|new Rejection)\(\s*'(\w+)'/g;
  const raised = sources.flatMap((source) => [...source.matchAll(RAISED)].map(([, code]) => code));
  expect(raised.length).toBeGreaterThan(8);
  expect(Object.keys(ERROR_CODES)).toEqual(expect.arrayContaining([...new Set(raised)]));
});

test('the AsyncAPI document is served beside the OpenAPI document, with every schema that it refers to', async () => {
  const url = `${api.http.url}/asyncapi.yaml`;
  const served = await (await fetch(url)).text();
  expect(served).toBe(
    readFileSync(new URL('../../../docs/generated/asyncapi.yaml', import.meta.url), 'utf8'),
  );
  const schemas = [...served.matchAll(/\$ref: (\.\/\S+)/g)].map(([, path = '']) => path);
  expect(schemas.length).toBeGreaterThan(50);
  for (const path of schemas) {
    const schema = (await (await fetch(new URL(path, url))).json()) as Schema;
    expect(path).toBe(`./schemas/${String(schema['title'])}.v${String(schema['$id']).at(-1)}.json`);
  }
  for (const path of ['/schemas/other.json', '/schemas/..%2Fasyncapi.yaml']) {
    expect((await fetch(`${api.http.url}${path}`)).status).toBe(404);
  }
});

test('the reference page loads nothing from other hosts', async () => {
  const page = await (await fetch(`${api.http.url}/docs`)).text();
  const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
  expect(loaded.filter((url) => /^(?:https?:)?\/\//.test(url))).toEqual([]);
  for (const url of loaded.filter((one) => one.startsWith('/'))) {
    expect((await fetch(`${api.http.url}${url}`)).status).toBe(200);
  }
});
