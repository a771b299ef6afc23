import type { AdminFixture } from '../admin.fixture.js';
import type { Person } from '../actions/requests.fixture.js';
import { intentId, orderId, paymentId } from '../reads.fixture.js';
import { openApiDocument } from '../reference/openapi.js';
import type { AccessScope } from './access-scope.js';

/** Changes the scope and the limits of a user, without an approval. */
export const limitAccess = async (
  admin: AdminFixture,
  who: Pick<Person, 'userId'>,
  access: Partial<AccessScope>,
): Promise<void> => {
  await admin.pool.query('UPDATE admin_users SET scope = $2, limits = $3 WHERE id = $1', [
    who.userId,
    JSON.stringify(access.scope ?? []),
    JSON.stringify(access.limits ?? []),
  ]);
};

/**
 * Inserts rows of the platform `shop` into the tables that the fixtures of other specs leave empty.
 */
export const fillOthers = async (admin: AdminFixture, boss: Person): Promise<void> => {
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

/**
 * Values that occur only in data of the platform `shop`, such as 1250, the amount of its orders.
 */
export const secrets = (): readonly string[] => [
  orderId,
  paymentId,
  intentId,
  'shop',
  'A-1001',
  'R-1',
  'NEW-1',
  'mer_new',
  'pout_new',
  'exc_new',
  'acc_1',
  '"m1"',
  '"evt_1"',
  'act_shop',
  'view_1',
  ':1250',
];

/** Ids and references of the platform `shop`, by the name of the path or query parameter. */
export const idsOfShop = (): Readonly<Record<string, readonly string[]>> => ({
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

/** An id of the same format and length as `id`, which belongs to no object. */
export const madeUp = (id: string): string =>
  MADE_UP[id] ?? id.replaceAll(/[A-Za-z0-9]/g, 'z').replace(/^z+_/, id.split('_')[0] + '_');

export const reads = (
  admin: AdminFixture,
): readonly {
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

/** The body of a response without its correlation id, which differs for each request. */
export const plain = (text: string): string => text.replace(/"correlationId":"[^"]*"/, '');

/** An id of the platform `shop` for each type of a route with several types. */
const ID_OF_TYPE: Readonly<Record<string, string>> = {
  order: orderId,
  payment: paymentId,
  payout: 'pout_new',
  merchant: 'mer_new',
  account: 'acc_1',
  webhook_endpoint: 'whe_shop',
};

type Read = ReturnType<typeof reads>[number];

/**
 * All URLs of a GET route, with the ids of the platform `shop` as path parameters, also ids of
 * objects of another type than the path names.
 */
export const allAddressesOf = ({ path, query }: Read) => {
  const ids = path.includes('{') ? (idsOfShop()['id'] ?? []) : [''];
  const types = path.includes('{type}') ? Object.keys(ID_OF_TYPE) : [''];
  const required = query.filter(([, is]) => is).map(([name]) => `${name}=${REQUIRED[name] ?? ''}`);
  const others = query.flatMap(([name]) =>
    (idsOfShop()[name] ?? []).map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return types.flatMap((type) =>
    ids.flatMap((id) =>
      ['', ...(id === '' ? others : [])].map((one) => {
        const kept = required.filter((other) => other.split('=')[0] !== one.split('=')[0]);
        const filled = path.replace('{type}', type).replace('{id}', id);
        return {
          type,
          id,
          address: `${filled}?${[...kept, one].filter((text) => text !== '').join('&')}`,
        };
      }),
    ),
  );
};

/** The URLs whose id belongs to an object of the type in the path. */
export const addressesOf = (read: Read) =>
  allAddressesOf(read).filter(({ type, id }) => type === '' || ID_OF_TYPE[type] === id);
