import { HOUR_MS } from '#kernel';
import { isRegistered, type RegisteredMerchant } from '#onboarding';
import { MerchantBench } from '../merchants.fixture.js';
import { resolveAbsent } from '../resolve-absent.js';
import type { TinyPartner } from '../tiny-partner.fixture.js';

let bench: MerchantBench;
let partner: TinyPartner;

beforeAll(async () => {
  bench = await MerchantBench.open();
  ({ partner } = bench);
});
beforeEach(async () => {
  partner.reset();
  await bench.worker.admin.query('TRUNCATE jobs');
});
afterAll(() => bench.close());

interface Named {
  readonly id: string;
  readonly companyId: string;
}

const validated = async (): Promise<Named> => {
  const named = await bench.registered();
  await bench.follow(named, 'validated');
  return named;
};

const merchantOf = async ({ id }: Named): Promise<RegisteredMerchant> => {
  const merchant = await bench.merchant(id);
  if (!isRegistered(merchant))
    throw new Error(`the merchant is not registered: its status is ${merchant.status}`);
  return merchant;
};

const order = async ({ id }: Named, requestId = 'req_1'): Promise<void> => {
  const at = bench.worker.clock.now();
  await bench.command(id, {
    type: 'RequestTerminal',
    requestId,
    name: 'Counter',
    by: 'platform',
    at,
  });
};

const askForKeys = async ({ id }: Named): Promise<void> => {
  await bench.command(id, { type: 'RequestKeys', at: bench.worker.clock.now() });
  await bench.runAll();
};

describe('an order for a payment terminal', () => {
  test('is sent to the provider once', async () => {
    const named = await validated();
    await order(named);
    await bench.runAll();
    expect(await merchantOf(named)).toMatchObject({
      terminalOrder: null,
      terminals: [{ name: 'Counter', status: 'pending' }],
    });
    expect(partner.count('order')).toBe(1);
  });

  test.each(['reset', 'half'] as const)(
    'is resolved by the list of terminals if the response was lost (%s)',
    async (fault) => {
      const named = await validated();
      partner.failNext('order', fault);
      await order(named);
      await bench.runAll();
      expect(await merchantOf(named)).toMatchObject({ unknown: ['order_terminal'] });
      await bench.retryLater();
      expect(await merchantOf(named)).toMatchObject({ unknown: [], terminalOrder: null });
      expect(partner.model.company(named.companyId).terminals).toHaveLength(1);
    },
  );

  test('is not sent again after a database restore has lost it and its platform repeats it', async () => {
    const named = await validated();
    const { companyId } = named;
    const client = bench.clients.of('test');
    // The order that the provider has received, and of which our log knows nothing.
    const { companyAccountId } = (await client?.getCompany(companyId)) ?? {};
    await client?.orderTerminal(companyId, companyAccountId ?? '', 'Counter');
    await bench.worker.admin.query('INSERT INTO log_restores (lost_since) VALUES ($1)', [
      bench.worker.clock.now(),
    ]);
    await order(named);
    await bench.runAll();
    expect(partner.model.company(companyId).terminals).toHaveLength(1);
    expect(await merchantOf(named)).toMatchObject({ terminalOrder: null, terminals: [{}] });
    await bench.worker.admin.query('DELETE FROM log_restores');
  });

  test('an order whose terminal is not in the list is sent again only after an operator has confirmed that no terminal was ordered', async () => {
    const named = await validated();
    partner.failNext('order', 'reset_before');
    await order(named);
    for (let hour = 0; hour < 60; hour += 1) await bench.retryLater(HOUR_MS);
    expect(partner.count('order')).toBe(1);
    const { pool, store, clock } = bench.worker;
    await resolveAbsent(
      { pool, store },
      {
        merchantId: named.id,
        call: 'order_terminal',
        reason: 'no order there',
        actor: 'user:ops',
      },
      clock.now(),
    );
    await order(named, 'req_2');
    await bench.runAll();
    expect(await merchantOf(named)).toMatchObject({ unknown: [], terminals: [{}] });
  });

  test('an order with an unknown result does not delay the retrieval of the merchant’s API keys', async () => {
    const named = await validated();
    partner.failNext('order', 'reset_before');
    await order(named);
    await bench.runAll();
    await bench.follow(named, 'available');
    await askForKeys(named);
    expect(await merchantOf(named)).toMatchObject({ ordersEnabled: true });
  });

  test('an order that the provider refuses is recorded with the reason', async () => {
    const named = await validated();
    partner.failNext('order', { refuse: { status: 409, type: 'not-allowed' } });
    await order(named);
    await bench.runAll();
    expect(await bench.story(named.id)).toContain('TerminalOrderRejected');
    expect(await merchantOf(named)).toMatchObject({ terminalOrder: null, terminals: [] });
  });

  test('is canceled at the provider on request, while the terminal’s status is pending', async () => {
    const named = await validated();
    await order(named);
    await bench.runAll();
    bench.worker.clock.advance(1_000);
    const [terminal] = (await merchantOf(named)).terminals;
    await bench.command(named.id, {
      type: 'RequestTerminalCancel',
      terminalId: terminal?.terminalId ?? '',
      at: bench.worker.clock.now(),
    });
    partner.failNext('cancel', 'reset');
    await bench.runAll();
    expect(await merchantOf(named)).toMatchObject({ unknown: ['cancel_terminal'] });
    await bench.retryLater();
    expect(await merchantOf(named)).toMatchObject({
      unknown: [],
      terminals: [{ status: 'canceled' }],
    });
    expect(partner.count('cancel')).toBe(1);
  });

  test('an order that the provider is already processing is not canceled, and the new status is recorded', async () => {
    const named = await validated();
    await order(named);
    await bench.runAll();
    bench.worker.clock.advance(1_000);
    const [terminal] = partner.model.company(named.companyId).terminals;
    await bench.command(named.id, {
      type: 'RequestTerminalCancel',
      terminalId: terminal?.id ?? '',
      at: bench.worker.clock.now(),
    });
    if (terminal) terminal.status = 'orderInProgress';
    await bench.runAll();
    expect(await merchantOf(named)).toMatchObject({
      terminals: [{ status: 'in_progress', cancelRequested: false }],
    });
    expect(partner.count('cancel')).toBe(0);
  });
});

describe('the API keys of an available company', () => {
  test('are registered as the merchant’s provider account, so that the merchant can take orders', async () => {
    const named = await validated();
    await bench.follow(named, 'available');
    await askForKeys(named);
    const { accounts, ordersEnabled } = await merchantOf(named);
    expect({ accounts, ordersEnabled }).toMatchObject({
      accounts: [{ mode: 'test' }],
      ordersEnabled: true,
    });
    const [row] = await bench.worker.rows<{ id: string; merchant_id: string; mode: string }>(
      'SELECT id, merchant_id, mode FROM provider_accounts WHERE merchant_id = $1',
      named.id,
    );
    expect(row).toEqual({ id: accounts[0]?.accountId, merchant_id: named.id, mode: 'test' });
  });

  test('are never stored unencrypted in an event, a job or a row', async () => {
    const named = await validated();
    await bench.follow(named, 'available');
    partner.failNext('endpoints', 'status_500', 1);
    await askForKeys(named);
    await bench.retryLater();
    const [all] = await bench.worker.rows<{ text: string }>(
      `SELECT (SELECT string_agg(e::text, ' ') FROM events e)
           || (SELECT string_agg(f::text, ' ') FROM jobs f)
           || (SELECT string_agg(convert_from(api_key_sealed, 'UTF8'), ' ')
                 FROM provider_accounts) AS text`,
    );
    expect(all?.text).toContain('AccountAttached');
    expect(all?.text).not.toContain(partner.keys.test);
    expect(all?.text).not.toContain(partner.keys.live);
  });

  test('are not requested again after a 409 for a company that is no longer available, and the company’s new status is recorded', async () => {
    const named = await validated();
    await bench.follow(named, 'available');
    bench.worker.clock.advance(1_000);
    partner.model.change(named.companyId, 'closing');
    await askForKeys(named);
    expect(await merchantOf(named)).toMatchObject({
      status: 'closing',
      ordersEnabled: false,
      keysRequested: false,
    });
    expect(await bench.jobs(named.id)).toMatchObject([{}, { state: 'done' }]);
  });

  test('are requested again with each read of the company after the provider has refused to return the keys', async () => {
    const named = await validated();
    await bench.follow(named, 'available');
    partner.failNext('keys', { refuse: { status: 404, type: 'not-found' } });
    await askForKeys(named);
    expect((await bench.jobs(named.id)).at(-1)).toMatchObject({
      kind: 'fetch_keys',
      state: 'stuck',
    });
    await bench.readCompany(named.id);
    await bench.runAll();
    expect(await merchantOf(named)).toMatchObject({ ordersEnabled: true });
  });

  test('are not registered, and an operator is needed, if a different provider account already uses these keys', async () => {
    const named = await validated();
    await bench.follow(named, 'available');
    await bench.registerAccount({
      merchantId: 'atelier',
      apiKey: partner.keys.test + named.companyId,
    });
    await askForKeys(named);
    expect((await bench.jobs(named.id)).at(-1)).toMatchObject({
      kind: 'fetch_keys',
      state: 'stuck',
      note: expect.stringContaining('another provider account'),
    });
    expect(await merchantOf(named)).toMatchObject({ ordersEnabled: false });
  });

  test('create only one provider account, even if a second worker claims the job and requests the keys again', async () => {
    const named = await validated();
    await bench.follow(named, 'available');
    partner.after = async (verb) => {
      if (verb !== 'endpoints') return;
      partner.after = () => {};
      await bench.lapse();
      await bench.runAll();
    };
    await askForKeys(named);
    await bench.retryLater();
    const accounts = await bench.worker.rows(
      'SELECT id FROM provider_accounts WHERE merchant_id = $1',
      named.id,
    );
    expect(accounts).toHaveLength(1);
    expect(await merchantOf(named)).toMatchObject({ ordersEnabled: true });
  });
});
