import type { Instant } from '#kernel';
import { idOrNull, MINOR_UNITS, TEXT_OR_NULL } from './answers.js';
import { answered, asked, computed, CREATED, DELETED, field, filter } from './fields.js';
import { resource } from './resource.js';
import { AMOUNT, optionalReference, optionalText, text } from './values.js';
import { fixed } from '../storage/table.js';

const ORDERS = resource(
  {
    prefix: 'pi',
    title: 'Order',
    about: 'What is bought.',
    table: 'orders',
    key: 'or',
  },
  {
    created: CREATED,
    deleted: DELETED,
    amount: field('What is paid, in minor units.', AMOUNT, { only: 'create', required: true }),
    note: field('A remark.', optionalText(1, 20), { asked: 'Null empties it.' }),
    payer: field('Who pays.', optionalReference('cust'), { column: 'payer_id', filter: true }),
    doubled: computed(
      'Twice the amount.',
      MINOR_UNITS,
      (row: { amount: number }) => 2 * row.amount,
    ),
    url: computed('Its page.', TEXT_OR_NULL, (row: { id: string }, base: string) => base + row.id),
    payout: answered('Its payout.', idOrNull('pout'), { column: 'payout_id', mutable: true }),
    code: asked('Opens the shop. It is not kept.', text(4, 4).in, { only: 'create' }),
    shop: filter('Where it was bought.'),
    secret: fixed<string>(),
  },
);

const ROW = {
  id: 'pi_1',
  account_id: 'acct_1',
  live: false,
  created_at: '2026-03-01T00:00:00.500Z' as Instant,
  deleted_at: null,
  amount: 5,
  note: null,
  payer_id: 'cust_1',
  payout_id: null,
  secret: 'x',
};

test('a response has the id first, and then the fields in the declared order', () => {
  expect(JSON.stringify(ORDERS.wire(ROW, 'https://'))).toBe(
    '{"id":"pi_1","created":1772323200,"deleted":false,"amount":5,"note":null,"payer":"cust_1",' +
      '"doubled":10,"url":"https://pi_1","payout":null}',
  );
});

test('the documented response has exactly the returned keys, each with a description', () => {
  const { properties, required } = ORDERS.answer as unknown as {
    properties: Record<string, { description: string }>;
    required: string[];
  };
  expect(required).toEqual(Object.keys(ORDERS.wire(ROW, '')));
  expect(Object.keys(properties)).toEqual(required);
  expect(properties['amount']?.description).toBe('What is paid, in minor units.');
});

test('a table has a column for each stored field, and columns for the account and the mode', () => {
  expect([...ORDERS.columns].sort()).toEqual([
    'account_id',
    'amount',
    'created_at',
    'deleted_at',
    'id',
    'live',
    'note',
    'payer_id',
    'payout_id',
    'secret',
  ]);
});

test('a field is mutable when PATCH accepts the field or the field is declared as mutable', () => {
  expect([...ORDERS.mutable].sort()).toEqual(['deleted_at', 'note', 'payer_id', 'payout_id']);
});

test('a creation accepts its declared fields, and rejects a body without a required field', () => {
  expect(ORDERS.create.read({ amount: 1, code: 'open' })).toEqual({ amount: 1, code: 'open' });
  expect(() => ORDERS.create.read({ note: 'x' })).toThrow(
    expect.objectContaining({
      body: { detail: [{ loc: ['body', 'amount'], msg: 'Field required', type: 'missing' }] },
    }),
  );
  expect(() => ORDERS.create.read({ amount: 1, payout: null })).toThrow();
});

test('a PATCH rejects the fields that only a creation accepts, and requires no field', () => {
  expect(ORDERS.patch.read({ note: null })).toEqual({ note: null });
  expect(() => ORDERS.patch.read({ amount: 1 })).toThrow();
});

test("a field's description for requests extends its description for responses", () => {
  const { properties } = ORDERS.patch.schema as unknown as {
    properties: Record<string, { description: string }>;
  };
  expect(properties['note']?.description).toBe('A remark. Null empties it.');
});

test('a field omitted in a creation is null; a field omitted in a PATCH stays unchanged', () => {
  expect(ORDERS.given({ amount: 1, payer: 'cust_1' })).toEqual({
    amount: 1,
    note: null,
    payer_id: 'cust_1',
  });
  expect(ORDERS.changes({ payer: null })).toEqual({ payer_id: null });
});

test('a reference is checked only when the body contains it', () => {
  expect(ORDERS.references({ payer: 'cust_1', note: 'x' })).toEqual([['payer', 'cust_1']]);
  expect(ORDERS.references({ payer: null })).toEqual([]);
});

test('a list can be filtered by columns, and rejects other filters', () => {
  const query = ORDERS.list.read({ payer: 'cust_1', limit: '2' });
  expect(query).toEqual({ payer: 'cust_1', limit: 2, start: 0 });
  expect(ORDERS.filters(query)).toEqual({ payer_id: 'cust_1', shop: undefined });
  expect(() => ORDERS.list.read({ note: 'x' })).toThrow();
});

test('a deleted object is in no list', () => {
  expect(ORDERS.where).toBe('t.deleted_at IS NULL');
});
