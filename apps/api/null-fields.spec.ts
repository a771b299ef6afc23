import { randomText } from '#kernel';
import { type ApiFixture, orderBody, type Reply, startApiFixture } from './api.fixture.js';

let api: ApiFixture;
let platform: Awaited<ReturnType<ApiFixture['newPlatform']>>;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  api = await startApiFixture();
  platform = await api.newPlatform();
  const { key } = platform;
  const { body: order } = await api.post('/v1/orders', key, orderBody());
  const { body: endpoint } = await api.post('/v1/webhook-endpoints', key, endpointBody());
  ids = {
    '/v1/orders': String(order['id']),
    '/v1/payments': await api.openPayment(String(order['id'])),
    '/v1/webhook-endpoints': String(endpoint['id']),
  };
});
afterAll(() => api.stop());

const endpointBody = () => ({ url: 'https://203.0.113.7/payments' });

/** A valid body for each schema; a schema without one is tested with an empty object. */
const BODIES: Readonly<Record<string, () => object>> = {
  PlaceOrder: orderBody,
  RegisterAccount: () => ({
    merchantId: `m-${randomText(8)}`,
    mode: 'test',
    apiKey: `stest_${randomText(24)}`,
  }),
  CreateWebhookEndpoint: endpointBody,
  RedeliverWebhooks: () => ({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }),
};

interface Schema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}
type Operations = Readonly<Record<string, { readonly requestBody?: object }>>;

/** The optional fields of each JSON body: the method, the path, the schema and the field. */
const optionalFields = async (): Promise<
  readonly (readonly [string, string, string, string])[]
> => {
  const { paths, components } = (await api.call('GET', '/openapi.json')).body as never as {
    paths: Readonly<Record<string, Operations>>;
    components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const [, name = ''] =
        /"application\/json":\{"schema":\{"\$ref":"#\/components\/schemas\/(\w+)"/.exec(
          JSON.stringify(requestBody ?? null),
        ) ?? [];
      const { required = [], properties = {} } = components.schemas[name] ?? {};
      return Object.keys(properties)
        .filter((field) => !required.includes(field))
        .map((field) => [method, path, name, field] as const);
    }),
  );
};

interface Outcome {
  readonly status: number;
  readonly code: unknown;
  readonly errors: readonly { readonly pointer?: string }[];
}

const outcomeOf = ({ status, body }: Reply): Outcome => {
  const { code, errors = [] } = body as unknown as Partial<Outcome>;
  return { status, code, errors };
};

test('null in an optional field means the same as no field, or is refused by the name of the field', async () => {
  const fields = await optionalFields();
  expect(fields.length).toBeGreaterThan(30);
  for (const [method, path, schema, field] of fields) {
    const [, collection = ''] = /^(\/v1\/[\w-]+)/.exec(path) ?? [];
    const url = path.replace('{id}', ids[collection] ?? 'mer_none').replace('{personId}', 'per_1');
    const send = async (fieldsOfBody: object): Promise<Outcome> =>
      outcomeOf(
        await api.call(method.toUpperCase(), url, {
          key: platform.key,
          body: { ...BODIES[schema]?.(), ...fieldsOfBody },
          idempotencyKey: randomText(16),
        }),
      );
    const [absent, isNull] = [await send({}), await send({ [field]: null })];
    const refused = isNull.errors.some(({ pointer }) => pointer === `#/${field}`);
    const about = `${method} ${path} ${field}`;
    if (refused) expect([about, isNull.code]).toEqual([about, 'validation_failed']);
    else expect([about, isNull]).toEqual([about, absent]);
  }
});

test.each(['2026-W10-1T10:00:00Z', '2026-02-30T00:00:00Z', '2026-03-01T10:00:00'])(
  'an account with orders from %s is refused, and the error names the field',
  async (ordersFrom) => {
    const body = { ...BODIES['RegisterAccount']?.(), ordersFrom };
    expect(await api.post('/v1/provider-accounts', platform.key, body)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '#/ordersFrom' }] },
    });
  },
);
