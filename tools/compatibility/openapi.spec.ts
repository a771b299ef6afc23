import { readFileSync } from 'node:fs';
import { breakingChanges, type Contract, removedSchemas } from './openapi.js';

/**
 * A part of a document that a test changes. Its type is `any`, because tests change parts of any
 * shape.
 */
// oxlint-disable-next-line typescript/no-explicit-any
type Node = any;

const TEXT = readFileSync('docs/generated/openapi.api.json', 'utf8');
const BEFORE = JSON.parse(TEXT) as Contract;

/**
 * The breaking changes that the check reports after `change` has changed the generated document.
 */
const reported = (change: (document: Node) => void): readonly string[] => {
  const after = JSON.parse(TEXT) as Node;
  change(after);
  return breakingChanges(BEFORE, after as Contract);
};

const schema = (document: Node, name: string): Node => document.components.schemas[name];
const field = (document: Node, name: string, key: string): Node =>
  schema(document, name).properties[key];
const post = (document: Node, path: string): Node => document.paths[path].post;
const parameter = (document: Node, path: string, name: string): Node =>
  document.paths[path].get.parameters.find((one: Node) => one.name === name);
const operations = (document: Node): readonly Node[] =>
  Object.values<Node>(document.paths).flatMap((methods) => Object.values(methods));
const problems = ({ responses }: Node, status: number): Node =>
  responses[status].content['application/problem+json'];
const rename = (values: unknown[], was: string, is: string): void => {
  values[values.indexOf(was)] = is;
};

type Mutant = readonly [what: string, change: (document: Node) => void, line: string];

const OF_REQUESTS: readonly Mutant[] = [
  [
    'a lower maximum',
    (d) => (field(d, 'PlaceOrder', 'amountMinor').maximum = 100),
    'POST /v1/orders request.amountMinor: maximum is now 100 instead of 4294967295',
  ],
  [
    'a higher minimum',
    (d) => (field(d, 'PlaceOrder', 'amountMinor').minimum = 50),
    'POST /v1/orders request.amountMinor: minimum is now 50 instead of 1',
  ],
  [
    'a lower maximum length',
    (d) => (field(d, 'PlaceOrder', 'reference').maxLength = 3),
    'POST /v1/orders request.reference: maxLength is now 3 instead of 64',
  ],
  [
    'a new minimum length',
    (d) => (field(d, 'PlaceOrder', 'reference').minLength = 5),
    'POST /v1/orders request.reference: minLength is now 5 instead of none',
  ],
  [
    'a new pattern',
    (d) => (field(d, 'PlaceOrder', 'reference').pattern = '^[0-9]+$'),
    'POST /v1/orders request.reference: pattern is now ^[0-9]+$ instead of none',
  ],
  [
    'a new format',
    (d) => (field(d, 'PlaceOrder', 'reference').format = 'uuid'),
    'POST /v1/orders request.reference: format is now uuid instead of none',
  ],
  [
    'a new maximum number of items',
    (d) => (field(d, 'CompanyInput', 'products').maxItems = 1),
    'POST /v1/merchants request.details.products: maxItems is now 1 instead of 20',
  ],
  [
    'a value that is no longer accepted',
    (d) => field(d, 'PlaceOrder', 'currency').enum.pop(),
    'POST /v1/orders request.currency: no longer accepts',
  ],
  [
    'certain values of a text',
    (d) => (field(d, 'PlaceOrder', 'reference').enum = ['a']),
    'POST /v1/orders request.reference: accepts only certain values now',
  ],
  [
    'another type',
    (d) => (field(d, 'PlaceOrder', 'reference').type = 'integer'),
    'POST /v1/orders request.reference: may no longer be string',
  ],
  [
    'a required field',
    (d) => schema(d, 'PlaceOrder').required.push('description'),
    'POST /v1/orders request.description: is now required',
  ],
  [
    'a required field of a choice of schemas',
    (d) => (schema(d, 'Address').required = ['line2']),
    'POST /v1/merchants request.details.company.address.line2: is now required',
  ],
  [
    'null that is no longer accepted',
    (d) => field(d, 'PersonInput', 'address').anyOf.pop(),
    'POST /v1/merchants/{id}/owners request.person.address: may no longer be null',
  ],
  [
    'a removed field',
    (d) => delete schema(d, 'PlaceOrder').properties.reference,
    'POST /v1/orders request.reference: was removed',
  ],
  [
    'a new required body',
    (d) =>
      (post(d, '/v1/orders/{id}/cancel').requestBody = {
        required: true,
        content: { 'application/json': { schema: { type: 'object' } } },
      }),
    'POST /v1/orders/{id}/cancel request: is now required',
  ],
  [
    'a lower maximum of a parameter',
    (d) => (parameter(d, '/v1/orders', 'limit').schema.maximum = 1),
    'GET /v1/orders ?limit: maximum is now 1 instead of 100',
  ],
  [
    'another default of a parameter',
    (d) => (parameter(d, '/v1/orders', 'limit').schema.default = 5),
    'GET /v1/orders ?limit: default is now 5 instead of 20',
  ],
  [
    'a parameter that became required',
    (d) => (parameter(d, '/v1/orders', 'limit').required = true),
    'GET /v1/orders ?limit: is now required',
  ],
  [
    'a new required parameter',
    (d) => d.paths['/v1/orders'].get.parameters.push({ name: 'x', in: 'query', required: true }),
    'GET /v1/orders ?x: is now required',
  ],
  [
    'another style of a parameter',
    (d) => (parameter(d, '/v1/orders', 'status').style = 'pipeDelimited'),
    'GET /v1/orders ?status: style is now pipeDelimited instead of form',
  ],
  [
    'a list in one value of a parameter',
    (d) => (parameter(d, '/v1/orders', 'status').explode = false),
    'GET /v1/orders ?status: explode is now false instead of true',
  ],
  ['a removed parameter', (d) => d.paths['/v1/orders'].get.parameters.shift(), 'GET /v1/orders ?'],
];

const OF_RESPONSES: readonly Mutant[] = [
  [
    'a renamed value of an enumeration',
    (d) => rename(field(d, 'Order', 'status').enum, 'paid', 'settled'),
    'POST /v1/orders 201.status: is no longer paid',
  ],
  [
    'a removed field',
    (d) => delete schema(d, 'Order').properties.reference,
    'POST /v1/orders 201.reference: was removed',
  ],
  [
    'a field that may be null',
    (d) => (field(d, 'Order', 'id').type = ['string', 'null']),
    'POST /v1/orders 201.id: may now be null',
  ],
  [
    'a field that may be missing',
    (d) => schema(d, 'Order').required.shift(),
    'POST /v1/orders 201.id: may be missing now',
  ],
  [
    'a field of a choice of schemas that may be null',
    (d) => (field(d, 'Payment', 'id').type = ['string', 'null']),
    'POST /v1/orders 201.payment.id: may now be null',
  ],
  [
    'a removed field of a choice of schemas',
    (d) => delete schema(d, 'Payment').properties.status,
    'POST /v1/orders 201.payment.status: was removed',
  ],
  [
    'a removed field behind allOf',
    (d) => delete schema(d, 'StatementSum').properties.amountMinor,
    '.payments.amountMinor: was removed',
  ],
  [
    'a removed field of the items of a list',
    (d) => delete schema(d, 'OrderItem').properties.status,
    'GET /v1/orders 200.items[].status: was removed',
  ],
  [
    'no pattern any more',
    (d) => delete field(d, 'CloudEvent', 'sequence').pattern,
    'sequence: pattern is now none instead of ^[0-9]{10}$',
  ],
  [
    'another format',
    (d) => delete field(d, 'Order', 'createdAt').format,
    'POST /v1/orders 201.createdAt: format is now none instead of date-time',
  ],
  [
    'all refusals removed',
    (d) => {
      for (const { responses } of operations(d)) {
        for (const status of Object.keys(responses)) {
          if (status.startsWith('4')) delete responses[status];
        }
      }
    },
    'GET /v1/orders 401: is no longer returned',
  ],
  [
    'a removed field of a refusal',
    (d) => delete schema(d, 'Problem').properties.code,
    'GET /v1/orders 401.code: was removed',
  ],
  [
    'a removed problem code',
    (d) => delete problems(post(d, '/v1/orders'), 409).examples['request_in_progress'],
    'POST /v1/orders 409: request_in_progress was removed',
  ],
  [
    'a renamed problem code',
    (d) => {
      const { examples } = problems(post(d, '/v1/orders/{id}/cancel'), 404);
      examples['nothing_found'] = examples['order_not_found'];
      delete examples['order_not_found'];
    },
    'POST /v1/orders/{id}/cancel 404: order_not_found was removed',
  ],
  [
    'a further successful status',
    (d) => (post(d, '/v1/orders').responses['202'] = post(d, '/v1/orders').responses['201']),
    'POST /v1/orders 202: is now returned, too',
  ],
  [
    'a removed header',
    (d) => delete post(d, '/v1/orders').responses['201'].headers.Location,
    'POST /v1/orders 201 header Location: was removed',
  ],
  [
    'another media type',
    (d) => {
      const { content } = post(d, '/v1/orders').responses['201'];
      content['application/xml'] = content['application/json'];
      delete content['application/json'];
    },
    'POST /v1/orders 201: application/json was removed',
  ],
];

const OF_ROUTES: readonly Mutant[] = [
  [
    'another name of an operation',
    (d) => (post(d, '/v1/orders').operationId = 'createOrder'),
    'POST /v1/orders: operationId is now createOrder instead of placeOrder',
  ],
  [
    'no name of an operation any more',
    (d) => delete post(d, '/v1/orders').operationId,
    'POST /v1/orders: operationId is now none instead of placeOrder',
  ],
  ['a removed route', (d) => delete d.paths['/v1/orders'], 'POST /v1/orders: was removed'],
  ['a removed method', (d) => delete d.paths['/v1/orders'].post, 'POST /v1/orders: was removed'],
  [
    'another scope',
    (d) => (post(d, '/v1/orders')['x-scope'] = 'orders:admin'),
    'POST /v1/orders: needs the scope orders:admin',
  ],
  [
    'another way to authenticate',
    (d) => (post(d, '/v1/orders').security = [{ mutual: [] }]),
    'POST /v1/orders: needs mutual instead of bearer',
  ],
];

const expectFound = (found: readonly string[], line: string): void => {
  expect(found.filter((one) => one.includes(line))).not.toEqual([]);
};

test.each(OF_REQUESTS)('%s in a request breaks clients', (_what, change, line) => {
  expectFound(reported(change), line);
});

test.each(OF_RESPONSES)('%s in a response breaks clients', (_what, change, line) => {
  expectFound(reported(change), line);
});

test.each(OF_ROUTES)('%s breaks clients', (_what, change, line) => {
  expectFound(reported(change), line);
});

const CARD = { type: 'object', properties: { kind: { const: 'card' }, last4: {} } };
const DEBIT = { type: 'object', properties: { kind: { const: 'debit' }, iban: {} } };
const MORE = { type: 'object', properties: { ...DEBIT.properties, mandate: {} } };

/**
 * The breaking changes that the check reports when the variants of a field change from `was` to
 * `is`.
 */
const ofVariants = (name: string, was: readonly unknown[], is: readonly unknown[]) => {
  const [before, after] = [was, is].map((oneOf) => {
    const document = JSON.parse(TEXT) as Node;
    schema(document, name).properties.method = { oneOf };
    return document as Contract;
  });
  return breakingChanges(before ?? BEFORE, after ?? BEFORE);
};

test('the removal of a variant of a response breaks clients', () => {
  const line = 'POST /v1/orders 201.method: is no longer object of kind, iban';
  expectFound(ofVariants('Order', [CARD, DEBIT], [CARD]), line);
  expectFound(ofVariants('Order', [DEBIT, CARD], [CARD]), line);
  expectFound(ofVariants('Order', [CARD, DEBIT, { type: 'null' }], [CARD, { type: 'null' }]), line);
});

test('the removal of a variant of a request breaks clients', () => {
  const line = 'POST /v1/orders request.method.iban: was removed';
  expectFound(ofVariants('PlaceOrder', [CARD, DEBIT], [CARD]), line);
});

test('a variant that is extended, moved or contained in another one breaks no client', () => {
  expect(ofVariants('PlaceOrder', [CARD], [CARD, DEBIT])).toEqual([]);
  for (const name of ['Order', 'PlaceOrder']) {
    expect(ofVariants(name, [CARD, DEBIT], [DEBIT, CARD])).toEqual([]);
    expect(ofVariants(name, [CARD, DEBIT], [MORE, CARD])).toEqual([]);
    expect(ofVariants(name, [DEBIT, MORE], [MORE])).toEqual([]);
  }
});

test('a removed or renamed schema breaks generated clients', () => {
  const after = JSON.parse(TEXT) as Node;
  after.components.schemas.PlacedOrder = after.components.schemas.Order;
  delete after.components.schemas.Order;
  expect(removedSchemas(BEFORE, after as Contract)).toEqual(['schema Order: was removed']);
  expect(removedSchemas(BEFORE, BEFORE)).toEqual([]);
});

test.each<readonly [string, (document: Node) => void]>([
  ['nothing', () => {}],
  ['a new route', (d) => (d.paths['/v1/more'] = d.paths['/v1/orders'])],
  ['a new optional parameter', (d) => d.paths['/v1/orders'].get.parameters.push({ name: 'x' })],
  ['a removed maximum of a request', (d) => delete field(d, 'PlaceOrder', 'amountMinor').maximum],
  ['a removed pattern', (d) => delete field(d, 'LegalEntityInput', 'country').pattern],
  ['a value accepted in addition', (d) => field(d, 'PlaceOrder', 'currency').enum.push('jpy')],
  [
    'null accepted in addition',
    (d) => (field(d, 'PlaceOrder', 'reference').type = ['string', 'null']),
  ],
  ['a field that is no longer required', (d) => schema(d, 'PlaceOrder').required.pop()],
  ['a new optional field', (d) => (schema(d, 'PlaceOrder').properties.more = { type: 'string' })],
  ['a new value of a response', (d) => field(d, 'Order', 'status').enum.push('disputed')],
  ['a new field of a response', (d) => (schema(d, 'Order').properties.more = { type: 'string' })],
  ['a lower maximum of a response', (d) => (field(d, 'Order', 'id').maxLength = 24)],
  [
    'the default style of a parameter',
    (d) => (parameter(d, '/v1/orders', 'status').style = 'form'),
  ],
  [
    'the default explode of a parameter',
    (d) => (parameter(d, '/v1/orders', 'status').explode = true),
  ],
  ['a new refusal', (d) => (post(d, '/v1/orders').responses['418'] = { description: 'x' })],
  [
    'a new problem code',
    (d) => (problems(post(d, '/v1/orders'), 409).examples['more'] = { value: {} }),
  ],
  ['other texts', (d) => (field(d, 'Order', 'status').description = 'x')],
])('%s breaks no client', (_what, change) => {
  expect(reported(change)).toEqual([]);
});
