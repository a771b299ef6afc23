import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { wallClock } from '#kernel';
import { createSecretBox, Problem } from '#platform';
import {
  type AccountMode,
  type AccountRegistration,
  type ProviderAccount,
  ProviderAccounts,
  type RegistrationParts,
} from '#psp';
import { createDatabase, gate, specPool, type TestDatabase } from '#testing';
import { HostedAdapter } from './hosted-adapter.js';
import { json, MisbehavingServer, reset, type SeenRequest } from './misbehaving-server.fixture.js';
import { ProviderTransport } from './provider-transport.js';

const SECRETS_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const PUBLIC_URL = 'https://pay.example/';

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly secret: string;
}

let database: TestDatabase;
let pool: pg.Pool;
let admin: pg.Pool;
let provider: MisbehavingServer;
let transport: ProviderTransport;
let endpoints: Endpoint[];
/** The merchant in whose account each webhook endpoint was created, by the endpoint's id. */
const owners = new Map<string, string>();
let accounts: ProviderAccounts;

/**
 * The account at the provider to which a key belongs: a key that ends with the name of a merchant
 * belongs to that merchant, any other key to `mer_1`.
 */
const ownerOf = ({ headers: { authorization = '' } }: SeenRequest): string => {
  const key = Buffer.from(authorization.split(' ')[1] ?? '', 'base64').toString();
  return /canary_key(\w+):/.exec(key)?.[1] ?? 'mer_1';
};

/**
 * Makes the simulated provider store webhook endpoints, and list those of the account whose key is
 * used, newest first.
 */
const keepEndpoints = (): void =>
  provider.always((response, request: SeenRequest) => {
    if (request.method === 'GET') {
      const owner = ownerOf(request);
      const shown = endpoints.filter((one) => (owners.get(one.id) ?? owner) === owner);
      json(200, { webhook_endpoints: shown, range: { has_more: false } })(response, request);
      return;
    }
    json(200, created(request))(response, request);
  });

const created = (request: SeenRequest): Endpoint => {
  const { url } = JSON.parse(request.body) as { url: string };
  const number = endpoints.length + 1;
  const endpoint = { id: `we_${number}`, url, enabled: true, secret: `0${number}`.repeat(32) };
  endpoints = [endpoint, ...endpoints];
  owners.set(endpoint.id, ownerOf(request));
  return endpoint;
};

const anotherProcess = (): ProviderAccounts =>
  new ProviderAccounts({
    pool,
    adapters: [new HostedAdapter(transport)],
    secretBox: createSecretBox(SECRETS_KEY),
    publicWebhookUrl: PUBLIC_URL,
  });

/**
 * Simulates a database trigger of the log: the orders of a merchant use the merchant's first
 * account.
 */
const record = async (accountId: string): Promise<void> => {
  await admin.query(
    `INSERT INTO account_schedule (platform_id, merchant_id, mode, orders_from, account_id,
                                   taking_orders)
     SELECT platform_id, merchant_id, mode, now(), id, true FROM provider_accounts a
      WHERE id = $1 AND NOT EXISTS (
        SELECT FROM account_schedule s
         WHERE (s.platform_id, s.merchant_id, s.mode) = (a.platform_id, a.merchant_id, a.mode))`,
    [accountId],
  );
};

const register = (
  process: ProviderAccounts,
  asked: AccountRegistration,
  changes: Partial<RegistrationParts> = {},
): Promise<ProviderAccount> =>
  process.register(asked, { latestIntentOf: () => Promise.resolve(null), record, ...changes });

const forMerchant = async (
  process: ProviderAccounts,
  platformId: string,
  merchantId: string,
  mode?: AccountMode,
): Promise<ProviderAccount | null> => {
  const payee = { platformId, merchantId, ...(mode && { mode }) };
  const id = await process.forOrder(payee, wallClock.now());
  return id === null ? null : process.byId(id);
};

/** Registers the account, and retries while another process is registering the account. */
const patiently = async (
  process: ProviderAccounts,
  asked: AccountRegistration,
): Promise<ProviderAccount> => {
  for (;;) {
    try {
      return await register(process, asked);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'account_registration_in_progress')
        throw error;
      await sleep(20);
    }
  }
};

const registration = (overrides: Partial<AccountRegistration> = {}): AccountRegistration => ({
  platformId: 'plt_1',
  merchantId: 'mer_1',
  mode: 'test',
  apiKey: `stest_canary_key${overrides.merchantId ?? ''}`,
  ...overrides,
});

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  pool = specPool(database.urlFor('api'), 5);
  admin = specPool(database.url, 5);
  provider = await MisbehavingServer.start();
  transport = new ProviderTransport(provider.url, { breakerFailures: 1_000 });
});
beforeEach(async () => {
  await admin.query('TRUNCATE provider_accounts CASCADE');
  endpoints = [];
  owners.clear();
  keepEndpoints();
  accounts = anotherProcess();
});
afterAll(async () => {
  await transport.close();
  await provider.stop();
  await Promise.all([pool.end(), admin.end()]);
  await database.drop();
});

describe('registering an account', () => {
  test('creates the webhook endpoint; then every process finds the account by its id and by its merchant', async () => {
    const account = await register(accounts, registration());
    expect(account).toMatchObject({
      id: expect.stringMatching(/^acc_/),
      platformId: 'plt_1',
      merchantId: 'mer_1',
      mode: 'test',
      apiKey: 'stest_canary_key',
      webhookEndpointId: 'we_1',
      webhookSecret: '01'.repeat(32),
    });
    expect(endpoints[0]?.url).toBe(`https://pay.example/provider/webhooks/${account.id}`);
    for (const process of [accounts, anotherProcess()]) {
      expect(await process.byId(account.id)).toEqual(account);
      expect(await forMerchant(process, 'plt_1', 'mer_1')).toEqual(account);
      expect(await forMerchant(process, 'plt_1', 'mer_1', 'live')).toBeNull();
      expect(await forMerchant(process, 'plt_2', 'mer_1')).toBeNull();
      expect(await process.byId('acc_none')).toBeNull();
    }
  });

  test('changes nothing if it is repeated', async () => {
    const account = await register(accounts, registration());
    expect(await register(anotherProcess(), registration())).toEqual(account);
    expect(endpoints).toHaveLength(1);
  });

  test('by several processes simultaneously creates one account with one webhook endpoint', async () => {
    const all = [accounts, anotherProcess(), anotherProcess(), anotherProcess()];
    const made = await Promise.all(all.map((process) => patiently(process, registration())));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(endpoints).toHaveLength(1);
  });

  test('is rejected while another registration of the same merchant is in progress, and does not delay other merchants', async () => {
    const slow = gate();
    const begun = gate();
    provider.first((response, request) => {
      begun.open();
      const none = { webhook_endpoints: [], range: { has_more: false } };
      void slow.opened.then(() => json(200, none)(response, request));
    });
    const first = register(accounts, registration());
    await begun.opened;
    for (const process of [accounts, anotherProcess()]) {
      const more = Array.from({ length: 6 }, () => register(process, registration()));
      for (const one of await Promise.allSettled(more)) {
        expect(one).toMatchObject({
          status: 'rejected',
          reason: {
            status: 409,
            code: 'account_registration_in_progress',
            more: { headers: { 'retry-after': '1' } },
          },
        });
      }
    }
    expect(await register(accounts, registration({ merchantId: 'mer_2' }))).toBeDefined();
    slow.open();
    await first;
    expect(await register(anotherProcess(), registration())).toEqual(await first);
    expect(endpoints).toHaveLength(2);
  });

  test('creates nothing if the caller of the registration has lost its lock', async () => {
    const lost = () => Promise.reject(new Error('the caller lost its lock'));
    await expect(register(accounts, registration(), { callerHolds: lost })).rejects.toThrow(
      'lost its lock',
    );
    expect(endpoints).toHaveLength(0);
    expect(await forMerchant(accounts, 'plt_1', 'mer_1')).toBeNull();
  });

  test('succeeds for more merchants at the same time than the pool has database connections', async () => {
    const small = specPool(database.urlFor('api'), 2);
    try {
      const process = new ProviderAccounts({
        pool: small,
        adapters: [new HostedAdapter(transport)],
        secretBox: createSecretBox(SECRETS_KEY),
        publicWebhookUrl: PUBLIC_URL,
      });
      const merchants = Array.from({ length: 10 }, (_, n) => registration({ merchantId: `m${n}` }));
      const made = await Promise.all(merchants.map((each) => register(process, each)));
      expect(new Set(made.map(({ webhookEndpointId }) => webhookEndpointId)).size).toBe(10);
    } finally {
      await small.end();
    }
  });

  test('creates nothing if the registration’s database lock was lost, because another process may register the account', async () => {
    provider.first((response, request) => {
      const cut = `SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE locktype = 'advisory' AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      void admin.query(cut).then(({ rowCount }) => {
        expect(rowCount).toBe(1);
        json(200, { webhook_endpoints: [], range: { has_more: false } })(response, request);
      });
    });
    await expect(register(accounts, registration())).rejects.toThrow();
    expect(endpoints).toHaveLength(0);
    await register(accounts, registration());
    expect(endpoints).toHaveLength(1);
  });

  test('uses the endpoint of an earlier attempt whose creation got no response', async () => {
    provider.first(
      json(200, { webhook_endpoints: [], range: { has_more: false } }),
      (response, request) => {
        created(request);
        reset(response, request);
      },
    );
    const lost = register(accounts, registration());
    await expect(lost).rejects.toMatchObject({ kind: 'unknown_outcome' });
    expect(await forMerchant(accounts, 'plt_1', 'mer_1')).toBeNull();

    const account = await register(accounts, registration());
    expect(account.webhookEndpointId).toBe('we_1');
    expect(endpoints).toHaveLength(1);
    expect(await forMerchant(accounts, 'plt_1', 'mer_1')).toEqual(account);
  });

  test('uses the oldest enabled endpoint with our URL if there are several', async () => {
    const { id } = await register(accounts, registration());
    const url = accounts.webhookUrlOf(id);
    const common = { url, enabled: true, secret: 'aa' };
    endpoints = [
      { ...common, id: 'we_new' },
      { ...common, id: 'we_old' },
      { ...common, id: 'we_disabled', enabled: false },
      { ...common, id: 'we_other', url: `${url}x` },
    ];
    expect((await register(accounts, registration())).webhookEndpointId).toBe('we_old');
  });

  describe('with a new key', () => {
    const another = () => registration({ apiKey: 'stest_another_key' });

    test('replaces the old key if the new key can read the account’s webhook endpoint, but only after `record` has recorded this proof', async () => {
      const before = await register(accounts, registration());
      const refusing = { record: () => Promise.reject(new Error('the log is away')) };
      await expect(register(accounts, another(), refusing)).rejects.toThrow('the log is away');
      expect(await anotherProcess().byId(before.id)).toEqual(before);
      const recorded: unknown[] = [];
      const after = await register(accounts, another(), {
        record: (...entry) => Promise.resolve(void recorded.push(entry)),
      });
      expect(after).toEqual({ ...before, apiKey: 'stest_another_key' });
      const proof = { provenBy: 'webhook_endpoint', objectId: before.webhookEndpointId };
      expect(recorded).toEqual([[before.id, proof]]);
      expect(await anotherProcess().byId(before.id)).toEqual(after);
    });

    test('replaces the old key if the new key can read an intent of the account, and recreates the account’s lost webhook endpoint', async () => {
      const before = await register(accounts, registration());
      endpoints = [];
      const intent = {
        id: 'pi_made',
        status: 'captured',
        amount: 1_250,
        currency: 'eur',
        url: 'https://pay.test',
        created_at: 1_750_000_000,
        order_id: 'pay_made',
      };
      provider.first(
        json(200, { webhook_endpoints: [], range: { has_more: false } }),
        json(200, intent),
      );
      const latestIntentOf = (id: string) =>
        Promise.resolve(id === before.id ? { intentId: 'pi_made', reference: 'pay_made' } : null);
      const after = await register(accounts, another(), { latestIntentOf });
      expect(after).toMatchObject({ id: before.id, apiKey: 'stest_another_key' });
      expect(endpoints).toHaveLength(1);
    });

    test('creates a second account if the new key reads an intent that was not created in the first account, even with the same reference', async () => {
      const before = await register(accounts, registration());
      endpoints = [];
      const intent = {
        id: 'pi_made',
        status: 'captured',
        amount: 1_250,
        currency: 'eur',
        url: 'https://pay.test',
        created_at: 1_750_000_000,
        order_id: 'pay_made',
        unique_id: 'theirs',
      };
      provider.first(
        json(200, { webhook_endpoints: [], range: { has_more: false } }),
        json(200, intent),
      );
      const latestIntentOf = () => Promise.resolve({ intentId: 'pi_made', reference: 'pay_made' });
      expect((await register(accounts, another(), { latestIntentOf })).id).not.toBe(before.id);
    });

    test('creates a second account, not yet used by orders, if the new key can read neither the webhook endpoint nor an intent of the first account', async () => {
      const before = await register(accounts, registration());
      const mine = endpoints;
      endpoints = [];
      const after = await register(accounts, another());
      expect(after.id).not.toBe(before.id);
      expect(await anotherProcess().byId(before.id)).toEqual(before);
      expect(await forMerchant(anotherProcess(), 'plt_1', 'mer_1')).toEqual(before);
      // The endpoint's id alone is no proof: the key must also read the endpoint's secret.
      endpoints = mine.map((one) => ({ ...one, secret: 'ff'.repeat(32) }));
      const third = await register(accounts, registration({ apiKey: 'stest_third_key' }));
      expect([before.id, after.id]).not.toContain(third.id);
    });
  });

  test('is rejected if another account has the same key, even if both accounts are registered simultaneously', async () => {
    const apiKey = 'stest_one_for_two';
    const [mine, theirs] = await Promise.allSettled([
      register(accounts, registration({ apiKey })),
      register(anotherProcess(), registration({ platformId: 'plt_2', apiKey })),
    ]);
    const results = [mine, theirs].toSorted((a, b) => a.status.localeCompare(b.status));
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'provider_key_taken' } },
    ]);
    await expect(
      register(accounts, registration({ merchantId: 'mer_2', apiKey })),
    ).rejects.toMatchObject({ status: 409, code: 'provider_key_taken' });
  });

  test('for a second merchant is rejected if the key belongs, or belonged before a rotation, to the first merchant’s account', async () => {
    const before = await register(accounts, registration());
    await register(accounts, registration({ apiKey: 'stest_another_key' }));
    const { apiKey } = before;
    for (const theirs of [{ platformId: 'plt_2' }, { merchantId: 'mer_9' }]) {
      for (const key of [apiKey, 'stest_third_key']) {
        await expect(
          register(accounts, registration({ ...theirs, apiKey: key })),
        ).rejects.toMatchObject({ status: 409, code: 'provider_key_taken' });
      }
    }
    expect(endpoints).toHaveLength(1);
    expect(await register(accounts, registration())).toEqual(before);
  });

  test('is rejected before anything is sent if the key is missing or belongs to the other mode', async () => {
    for (const apiKey of ['sprod_canary_key', '', 'stest_', 'stest_with:colon', 'stest_é_key']) {
      await expect(register(accounts, registration({ apiKey }))).rejects.toMatchObject({
        code: 'invalid_provider_key',
      });
    }
    const { rows } = await admin.query('SELECT 1 FROM provider_accounts');
    expect(rows).toHaveLength(0);
  });
});

test('an order uses the account of its own merchant, also when another merchant’s account was read before', async () => {
  const first = await register(accounts, registration());
  const second = await register(accounts, registration({ merchantId: 'mer_2' }));
  const process = anotherProcess();
  expect(await forMerchant(process, 'plt_1', 'mer_1')).toMatchObject({ id: first.id });
  expect(await forMerchant(process, 'plt_1', 'mer_2')).toMatchObject({ id: second.id });
  expect(await forMerchant(process, 'plt_1', 'mer_3')).toBeNull();
  expect(await forMerchant(process, 'plt_2', 'mer_1')).toBeNull();
});

test('an order must name its mode if the merchant has a test account and a live account', async () => {
  const test = await register(accounts, registration());
  const live = await register(accounts, registration({ mode: 'live', apiKey: 'sprod_live_key' }));
  await expect(forMerchant(accounts, 'plt_1', 'mer_1')).rejects.toMatchObject({
    code: 'mode_required',
  });
  expect(await forMerchant(accounts, 'plt_1', 'mer_1', 'test')).toEqual(test);
  expect(await forMerchant(accounts, 'plt_1', 'mer_1', 'live')).toEqual(live);
});

describe('stored secrets', () => {
  test('appear in no column in plain text', async () => {
    const { webhookSecret } = await register(accounts, registration());
    const { rows } = await admin.query<{ row: string }>(
      `SELECT encode(convert_to(a::text, 'UTF8'), 'escape')
              || encode(api_key_sealed, 'escape') || encode(webhook_secret_sealed, 'escape') AS row
       FROM provider_accounts a`,
    );
    expect(rows[0]?.row).toContain('k1.');
    expect(rows[0]?.row).not.toContain('canary');
    expect(rows[0]?.row).not.toContain(webhookSecret);
    expect(rows[0]?.row).not.toContain(Buffer.from('canary').toString('hex'));
  });

  test('cannot be decrypted after they were copied to another account or field', async () => {
    const one = await register(accounts, registration());
    const two = await register(accounts, registration({ merchantId: 'mer_2' }));
    await admin.query(
      `UPDATE provider_accounts SET api_key_sealed =
         (SELECT api_key_sealed FROM provider_accounts WHERE id = $1) WHERE id = $2`,
      [one.id, two.id],
    );
    const process = anotherProcess();
    const [first, second] = await Promise.allSettled([process.byId(one.id), process.byId(two.id)]);
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected']);
    await admin.query(
      'UPDATE provider_accounts SET webhook_secret_sealed = api_key_sealed WHERE id = $1',
      [one.id],
    );
    await expect(anotherProcess().byId(one.id)).rejects.toThrow();
  });
});
