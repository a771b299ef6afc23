import { newId, randomText } from '#kernel';
import { ofPlatform, statementOf } from '#lists';
import { atRiskMinor, LEDGER_ACCOUNTS, ledgerBalances, ledgerEntries } from '#payout';
import { type ApiFixture, startApiFixture } from '../api.fixture.js';
import { entriesOf } from '#ledger';
import { type PaidOut, payOut } from './payout.fixture.js';

let api: ApiFixture;
let platform: Awaited<ReturnType<ApiFixture['newPlatform']>>;
let paid: PaidOut;

beforeAll(async () => {
  api = await startApiFixture();
  platform = await api.newPlatform();
  paid = await payOut(api, platform);
});
afterAll(() => api.stop());

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The number of rows that the scans of a query plan read, including discarded ones. */
const rowsOf = (node: PlanNode | undefined): number => {
  if (node === undefined) return 0;
  const { Plans: parts = [], 'Actual Rows': given, 'Rows Removed by Filter': removed = 0 } = node;
  return removed + (parts.length === 0 ? given : parts.reduce((sum, one) => sum + rowsOf(one), 0));
};

const get = async (path: string) => (await api.get(path, platform.key)).body;

const text = async (path: string): Promise<string> => {
  const headers = { authorization: `Bearer ${platform.key}` };
  return (await fetch(`${api.http.url}${path}`, { headers })).text();
};

const close = (reason: string, key = randomText(16)) =>
  api.post(
    `/v1/reconciliation/exceptions/${paid.exceptionId}/close`,
    platform.key,
    { reason },
    key,
  );

describe('the payouts of a merchant', () => {
  test('are returned with the result of the reconciliation', async () => {
    expect(await get(`/v1/payouts/${paid.payoutId}`)).toEqual({
      id: paid.payoutId,
      providerAccountId: platform.accountId,
      merchantId: 'm1',
      status: 'sent',
      reference: 'R-1',
      currency: 'eur',
      amountMinor: 2_950,
      feesMinor: 42,
      feesVatMinor: 8,
      date: '2026-03-02',
      bankDate: null,
      reconciliation: null,
    });
  });

  test('are listed newest first, page by page', async () => {
    const newer = await payOut(api, platform, '2026-03-03');
    const first = await get('/v1/payouts?limit=1');
    expect(first['items']).toMatchObject([
      {
        id: newer.payoutId,
        reconciliation: { matched: 2, exceptions: { unknown: 1 } },
      },
    ]);
    const rest = await get(`/v1/payouts?limit=1&cursor=${String(first['nextCursor'])}`);
    expect(rest).toMatchObject({ items: [{ id: paid.payoutId }], nextCursor: null });
    expect(await get('/v1/payouts?status=paid')).toEqual({ items: [], nextCursor: null });
  });

  test('are read with their lines, over consecutive pages', async () => {
    const path = `/v1/payouts/${paid.payoutId}/lines?limit=2`;
    const first = await get(path);
    expect(first['items']).toMatchObject([
      { providerId: 'paym_1', captureId: expect.stringMatching(/^cap_pay_/) },
      { providerId: 'paym_2' },
    ]);
    expect(await get(`${path}&cursor=${String(first['nextCursor'])}`)).toEqual({
      items: [
        {
          kind: 'payment',
          providerId: 'paym_3',
          paymentId: null,
          captureId: null,
          currency: 'eur',
          amountMinor: 1_000,
          feeMinor: 14,
          occurrences: 1,
        },
      ],
      nextCursor: null,
    });
  });

  test('can be downloaded as a file with one entry per line', async () => {
    const path = `/v1/payouts/${paid.payoutId}/lines/export`;
    const csv = (await text(`${path}?format=csv`)).split('\r\n');
    expect(csv[0]).toBe(
      'kind,providerId,paymentId,captureId,currency,amountMinor,feeMinor,occurrences',
    );
    expect(csv[3]).toBe('payment,paym_3,,,eur,1000,14,1');
    expect(JSON.parse(await text(`${path}?format=json`))).toHaveLength(3);
    expect((await api.get(`${path}?format=xml`, platform.key)).status).toBe(422);
  });

  test('can be downloaded as a file that contains each line once, even with thousands of lines', async () => {
    const { payoutId } = await payOut(api, platform, '2026-03-04');
    await api.pool.query(
      `INSERT INTO payout_lines SELECT $1, 'refund', 'refd_' || n, $2, 'paym_1', NULL, 'refd_' || n,
         NULL, 'eur', 5, 0 FROM generate_series(1, 2500) AS n`,
      [payoutId, platform.accountId],
    );
    const lines = JSON.parse(
      await text(`/v1/payouts/${payoutId}/lines/export?format=json`),
    ) as readonly { providerId: string }[];
    expect(new Set(lines.map(({ providerId }) => providerId)).size).toBe(2_503);
    expect(lines).toHaveLength(2_503);
  });

  test.each([
    'x',
    ...[
      '["created","desc","2026-02-31","pout_x"]',
      '["created","desc","2026-99-99","pout_x"]',
      '["created","asc","2026-02-03","pout_x"]',
      '["updated","desc","2026-02-03","pout_x"]',
      '["created","desc","2026-02-03",""]',
      '["created","desc","2026-02-03"]',
      '{}',
    ].map((text) => Buffer.from(text).toString('base64url')),
  ])('cannot be listed with a page cursor that no response contained: %j', async (cursor) => {
    const { status } = await api.get(`/v1/payouts?cursor=${cursor}`, platform.key);
    expect(status).toBe(422);
  });
});

describe('a reconciliation break', () => {
  test('is listed with the value that was expected, and is one line of the downloaded file', async () => {
    const { items } = await get('/v1/reconciliation/exceptions?status=open&kind=unknown');
    expect(items).toContainEqual(
      expect.objectContaining({
        id: paid.exceptionId,
        kind: 'unknown',
        subject: { kind: 'payment', id: 'paym_3' },
        expected: 'an entry of our journal',
        since: '2026-03-02',
        closed: null,
      }),
    );
    expect(await text('/v1/reconciliation/exceptions/export?format=csv')).toContain(
      `${paid.exceptionId},unknown,`,
    );
  });

  test('is closed at a platform’s request only after an operator approves it; a repeated request asks for no second approval', async () => {
    const key = randomText(16);
    const first = await close('A test payment made by hand', key);
    expect(first).toMatchObject({
      status: 202,
      body: { closing: { reason: 'A test payment made by hand' }, closed: null },
    });
    const { rows } = await api.pool.query(
      `SELECT a.kind, a.status, a.requested_by AS by, a.reason, a.amounts, ${atRiskMinor('x')}::int AS minor
         FROM admin_actions a JOIN reconciliation_exceptions x ON x.exception_id = a.subject_id`,
    );
    expect(rows).toEqual([
      {
        kind: 'close_exception',
        status: 'pending',
        reason: 'A test payment made by hand',
        by: expect.stringMatching(`^platform:${platform.platformId} key:po_`) as string,
        amounts: [{ amountMinor: (rows[0] as { minor: number }).minor, currency: 'eur' }],
        minor: expect.any(Number) as number,
      },
    ]);
    const { rows: audited } = await api.pool.query(
      `SELECT action, actor FROM audit WHERE action <> 'account.registered'`,
    );
    expect(audited).toEqual([
      { action: 'action.requested', actor: (rows[0] as { by: string }).by },
    ]);
    const again = await close('A test payment made by hand', key);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await close('A test payment made by hand')).status).toBe(202);
    expect(await close('Something else')).toMatchObject({
      status: 409,
      body: { code: 'already_requested' },
    });
    expect(await get('/v1/reconciliation/exceptions?status=closed')).toMatchObject({ items: [] });
  });

  test('a closed break cannot be closed again', async () => {
    const { exceptionId } = await payOut(api, platform, '2026-03-04');
    await api.pool.query(
      `UPDATE reconciliation_exceptions SET closed_at = now(), closed_by = 'facts',
              close_reason = 'it is in a payout' WHERE exception_id = $1`,
      [exceptionId],
    );
    expect(
      await api.post(`/v1/reconciliation/exceptions/${exceptionId}/close`, platform.key, {
        reason: 'It is known',
      }),
    ).toMatchObject({ status: 409, body: { code: 'exception_closed' } });
  });

  test.each(['', 'ab', 'x'.repeat(301), 'two\nlines', 'ask a.payer@example.com'])(
    'cannot be closed with the invalid reason %j',
    async (reason) => {
      expect((await close(reason)).status).toBe(422);
    },
  );
});

describe('the ledger', () => {
  test('has six accounts whose balances sum to zero', async () => {
    const { items } = (await get('/v1/ledger/accounts')) as unknown as {
      items: readonly { account: string; balanceMinor: number }[];
    };
    expect(items.map(({ account }) => account)).toEqual([
      'payer',
      'provider',
      'merchant',
      'fees',
      'vat',
      'disputes',
    ]);
    expect(items.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0)).toBe(0);
  });

  describe('of several merchants', () => {
    interface Item {
      readonly id: string;
      readonly providerAccountId: string;
      readonly balanceMinor: number;
    }
    let shop: typeof platform;
    const accountIds: Record<string, string> = {};

    const list = async (query: string) => {
      const { status, body } = await api.get(`/v1/ledger/accounts?${query}`, shop.key);
      const { items, nextCursor } = body as unknown as {
        items: readonly Item[];
        nextCursor: string | null;
      };
      return { status, body, items, nextCursor };
    };
    const accountsOf = async (query: string) => [
      ...new Set((await list(query)).items.map(({ providerAccountId }) => providerAccountId)),
    ];

    beforeAll(async () => {
      shop = await api.newPlatform();
      for (const [name, merchantId, mode] of [
        ['m1 live', 'm1', 'live'],
        ['m2 test', 'm2', 'test'],
      ] as const) {
        accountIds[name] = newId('acc');
        await api.pool.query(
          `INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed)
           VALUES ($1, $2, $3, $4, '')`,
          [accountIds[name], shop.platformId, merchantId, mode],
        );
      }
      accountIds['m1 test'] = shop.accountId;
      for (const accountId of Object.values(accountIds)) {
        await payOut(api, { platformId: shop.platformId, accountId });
      }
      await api.pool.query(
        `INSERT INTO ledger_balances SELECT platform_id, account_id, 'gbp', -500, 500, 0, 0, 0, 0
           FROM ledger_balances WHERE account_id = $1`,
        [shop.accountId],
      );
    });

    test.each(['', '&at=2026-03-02T06:05:00Z', '&mode=test', '&merchantId=m1&currency=eur'])(
      'is listed in pages that together equal the list without a page limit (%s)',
      async (filter) => {
        const all = await list(filter);
        expect(all.nextCursor).toBeNull();
        const items: Item[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const page = await list(`limit=1${filter}${cursor === '' ? '' : `&cursor=${cursor}`}`);
          expect(page.items).toHaveLength(LEDGER_ACCOUNTS.length);
          expect(page.items.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0)).toBe(0);
          items.push(...page.items);
          cursor = page.nextCursor;
        }
        expect(items).toEqual(all.items);
        expect(items.length).toBeGreaterThan(LEDGER_ACCOUNTS.length);
      },
    );

    test('is filtered by merchant, mode and currency', async () => {
      const { 'm1 test': m1, 'm1 live': live, 'm2 test': m2 } = accountIds;
      expect(await accountsOf('merchantId=m2')).toEqual([m2]);
      expect(new Set(await accountsOf('merchantId=m1'))).toEqual(new Set([m1, live]));
      expect(await accountsOf('merchantId=m1&mode=live')).toEqual([live]);
      expect(new Set(await accountsOf('mode=test'))).toEqual(new Set([m1, m2]));
      expect(await accountsOf('currency=gbp')).toEqual([m1]);
    });

    test('shows the balances of an earlier time with the same filters', async () => {
      const balances = async (at: string) =>
        (await list(`merchantId=m2&currency=eur&at=${at}`)).items.map(
          ({ balanceMinor }) => balanceMinor,
        );
      expect(await balances('2026-03-02T06:05:00Z')).toEqual([0, 0, 0, 0, 0, 0]);
      expect(await balances('2026-03-02T06:05:01Z')).toEqual([-2_000, 1_972, 0, 28, 0, 0]);
    });

    test('has no merchant of another platform, and none without provider accounts', async () => {
      const none = { status: 404, body: { code: 'merchant_not_found' } };
      expect(await list('merchantId=m3')).toMatchObject(none);
      expect(await list('merchantId=m2&mode=live')).toMatchObject(none);
      const other = await api.newPlatform();
      expect(await api.get('/v1/ledger/accounts?merchantId=m2', other.key)).toMatchObject(none);
    });

    test.each(['mode=other', 'currency=xxx', 'limit=101', 'cursor=bm8', 'at=2026-02-30T00:00:00Z'])(
      'rejects %s',
      async (query) => {
        expect(await list(query)).toMatchObject({
          status: 422,
          body: { code: 'validation_failed' },
        });
      },
    );
  });

  test('lists the entries that explain a balance', async () => {
    const other = await api.newPlatform();
    const { ledgerAccountId } = await payOut(api, other);
    const path = `/v1/ledger/accounts/${ledgerAccountId}`;
    const page = (await api.get(`${path}?limit=1`, other.key)).body;
    expect(page).toMatchObject({
      id: ledgerAccountId,
      account: 'payer',
      currency: 'eur',
      balanceMinor: -2_000,
      items: [{ kind: 'payment', amountMinor: -1_000 }],
    });
    const rest = await api.get(`${path}?limit=1&cursor=${String(page['nextCursor'])}`, other.key);
    expect(rest.body).toMatchObject({ items: [{ amountMinor: -1_000 }], nextCursor: null });
  });

  test('is read without a scan of all journal entries', async () => {
    const client = await api.pool.connect();
    const rowsRead = async (sql: string, values: readonly unknown[]): Promise<number> => {
      const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
        [...values],
      );
      return rowsOf(rows[0]?.['QUERY PLAN'][0].Plan);
    };
    try {
      await client.query(`
        BEGIN;
        INSERT INTO ledger_journal
        SELECT gen_random_uuid(), CASE WHEN n % 1000 = 0 THEN 'payout' ELSE 'payment' END,
               'o_' || n, 's_' || n, 'acc_many', 'shop', 'eur', 5, CASE WHEN n % 1000 = 0 THEN 0 ELSE -5 END,
               CASE WHEN n % 1000 = 0 THEN -5 ELSE 4 END, CASE WHEN n % 1000 = 0 THEN 5 ELSE 0 END,
               CASE WHEN n % 1000 = 0 THEN 0 ELSE 1 END, 0, 0,
               timestamptz '2026-03-01' + n * interval '1 second'
          FROM generate_series(1, 20000) AS n;
        INSERT INTO ledger_balances
        SELECT 'shop', 'acc_' || n, 'eur', 0, 0, 0, 0, 0, 0 FROM generate_series(1, 2000) AS n;
        ANALYZE ledger_journal, ledger_balances`);
      for (const at of [undefined, '2026-03-01T05:33:20Z']) {
        const list = ledgerBalances(at);
        const page = statementOf(list, ofPlatform(list, 'shop'), {}, 3);
        const read = await rowsRead(page.text, page.values);
        expect([at, read < 100]).toEqual([at, true]);
      }
      for (const account of LEDGER_ACCOUNTS) {
        const of = entriesOf({ providerAccountId: 'acc_many', currency: 'eur' });
        const { text: sql, values } = statementOf(ledgerEntries(account), of, {}, 21);
        const read = await rowsRead(sql, values);
        expect([account, read < 100]).toEqual([account, true]);
      }
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  test.each(['acc_none-eur-payer', 'acc_none', 'acc_none-eur-none'])(
    'responds with 404 for %s',
    async (id) => {
      expect((await api.get(`/v1/ledger/accounts/${id}`, platform.key)).status).toBe(404);
    },
  );
});
