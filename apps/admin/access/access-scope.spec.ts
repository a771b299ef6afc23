import { instantFromMs, newId } from '#kernel';
import { orderAggregate } from '#order';
import { waitFor } from '#testing';
import {
  type AdminFixture,
  ORIGIN,
  startAdminFixture,
  type TestBrowser,
} from '../admin.fixture.js';
import { reason } from '../actions/requests.fixture.js';
import { REPAIR_KINDS } from '../actions/action.js';
import { plantOthers } from '../lists.fixture.js';
import { fillConsole, intentId, orderId, paymentId } from '../reads.fixture.js';
import { openApiDocument } from '../reference/openapi.js';
import type { AccessScope } from './access-scope.js';
import { VISIBLE_ROWS } from './visible-rows.js';

type Person = TestBrowser & { readonly userId: string };

let admin: AdminFixture;
/** An admin who sees everything, and users who see the platform `mall`, or one of its merchants. */
let boss: Person;
let ofMall: Person;
let ofMerchant: Person;
let ofOther: Person;
const NOWHERE = newId('ord');

const limit = async (who: Person, access: Partial<AccessScope>): Promise<void> => {
  await admin.pool.query('UPDATE admin_users SET scope = $2, limits = $3 WHERE id = $1', [
    who.userId,
    JSON.stringify(access.scope ?? []),
    JSON.stringify(access.limits ?? []),
  ]);
};

const placeOrder = async (platformId: string): Promise<string> => {
  const id = newId('ord');
  const at = instantFromMs(Date.now());
  await admin.store.execute(
    orderAggregate,
    id,
    {
      type: 'PlaceOrder',
      platformId,
      merchantId: 'm2',
      accountId: 'acc_2',
      reference: 'LIVE-1',
      amountMinor: 100,
      currency: 'eur',
      capture: { policy: 'manual' },
      methods: ['card'],
      returnUrl: null,
      description: null,
      metadata: {},
      expiresAt: instantFromMs(Date.now() + 3_600_000),
      at,
    },
    { correlationId: id, causationId: 'spec', actor: 'spec', traceparent: null },
  );
  return id;
};

/** What the platform `shop` has in tables that no other spec fills. */
const fillOthers = async (): Promise<void> => {
  await admin.pool.query(
    `INSERT INTO admin_actions (id, kind, target, subject_type, subject_id, about, reason, status,
                                requested_by, expires_at)
     VALUES ('act_shop', 'refund', '{}', 'payment', $1, $2, 'for A-1001', 'pending', 'usr_1',
             now() + interval '1 day')`,
    [
      paymentId,
      JSON.stringify({ subjectType: 'payment', subjectId: paymentId, amountMinor: 1_250 }),
    ],
  );
  await admin.pool.query(
    `INSERT INTO audit (actor, action, subject_type, subject_id, request_id, detail)
     VALUES ('ops:1', 'action.done', 'payment', $1, 'r', '{}'),
            ('ops:1', 'orders.exported', NULL, NULL, 'r', '{"reference": "A-1001"}'),
            ('ops:1', 'case.taken', 'case', 'unknown_result:' || $1, 'r', jsonb_build_object('subjectId', $1))`,
    [paymentId],
  );
  await admin.pool.query(
    `INSERT INTO admin_saved_views (id, list, name, query, owner_id, shared)
     VALUES ('view_1', 'orders', 'of A-1001', 'reference=A-1001', $1, true)`,
    [boss.userId],
  );
  await admin.pool.query(
    `INSERT INTO case_notes (case_id, subject_type, subject_id, author_id, kind, text)
     VALUES ('unknown_result:' || $1, 'payment', $1, $2, 'comment', 'about A-1001')`,
    [paymentId, boss.userId],
  );
  await admin.pool.query(
    `INSERT INTO webhook_endpoints (id, platform_id, host, event_types, status, details_ref,
                                    created_at, epoch, transaction_id)
     VALUES ('whe_shop', 'shop', 'hooks.shop.example', '{*}', 'enabled', 'whd', now(), 1, '0')`,
  );
  await admin.pool.query(
    `INSERT INTO provider_accounts
            (id, platform_id, merchant_id, mode, api_key_sealed, webhook_secret_sealed)
     VALUES ('acc_1', 'shop', 'm1', 'test', '', '')`,
  );
};

beforeAll(async () => {
  admin = await startAdminFixture();
  [boss, ofMall, ofMerchant, ofOther] = (await Promise.all([
    admin.signedIn('admin'),
    admin.signedIn('operator'),
    admin.signedIn('viewer'),
    admin.signedIn('viewer'),
  ])) as [Person, Person, Person, Person];
  await fillConsole(admin);
  await plantOthers(admin.pool);
  await fillOthers();
  await limit(ofMall, { scope: [{ platformId: 'mall', merchantId: null }] });
  await limit(ofMerchant, { scope: [{ platformId: 'mall', merchantId: 'm2' }] });
  await limit(ofOther, { scope: [{ platformId: 'mall', merchantId: 'm3' }] });
});

afterAll(() => admin.stop());

/** What only the platform `shop` has; 1250 is the amount of its orders. */
const SECRETS = (): readonly string[] => [
  ...[orderId, paymentId, intentId, 'shop', 'A-1001', 'R-1', 'NEW-1', 'mer_new', 'pout_new'],
  ...['exc_new', 'acc_1', 'm1"', 'evt_1"', 'act_shop', 'view_1', ':1250'],
];

/** Ids and references of `shop` by the names of parameters. */
const VALUES = (): Readonly<Record<string, readonly string[]>> => ({
  id: [orderId, paymentId, 'pout_new', 'mer_new', 'exc_new', 'acc_1', 'whe_shop', 'act_shop'],
  platformId: ['shop'],
  merchantId: ['m1'],
  accountId: ['acc_1'],
  reference: ['A-1001', 'NEW-1'],
  orderId: [orderId],
  paymentId: [paymentId],
  payoutId: ['pout_new'],
  intentId: [intentId],
  eventId: ['evt_1'],
  lastFour: ['4242'],
  subjectId: [orderId, paymentId],
  search: ['A-1001', intentId, '12.50', orderId.slice(6, 18)],
  q: ['A-1001', paymentId, 'NEW-1', '12.50', 'm1', 'acc_1', 'shop', 'exc_new', 'evt_1'],
});

const REQUIRED: Readonly<Record<string, string>> = {
  days: '30',
  month: '2020-01',
  list: 'orders',
  q: 'OLD-1',
  merchantId: 'm1',
  subjectId: 'ord_old',
};

interface Operation {
  readonly 'x-access': string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
  }[];
}

const MADE_UP: Readonly<Record<string, string>> = { pout_new: 'pout_xxx', mer_new: 'mer_xxx' };

/** An id that nothing has, as long as this one. */
const madeUp = (id: string): string =>
  MADE_UP[id] ?? id.replaceAll(/[A-Za-z0-9]/g, 'z').replace(/^z+_/, id.split('_')[0] + '_');

const reads = (): readonly {
  readonly path: string;
  readonly query: readonly (readonly [string, boolean])[];
}[] =>
  Object.entries(openApiDocument(admin.http.app).paths).flatMap(([path, operations]) => {
    const get = (operations as unknown as { get?: Operation }).get;
    if (get === undefined || get['x-access'] === 'public' || path === '/v1/changes') return [];
    const query = (get.parameters ?? [])
      .filter((one) => one.in === 'query')
      .map(({ name, required = false }) => [name, required] as const);
    return [{ path, query }];
  });

/** An answer without the id of its request. */
const plain = (text: string): string => text.replace(/"correlationId":"[^"]*"/, '');

const TYPES = ['order', 'payment', 'payout', 'merchant', 'account', 'webhook_endpoint'];

/** All addresses of a read, each with the id of `shop` in its path, if any. */
const addressesOf = ({ path, query }: ReturnType<typeof reads>[number]) => {
  const ids = path.includes('{') ? (VALUES()['id'] ?? []) : [''];
  const types = path.includes('{type}') ? TYPES : [''];
  const required = query.filter(([, is]) => is).map(([name]) => `${name}=${REQUIRED[name] ?? ''}`);
  const others = query.flatMap(([name]) =>
    (VALUES()[name] ?? []).map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return types.flatMap((type) =>
    ids.flatMap((id) =>
      ['', ...(id === '' ? others : [])].map((one) => {
        const kept = required.filter((other) => other.split('=')[0] !== one.split('=')[0]);
        const filled = path.replace('{type}', type).replace('{id}', id);
        return {
          id,
          address: `${filled}?${[...kept, one].filter((text) => text !== '').join('&')}`,
        };
      }),
    ),
  );
};

test('every table of the database has a rule about whose rows limited users see', async () => {
  const { rows } = await admin.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const names = rows.map(({ name }) => name).filter((name) => !name.endsWith('_rebuild'));
  expect(names.filter((name) => !(name in VISIBLE_ROWS))).toEqual([]);
});

test.each(['a platform', 'a merchant', 'a merchant without orders'])(
  'no read shows a user limited to %s anything of another platform, or whether it exists',
  async (limited) => {
    const who = { 'a platform': ofMall, 'a merchant': ofMerchant }[limited] ?? ofOther;
    for (const read of reads()) {
      for (const { id, address } of addressesOf(read)) {
        const { status, text } = await who.get(address);
        expect([address, status < 500]).toEqual([address, true]);
        if (id === '') {
          const asked = decodeURIComponent(address);
          for (const secret of SECRETS().filter((one) => !asked.includes(one)))
            expect([address, secret, text.includes(secret)]).toEqual([address, secret, false]);
          continue;
        }
        const none = await who.get(address.replace(id, madeUp(id)));
        const same = none.text.replaceAll(madeUp(id), id);
        expect([address, status, plain(text)]).toEqual([address, none.status, plain(same)]);
      }
    }
  },
  120_000,
);

test('an unlimited user sees both platforms, so that the walk above proves something', async () => {
  const texts: string[] = [];
  for (const read of reads()) {
    for (const { address } of addressesOf(read)) texts.push((await boss.get(address)).text);
  }
  const all = texts.join(' ');
  expect(SECRETS().filter((secret) => !all.includes(secret))).toEqual([]);
}, 120_000);

test('a limited user sees the rows of the own platform or merchant', async () => {
  const lists = [
    'orders',
    'payments',
    'payouts',
    'ledger-entries',
    'webhooks',
    'webhooks-refused',
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
    'stuck-calls',
    'failed-reactions',
  ]) {
    const { status, body } = await ofMall.get(`/v1/${path}`);
    expect([path, status, body['code']]).toEqual([path, 403, 'scope_missing']);
  }
});

test('a file of many pages contains only the visible rows', async () => {
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

test('a request to change something of another platform is answered as if it did not exist', async () => {
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

test('a change of the scope takes effect with the next request', async () => {
  const who = await admin.signedIn('viewer');
  expect((await who.get(`/v1/entities/order/${orderId}`)).status).toBe(200);
  await limit(who, { scope: [{ platformId: 'mall', merchantId: null }] });
  expect((await who.get(`/v1/entities/order/${orderId}`)).status).toBe(404);
  const own = await placeOrder('mall');
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
      hidden.push(await placeOrder('shop'));
      const own = await placeOrder('mall');
      await waitFor(() => text.includes(own), { timeoutMs: 3_000 });
      return true;
    },
    { timeoutMs: 30_000 },
  );
  expect(hidden.filter((id) => text.includes(id))).toEqual([]);
  await reader?.cancel();
});
