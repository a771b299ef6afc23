import { newId, parseInstant } from '#kernel';
import { createDatabase, type TestDatabase } from '#testing';
import { type CustomerRow, CUSTOMERS } from '../collection/customers/customer-resource.js';
import { PRICES } from '../collection/products/price-resource.js';
import { PRODUCTS } from '../collection/products/product-resource.js';
import { HOUSE_TEST } from './account-scope.js';
import { findRow, lockRow } from './by-id.js';
import { Database } from './database.js';
import { Store } from './store.js';
import { versionSql } from './table.js';
import { Unit } from './unit.js';
import { Wake } from './wake.js';

const AT = parseInstant('2026-03-02T10:00:00Z');

const customer = (more: Partial<CustomerRow> = {}): CustomerRow => ({
  id: newId('cust'),
  ...HOUSE_TEST,
  email: 'a.payer@example.test',
  mobile: null,
  name: 'A. Payer',
  date_birth: '1990-02-28',
  legal_id: null,
  country: 'FR',
  external_id: null,
  billing_address: null,
  shipping_address: null,
  created_at: AT,
  deleted_at: null,
  ...more,
});
const product = {
  id: newId('prod'),
  ...HOUSE_TEST,
  name: 'Tea',
  description: null,
  metadata: { id: 'kept', deep: { name: ['as', 'it', 'is'] } },
  created_at: AT,
  deleted_at: null,
} as const;

let own: TestDatabase;
let database: Database;
let store: Store;

beforeAll(async () => {
  own = await createDatabase('sandbox');
  database = new Database(own.url, () => undefined);
  store = new Store(database, new Wake());
});
afterAll(async () => {
  await database.end();
  await own.drop();
});

test('a unit of work writes rows that refer to each other, and their event, in one statement', async () => {
  const unit = new Unit();
  const price = {
    id: newId('price'),
    ...HOUSE_TEST,
    product_id: product.id,
    amount: 450,
    currency: 'eur',
    interval: null,
    interval_count: null,
    created_at: AT,
    deleted_at: null,
  } as const;
  unit.insert(PRICES, price);
  unit.insert(PRODUCTS, product);
  unit.addEvent('product.created', HOUSE_TEST, product, AT);
  await store.save(unit);
  expect(await findRow(database, PRICES, HOUSE_TEST, price.id)).toMatchObject(price);
  expect(await findRow(database, PRODUCTS, HOUSE_TEST, product.id)).toMatchObject(product);
  expect(unit.earliestDue).toBe('2026-03-02T10:00:15.000Z');
});

test('a unit of work inserts only declared columns and updates only mutable columns', async () => {
  const row = { ...customer(), card: 'not a column' };
  const first = new Unit();
  first.insert(CUSTOMERS, row);
  await store.save(first);
  const second = new Unit();
  second.change(CUSTOMERS, { ...row, live: true, name: 'B. Payer' });
  second.change(CUSTOMERS, { ...row, live: true, name: 'C. Payer' });
  await store.save(second);
  const { card: _card, ...kept } = row;
  expect(await findRow(database, CUSTOMERS, HOUSE_TEST, row.id)).toMatchObject({
    ...kept,
    name: 'C. Payer',
  });
  expect(await findRow(database, CUSTOMERS, { ...HOUSE_TEST, live: true }, row.id)).toBeNull();
});

test('a unit of work writes a row only once, in its last state, even if the row was changed several times', async () => {
  const row = customer({ name: null });
  const unit = new Unit();
  unit.insert(CUSTOMERS, row);
  unit.change(CUSTOMERS, { ...row, name: 'D. Payer' });
  await store.save(unit);
  expect(await findRow(database, CUSTOMERS, HOUSE_TEST, row.id)).toMatchObject({
    name: 'D. Payer',
  });
});

test('a unit of work writes one event per object and type, with the final data', async () => {
  const row = customer({ name: null });
  const renamed = { ...row, name: 'E. Payer' };
  const unit = new Unit();
  unit.addEvent('customer.deleted', HOUSE_TEST, row, AT);
  unit.addEvent('customer.created', HOUSE_TEST, row, AT);
  unit.addEvent('customer.deleted', HOUSE_TEST, renamed, AT);
  await store.save(unit);
  const events = await database.query<{ type: string; body: string }>(
    {
      name: 'spec:events',
      text: 'SELECT type, body FROM events WHERE object_id = $1 ORDER BY seq',
    },
    [row.id],
  );
  expect(events.map(({ type }) => type)).toEqual(['customer.created', 'customer.deleted']);
  expect(events[1]?.body).toContain('E. Payer');
});

test('a unit of work uses the same prepared statement for the same changes in any order', () => {
  const [one, other] = [new Unit(), new Unit()];
  one.insert(CUSTOMERS, customer());
  one.insert(PRODUCTS, product);
  other.insert(PRODUCTS, product);
  other.insert(CUSTOMERS, customer());
  expect(one.toSql()?.statement).toBe(other.toSql()?.statement);
  expect(new Unit().toSql()).toBeNull();
});

describe('work without locks', () => {
  const READ = {
    name: 'spec:read-with-version',
    text: `SELECT t.*, ${versionSql('t')} AS version FROM customers t WHERE id = $1`,
  };
  const appended = (id: string, letter: string, meanwhile: () => Promise<void>) => {
    let runs = 0;
    return store.decideUnlocked(async (tx, unit) => {
      runs += 1;
      const [row] = await tx.query<CustomerRow & { readonly version: string }>(READ, [id]);
      if (row === undefined) throw new Error('the customer exists');
      if (!tx.locks) {
        unit.compare(CUSTOMERS, row);
        await meanwhile();
      }
      unit.change(CUSTOMERS, { ...row, external_id: `${row.external_id}${letter}` });
      return runs;
    });
  };
  const stored = async (): Promise<string> => {
    const row = customer({ external_id: '' });
    const made = new Unit();
    made.insert(CUSTOMERS, row);
    await store.save(made);
    return row.id;
  };
  const nothing = () => Promise.resolve();

  test('runs once, and its changes are written, when no row has changed meanwhile', async () => {
    const id = await stored();
    expect(await appended(id, 'a', nothing)).toBe(1);
    expect(await findRow(database, CUSTOMERS, HOUSE_TEST, id)).toMatchObject({ external_id: 'a' });
  });

  test('runs again with locks when a row has changed meanwhile', async () => {
    const id = await stored();
    const change = async () => void (await appended(id, 'a', nothing));
    expect(await appended(id, 'b', change)).toBe(2);
    expect(await findRow(database, CUSTOMERS, HOUSE_TEST, id)).toMatchObject({ external_id: 'ab' });
  });

  test('runs again with locks when it throws, and throws the error of the second run', async () => {
    const failing = async (tx: { readonly locks: boolean }) => {
      if (!tx.locks) throw new Error('read rows of two moments');
      return 'decided';
    };
    expect(await store.decideUnlocked(failing)).toBe('decided');
    await expect(store.decideUnlocked(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  test('runs again with locks when it calls `tx.write`, which requires a transaction', async () => {
    const id = await stored();
    const rename = {
      name: 'spec:rename',
      text: 'UPDATE customers SET external_id = $2 WHERE id = $1',
    };
    await store.decideUnlocked((tx) => Promise.resolve(tx.write(rename, [id, 'renamed'])));
    expect((await findRow(database, CUSTOMERS, HOUSE_TEST, id))?.external_id).toBe('renamed');
  });
});

test('changes of a locked row run one after the other', async () => {
  const { id, ...row } = customer({ external_id: '' });
  const made = new Unit();
  made.insert(CUSTOMERS, { id, ...row });
  await store.save(made);
  const append = (letter: string) =>
    store.decide(async (tx, unit) => {
      const held = await lockRow(tx, CUSTOMERS, HOUSE_TEST, id);
      if (held !== null) {
        unit.change(CUSTOMERS, { ...held, external_id: `${held.external_id}${letter}` });
      }
    });
  await Promise.all(['a', 'b', 'c', 'd'].map(append));
  const after = await findRow(database, CUSTOMERS, HOUSE_TEST, id);
  expect([...(after?.external_id ?? '')].sort()).toEqual(['a', 'b', 'c', 'd']);
});
