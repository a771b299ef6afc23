import { createDatabase, type TestDatabase } from '#testing';
import { ADDRESSES } from '../collection/addresses/address-resource.js';
import { CARDS } from '../collection/cards/card-resource.js';
import { CUSTOMERS } from '../collection/customers/customer-resource.js';
import { DISPUTES } from '../collection/disputes/dispute-resource.js';
import { MANDATES } from '../collection/mandates/mandate-resource.js';
import { SIGNING_CODES } from '../collection/mandates/signing-code-row.js';
import { MESSAGES } from '../collection/messages/message-row.js';
import { INTENTS } from '../collection/payments/intent-resource.js';
import { PAYMENTS } from '../collection/payments/payment-resource.js';
import { PAYOUTS } from '../collection/payouts/payout-resource.js';
import { PRICES } from '../collection/products/price-resource.js';
import { PRODUCTS } from '../collection/products/product-resource.js';
import { REFUNDS } from '../collection/refunds/refund-resource.js';
import { SEPA } from '../collection/sepa/sepa-resource.js';
import { STATE_MACHINES } from '../collection/state-machines.js';
import { SUBSCRIPTIONS } from '../collection/subscriptions/subscription-resource.js';
import { PAYOUT_LINES } from '../money/payout-line-row.js';
import { Database } from './database.js';
import { EVENTS } from './event-row.js';
import { insertSql, partOf, type TableNames, updateSql } from './table.js';

const TABLES: readonly TableNames[] = [
  ADDRESSES,
  CARDS,
  CUSTOMERS,
  DISPUTES,
  EVENTS,
  INTENTS,
  MANDATES,
  MESSAGES,
  PAYMENTS,
  PAYOUT_LINES,
  PAYOUTS,
  PRICES,
  PRODUCTS,
  REFUNDS,
  SEPA,
  SIGNING_CODES,
  SUBSCRIPTIONS,
];

let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await createDatabase('sandbox');
  database = new Database(own.url, () => undefined);
});
afterAll(async () => {
  await database.end();
  await own.drop();
});

const COLUMNS = {
  name: 'spec:columns',
  text: `SELECT column_name::text AS name FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name = $1 AND column_name <> 'seq'`,
};

test('no two tables have the same two-letter key', () => {
  expect(new Set(TABLES.map(({ key }) => key)).size).toBe(TABLES.length);
});

test('a declared subset of columns updates only the columns of the subset, which must be mutable', () => {
  const status = partOf(REFUNDS, 'zz', 'status');
  const row = { id: 'refd_1', status: 'refunded', amount: 5 } as const;
  expect(status.changed(row)).toEqual({ id: 'refd_1', status: 'refunded' });
  expect([status.name, status.mutable]).toEqual(['refunds', ['status']]);
  expect(() => partOf(REFUNDS, 'zz', 'amount')).toThrow('only mutable columns can be updated');
});

test.each(TABLES.map((each) => [each.name, each] as const))(
  'the declaration of %s matches the database, and its statements are valid',
  async (name, declared) => {
    const columns = await database.query<{ name: string }>(COLUMNS, [name]);
    expect([...declared.columns].sort()).toEqual(columns.map((column) => column.name).sort());
    const statements = [
      insertSql(declared, 1),
      ...(declared.mutable.length > 0 ? [updateSql(declared, 1)] : []),
    ];
    for (const [index, text] of statements.entries()) {
      await database.query({ name: `spec:${name}:${index}`, text }, ['[]']);
    }
  },
);

const STATUS_CHECK = {
  name: 'spec:status-check',
  text: `SELECT pg_get_constraintdef(oid) AS check FROM pg_constraint
         WHERE conrelid = $1::regclass AND contype = 'c' AND conname = $2`,
};

test.each(Object.entries(STATE_MACHINES))(
  'the status check of %s allows exactly the states of its state machine',
  async (place, { table }) => {
    const [name = '', column = ''] = place.split('.');
    const [row] = await database.query<{ check: string }>(STATUS_CHECK, [
      name,
      `${name}_${column}_check`,
    ]);
    const states = [...(row?.check ?? '').matchAll(/'([a-z_]+)'::text/g)].map(([, state]) => state);
    expect(states.sort()).toEqual(Object.keys(table).sort());
  },
);
