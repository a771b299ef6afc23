import { ID_PREFIXES, type IdPrefix } from '../api/ids.js';
import { TEST_IBANS } from '../collection/banks/test-values.js';
import { type Harness, LIVE_KEY, startHarness, TEST_KEY } from '../testing/harness.js';
import { type Merchant, onboardMerchant } from '../testing/merchants.js';
import { cardLike, clearToday, idOf, moveToNoon, pay, type ApiObject } from '../testing/money.js';

interface Operation {
  readonly requestBody?: unknown;
}

let sandbox: Harness;
let tea: Merchant;
let books: Merchant;
/** The id of one object of each kind, created with the test key of the merchant "tea shop". */
let made: Readonly<Record<IdPrefix, string>>;
/** Every route of the API's document, as `[method, path]`. */
let routes: readonly (readonly [string, string])[];

const post = async (path: string, body: object, key = tea.keys.test): Promise<string> => {
  const answer = await sandbox.call('POST', `/v2/${path}`, body, key);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return idOf(answer.body);
};

const firstOf = async (plural: string, key = tea.keys.test): Promise<ApiObject> => {
  const { body } = await sandbox.call('GET', `/v2/${plural}`, undefined, key);
  const [first] = body[plural] as unknown as readonly ApiObject[];
  return first ?? {};
};

const oneOfEach = async (): Promise<Readonly<Record<IdPrefix, string>>> => {
  const [{ value: iban } = { value: '' }] = TEST_IBANS;
  const addr = await post('addresses', { zip_code: '75001', city: 'Paris', country: 'FR' });
  const cust = await post('customers', { email: 'payer@example.test', billing_address: addr });
  const card = await post('cards', cardLike('Accepted, 3D Secure not required'));
  const sepa = await post('sepa', { name: 'A. Payer', iban });
  const prod = await post('products', { name: 'Tea' });
  const price = await post('prices', { product: prod, amount: 450, interval: 'month' });
  const disputed = { card: cardLike('Accepted then disputed') };
  const paym = idOf(await pay(sandbox, disputed, tea.keys.test));
  const refunded = idOf(await pay(sandbox, {}, tea.keys.test));
  const we = await post('webhooks', { url: 'https://tea.test/hook' });
  const mndt = await post('mandates', { sepa, signed_at: 1_700_000_000 });
  const sub = await post('subscriptions', { customer: cust, items: [{ price }], card });
  const pi = await post('payment_intents', { amount: 900, customer: cust, unique_id: 'one' });
  await clearToday(sandbox);
  const refd = await post('refunds', { payment: refunded, amount: 100 });
  await clearToday(sandbox);
  await clearToday(sandbox);
  const [dspt, pout, evt] = await Promise.all(
    ['disputes', 'payouts', 'events'].map(async (plural) => idOf(await firstOf(plural))),
  );
  return {
    addr,
    cust,
    card,
    sepa,
    prod,
    price,
    paym,
    we,
    mndt,
    sub,
    pi,
    refd,
    dspt: dspt ?? '',
    pout: pout ?? '',
    evt: evt ?? '',
  };
};

const RESOURCE: Readonly<Record<IdPrefix, string>> = {
  addr: 'addresses',
  cust: 'customers',
  card: 'cards',
  sepa: 'sepa',
  mndt: 'mandates',
  pi: 'payment_intents',
  paym: 'payments',
  refd: 'refunds',
  dspt: 'disputes',
  pout: 'payouts',
  prod: 'products',
  price: 'prices',
  sub: 'subscriptions',
  we: 'webhooks',
  evt: 'events',
};

beforeAll(async () => {
  sandbox = await startHarness();
  await moveToNoon(sandbox, 1);
  tea = await onboardMerchant(sandbox);
  books = await onboardMerchant(sandbox);
  made = await oneOfEach();
  const answer = await fetch(`${sandbox.url}/openapi.json`);
  const { paths } = (await answer.json()) as {
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => [method.toUpperCase(), path] as const),
  );
});
afterAll(() => sandbox.stop());

/**
 * The keys that must not see the tea shop's test objects: those of other accounts, and the tea
 * shop's live key.
 */
const others = (): readonly (readonly [string, string])[] => [
  ['another merchant', books.keys.test],
  ['the sandbox’s default account', TEST_KEY],
  ['its own live key', tea.keys.live],
  ['the sandbox’s live key', LIVE_KEY],
];

test("a merchant's key can read the objects that were created with the same key", async () => {
  for (const prefix of ID_PREFIXES) {
    const path = `/v2/${RESOURCE[prefix]}/${made[prefix]}`;
    const { status, body } = await sandbox.call('GET', path, undefined, tea.keys.test);
    expect([path, status, body['id']]).toEqual([path, 200, made[prefix]]);
  }
});

test('a list contains no objects that were created with a different key', async () => {
  const lists = routes.filter(([method, path]) => method === 'GET' && !path.includes('{'));
  expect(lists.length).toBeGreaterThanOrEqual(ID_PREFIXES.length);
  for (const [who, key] of others()) {
    for (const [, path] of lists) {
      const { status, body } = await sandbox.call('GET', path, undefined, key);
      expect([who, path, status]).toEqual([who, path, 200]);
      const text = JSON.stringify(body);
      expect(Object.values(made).filter((id) => text.includes(id))).toEqual([]);
    }
  }
});

test("every method on an object's id returns 404 with a key of another account or mode", async () => {
  const byId = routes.filter(([, path]) => path.includes('{id}'));
  expect(byId.length).toBeGreaterThan(2 * ID_PREFIXES.length);
  for (const [who, key] of others()) {
    for (const prefix of ID_PREFIXES) {
      const before = await seenByItself(prefix);
      for (const [method, path] of byId.filter(([, at]) => isOf(prefix, at))) {
        const asked = path.replace('{id}', made[prefix]);
        const body = method === 'PATCH' ? {} : undefined;
        const { status } = await sandbox.call(method, asked, body, key);
        expect([who, method, asked, status]).toEqual([who, method, asked, 404]);
      }
      expect(await seenByItself(prefix)).toEqual(before);
    }
  }
});

const seenByItself = async (prefix: IdPrefix): Promise<object> =>
  (await sandbox.call('GET', `/v2/${RESOURCE[prefix]}/${made[prefix]}`, undefined, tea.keys.test))
    .body;

const isOf = (prefix: IdPrefix, path: string): boolean => {
  const [, , plural = ''] = path.split('/');
  return plural === RESOURCE[prefix] || (prefix === 'we' && plural === 'webhook_endpoints');
};

test('a request that refers to an object of another account or mode is rejected', async () => {
  const references: readonly (readonly [string, object])[] = [
    ['customers', { email: 'a@example.test', billing_address: made.addr }],
    ['cards', { ...cardLike('Do not honor'), customer: made.cust }],
    ['mandates', { sepa: made.sepa }],
    ['payment_intents', { amount: 100, customer: made.cust }],
    ['payment_intents', { amount: 100, card: made.card }],
    ['payments', { amount: 100, card: made.card }],
    ['payments', { amount: 100, sepa: made.sepa }],
    ['prices', { product: made.prod, amount: 100 }],
    ['subscriptions', { customer: made.cust, items: [{ price: made.price }] }],
  ];
  for (const [who, key] of others()) {
    for (const [path, body] of references) {
      const { status } = await sandbox.call('POST', `/v2/${path}`, body, key);
      expect([who, path, status]).toEqual([who, path, 422]);
    }
    const refund = await sandbox.call('POST', '/v2/refunds', { payment: made.paym }, key);
    expect([404, 422]).toContain(refund.status);
  }
});

test('two merchants may use the same card and the same unique_id', async () => {
  const card = cardLike('Accepted, 3D Secure not required');
  const theirs = await post('cards', card, books.keys.test);
  expect(theirs).not.toBe(made.card);
  expect(await post('cards', card)).toBe(made.card);
  await post('payment_intents', { amount: 100, unique_id: 'one' }, books.keys.test);
});

test('a payout contains only amounts of the merchant that receives the payout', async () => {
  await clearToday(sandbox);
  await clearToday(sandbox);
  const paid = [
    [tea.keys.test, 2_000],
    [books.keys.test, 3_000],
    [TEST_KEY, 4_000],
  ] as const;
  for (const [key, amount] of paid) await pay(sandbox, { amount, currency: 'sek' }, key);
  await clearToday(sandbox);
  const references = new Set<unknown>();
  for (const [key, amount] of paid) {
    const payout = await firstOf('payouts', key);
    expect(payout['reference']).toMatch(/^\d{8}-SEK-TEST-\w{5,16}$/);
    references.add(payout['reference']);
    expect(payout).toMatchObject({ currency: 'sek', payments: { amount } });
    const path = `/v2/payouts/${idOf(payout)}/payments`;
    const { body } = await sandbox.call('GET', path, undefined, key);
    expect(body['payments']).toEqual([expect.objectContaining({ amount })]);
  }
  // The references of payouts differ between merchants, because they identify the payouts on a bank
  // statement.
  expect(references.size).toBe(paid.length);
});

test('an event is sent only to the endpoints of its account', async () => {
  const endpoints = new Map<string, string>();
  for (const [who, key] of [
    [tea.account, tea.keys.test],
    ['acct_house', TEST_KEY],
  ] as const) {
    endpoints.set(who, await post('webhooks', { url: 'https://merchant.test/hook' }, key));
  }
  await post('customers', { mobile: '1' });
  await post('customers', { mobile: '2' }, TEST_KEY);
  const { body } = await sandbox.call('GET', '/sandbox/deliveries?limit=100');
  const deliveries = body['deliveries'] as unknown as { account: string; endpoint: string }[];
  for (const [who, endpoint] of endpoints) {
    const to = deliveries.filter((delivery) => delivery.endpoint === endpoint);
    expect(to.map(({ account }) => account)).toEqual([who]);
  }
});

test('each account has separate books', async () => {
  const { body } = await sandbox.call('GET', '/sandbox/books');
  const sek = (
    body['books'] as unknown as { currency: string; account_id: string; sum: number }[]
  ).filter(({ currency }) => currency === 'sek');
  expect(sek.map(({ account_id: account }) => account).sort()).toEqual(
    [tea.account, books.account, 'acct_house'].sort(),
  );
  expect(sek.map(({ sum }) => sum)).toEqual([0, 0, 0]);
});

test('the User Area shows an account’s objects only below the account’s path', async () => {
  const at = (who: string, path: string) => fetch(`${sandbox.url}/user-area/${who}/${path}`);
  expect((await at(`test-${tea.account}`, `payments/${made.paym}`)).status).toBe(200);
  expect(await (await at(`test-${tea.account}`, 'payments')).text()).toContain(made.paym);
  const accounts = await (await at('test', 'accounts')).text();
  for (const { account } of [tea, books]) {
    expect(accounts).toContain(`href="/user-area/test-${account}/payments"`);
  }
  for (const who of ['test', 'live', `test-${books.account}`, `live-${tea.account}`]) {
    expect((await at(who, `payments/${made.paym}`)).status).toBe(404);
    expect(await (await at(who, 'payments')).text()).not.toContain(made.paym);
  }
});
