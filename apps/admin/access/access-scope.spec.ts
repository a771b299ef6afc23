import { newId } from '#kernel';
import { waitFor } from '#testing';
import { type AdminFixture, ORIGIN, startAdminFixture } from '../admin.fixture.js';
import { type Person, reason } from '../actions/requests.fixture.js';
import { REPAIR_KINDS } from '../actions/action.js';
import { plantOthers } from '../lists.fixture.js';
import { fillConsole, orderId, paymentId } from '../reads.fixture.js';
import {
  addressesOf,
  allAddressesOf,
  fillOthers,
  limitAccess,
  madeUp,
  plain,
  reads,
  secrets,
} from './access-walk.fixture.js';
import { VISIBLE_ROWS } from './visible-rows.js';
import { placeOrder } from '../place-order.fixture.js';

let admin: AdminFixture;
/** An admin who sees everything, and users who see the platform `mall`, or one of its merchants. */
let boss: Person;
let ofMall: Person;
let ofMerchant: Person;
let ofOther: Person;
/** All GET routes of the console, listed once because generating the OpenAPI document is slow. */
let allReads: ReturnType<typeof reads>;
const NOWHERE = newId('ord');

beforeAll(async () => {
  admin = await startAdminFixture();
  [boss, ofMall, ofMerchant, ofOther] = (await Promise.all([
    admin.signedIn('admin'),
    admin.signedIn('operator'),
    admin.signedIn('viewer'),
    admin.signedIn('viewer'),
  ])) as [Person, Person, Person, Person];
  allReads = reads(admin);
  await fillConsole(admin);
  await plantOthers(admin.pool);
  await fillOthers(admin, boss);
  await limitAccess(admin, ofMall, { scope: [{ platformId: 'mall', merchantId: null }] });
  await limitAccess(admin, ofMerchant, { scope: [{ platformId: 'mall', merchantId: 'm2' }] });
  await limitAccess(admin, ofOther, { scope: [{ platformId: 'mall', merchantId: 'm3' }] });
});

afterAll(() => admin.stop());

const placed = (platformId: string): Promise<string> =>
  placeOrder(admin.store, {
    platformId,
    merchantId: 'm2',
    accountId: 'acc_2',
    reference: 'LIVE-1',
    amountMinor: 100,
  });

test('every table of the database has a rule that decides which of its rows limited users see', async () => {
  const { rows } = await admin.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const names = rows.map(({ name }) => name).filter((name) => !name.endsWith('_rebuild'));
  expect(names.filter((name) => !(name in VISIBLE_ROWS))).toEqual([]);
});

test.each(['a platform', 'a merchant', 'a merchant without orders'])(
  'no read shows a user limited to %s any data of another platform, or whether an id of that platform exists',
  async (limited) => {
    const who = { 'a platform': ofMall, 'a merchant': ofMerchant }[limited] ?? ofOther;
    // The violations are collected for one `expect`, because thousands of `expect` calls would be
    // slow.
    const wrong: unknown[] = [];
    // A type in the path decides which table is read, whatever the user's scope: one user suffices
    // to show that an id of another type is not found.
    const addresses = allReads.flatMap(who === ofMall ? allAddressesOf : addressesOf);
    for (const { id, address } of addresses) {
      const { status, text } = await who.get(address);
      const content = plain(text);
      if (status >= 500) wrong.push([address, status]);
      if (id === '') {
        const asked = decodeURIComponent(address);
        const shown = secrets().filter((one) => !asked.includes(one) && content.includes(one));
        if (shown.length > 0) wrong.push([address, shown]);
        continue;
      }
      const none = await who.get(address.replace(id, madeUp(id)));
      const same = plain(none.text.replaceAll(madeUp(id), id));
      if (status !== none.status || content !== same) {
        wrong.push([address, status, text, none.status, same]);
      }
    }
    expect(wrong).toEqual([]);
  },
);

test('an unlimited user sees the data of both platforms, of which a limited user sees only a part', async () => {
  const texts: string[] = [];
  for (const read of allReads) {
    for (const { address } of addressesOf(read)) texts.push((await boss.get(address)).text);
  }
  const all = texts.join(' ');
  expect(secrets().filter((secret) => !all.includes(secret))).toEqual([]);
});

test('a limited user sees only the rows of the user’s platform or merchant', async () => {
  const lists = [
    'orders',
    'payments',
    'payouts',
    'ledger-entries',
    'webhooks',
    'webhooks-refused',
    'webhook-deliveries',
    'audit',
  ];
  for (const list of lists) {
    for (const [who, count] of [
      [ofMall, 1],
      [ofMerchant, 1],
      [ofOther, 0],
    ] as const) {
      const { body } = await who.get(`/v1/${list}`);
      expect([list, (body['items'] as unknown[]).length]).toEqual([list, count]);
    }
  }
  const { body } = await ofMall.get('/v1/search?q=OLD-1');
  expect((body['items'] as { type: string }[]).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['order', 'payout', 'merchant']),
  );
  const { body: orders } = await ofMall.get('/v1/orders/totals');
  expect(orders).toEqual({ currencies: [{ currency: 'eur', rows: 1, amountMinor: 990 }] });
});

test('queues, users, keys, limits and projections are refused to limited users', async () => {
  for (const path of [
    'queues',
    'users',
    'api-keys',
    'limits',
    'projections',
    'discarded-reactions',
    'failed-reactions',
  ]) {
    const { status, body } = await ofMall.get(`/v1/${path}`);
    expect([path, status, body['code']]).toEqual([path, 403, 'scope_missing']);
  }
});

test('an exported file of many pages contains only the rows that the user may see', async () => {
  await admin.pool.query(
    `INSERT INTO order_list (order_id, platform_id, merchant_id, reference, amount_minor, currency,
                             status, placed_at, version)
     SELECT 'ord_many' || n, CASE n % 2 WHEN 0 THEN 'mall' ELSE 'shop' END, 'm9', 'MANY-' || n, 1,
            'eur', 'open', now() - n * interval '1 minute', 1 FROM generate_series(1, 5000) n`,
  );
  const { text } = await ofMall.get('/v1/orders.csv');
  expect(text).not.toContain('shop');
  expect(text.split('\n').filter((line) => line.includes('MANY-'))).toHaveLength(2_500);
  await admin.pool.query(`DELETE FROM order_list WHERE merchant_id = 'm9'`);
});

test('a limited user’s request to change an object of another platform gets the response for an object that does not exist', async () => {
  for (const kind of REPAIR_KINDS) {
    for (const id of [paymentId, 'exc_new', 'acc_1']) {
      for (const path of ['/v1/actions/dry-run', '/v1/actions']) {
        const body = (subjectId: string) => ({
          kind,
          reason,
          seen: 'x',
          target: { subjectId, saga: 'checkout' },
        });
        const answer = await ofMall.post(path, body(id));
        const none = await ofMall.post(path, body(madeUp(id)));
        const ofOne = [answer.status, answer.body['code'], answer.body['detail']];
        expect([kind, id, ...ofOne]).toEqual([
          kind,
          id,
          404,
          'entity_not_found',
          none.body['detail'],
        ]);
      }
    }
  }
  for (const [deed, body] of [
    ['approve', { seen: 'x' }],
    ['reject', { reason }],
  ] as const) {
    const answer = await ofMall.post(`/v1/actions/act_shop/${deed}`, body);
    expect([deed, answer.status, answer.body['code']]).toEqual([deed, 404, 'action_not_found']);
  }
  const taken = await ofMall.post(`/v1/cases/unknown_result:${paymentId}/comments`, {
    text: 'seen it',
  });
  expect(taken.status).toBe(404);
});

test('a change of a user’s scope takes effect with the user’s next request', async () => {
  const who = await admin.signedIn('viewer');
  expect((await who.get(`/v1/entities/order/${orderId}`)).status).toBe(200);
  await limitAccess(admin, who, { scope: [{ platformId: 'mall', merchantId: null }] });
  expect((await who.get(`/v1/entities/order/${orderId}`)).status).toBe(404);
  const own = await placed('mall');
  expect((await who.get(`/v1/entities/order/${own}`)).status).toBe(200);
  expect((await who.get(`/v1/entities/order/${NOWHERE}`)).status).toBe(404);
});

test('live updates name only entities that the user may see', async () => {
  const response = await fetch(`${admin.http.url}/v1/changes`, {
    headers: { cookie: ofMall.cookie, origin: ORIGIN },
  });
  const reader = response.body?.getReader();
  let text = '';
  void (async () => {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
      text += Buffer.from(part.value as Uint8Array).toString();
  })();
  const hidden: string[] = [];
  await waitFor(
    async () => {
      hidden.push(await placed('shop'));
      const own = await placed('mall');
      await waitFor(() => text.includes(own), { timeoutMs: 3_000 });
      return true;
    },
    { timeoutMs: 30_000 },
  );
  expect(hidden.filter((id) => text.includes(id))).toEqual([]);
  await reader?.cancel();
});
