import { MAX_GROUP_IDS } from '#lists';
import { type Person } from '../actions/requests.fixture.js';
import { limitAccess } from '../access/access-walk.fixture.js';
import { type AdminFixture, startAdminFixture } from '../admin.fixture.js';
import type { CaseTotalList } from '../cases/case-answers.js';
import { usualCaseCounts } from '../overview/open-counts.js';

type Mode = 'test' | 'live';
type Row = Readonly<Record<string, unknown>>;

let admin: AdminFixture;
let viewer: Person;
/** A user who may see only the merchant of the test account. */
let ofTest: Person;

/** The amounts differ, so that a sum of both modes is found. */
const AMOUNTS = { test: 100, live: 1_000 } as const;

/** Adds a provider account with one row in each list, and one issue of each kind. */
const addAccount = async (mode: Mode): Promise<void> => {
  const amountMinor = AMOUNTS[mode];
  const insert = (sql: string, ...more: readonly unknown[]) =>
    admin.pool.query(sql, [mode, ...more]);
  await insert(`INSERT INTO provider_accounts
      (id, platform_id, merchant_id, mode, api_key_sealed, webhook_secret_sealed)
    VALUES ('acc_' || $1::text, 'shop', 'm_' || $1, $1, '', '')`);
  await insert(
    `INSERT INTO order_list (order_id, platform_id, merchant_id, reference, amount_minor, currency,
       status, placed_at, version, account_id)
     VALUES ('ord_' || $1::text, 'shop', 'm_' || $1, 'R-' || $1, $2, 'eur', 'open',
       now() - interval '1 minute', 1, 'acc_' || $1)`,
    amountMinor,
  );
  await insert(
    `INSERT INTO payment_list (payment_id, order_id, platform_id, account_id, amount_minor, currency,
       status, provider_ids, unknown_results, refunded_minor, disputed, mismatched, requested_at,
       version, rejected_refunds, rejected_captures, owed_refunds)
     VALUES ('pay_' || $1::text, 'ord_' || $1, 'shop', 'acc_' || $1, $2, 'eur', 'open', '{}',
       '{capture}', 0, false, true, now(), 1, '{rfr_1}', '{cap_1}',
       '[{"requestId": "rfr_1", "current": "rfr_1", "amountMinor": 1, "since": "2026-03-03"}]')`,
    amountMinor,
  );
  await insert(
    `INSERT INTO payout_list VALUES ('pout_' || $1::text, 'acc_' || $1, 'shop', 'm_' || $1, $1,
       'P-' || $1, 'eur', $2, 0, 0, '2026-03-03', 'paid', NULL, '{}', true, 1, '{}', 0, 1)`,
    amountMinor,
  );
  await insert(
    `INSERT INTO ledger_journal (event_id, kind, object_id, stream_id, account_id, platform_id,
       currency, amount_minor, payer_minor, provider_minor, merchant_minor, fees_minor, vat_minor,
       disputes_minor, at)
     VALUES (gen_random_uuid(), 'payment', 'pay_' || $1::text, 'pay_' || $1, 'acc_' || $1, 'shop',
       'eur', $2::bigint, -$2::bigint, $2::bigint, 0, 0, 0, 0, now())`,
    amountMinor,
  );
  await insert(
    `INSERT INTO ledger_balances (platform_id, account_id, currency, payer_minor, provider_minor,
       merchant_minor, fees_minor, vat_minor, disputes_minor)
     VALUES ('shop', 'acc_' || $1::text, 'eur', -$2::bigint, $2::bigint, 0, 0, 0, 0)`,
    amountMinor,
  );
  await insert(
    `INSERT INTO reconciliation_exceptions (exception_id, kind, account_id, platform_id, merchant_id,
       line_kind, object_id, currency, amount_minor, expected, observed, since, found_at)
     VALUES ('exc_' || $1::text, 'missing', 'acc_' || $1, 'shop', 'm_' || $1, 'payment', 'paym_1',
       'eur', $2, '', '', now(), now())`,
    amountMinor,
  );
  await insert(
    `INSERT INTO jobs (key, kind, account_id, state, due_at)
     VALUES ('payment ' || $1::text, 'capture', 'acc_' || $1, 'stuck', 'epoch'),
            ('merchant ' || $1, 'merchant.create_company', 'partner:' || $1, 'stuck', 'epoch')`,
  );
  await insert(
    `INSERT INTO sagas (saga, key, version, state, done, waiting, failing_since)
     VALUES ('checkout', 'ord_' || $1::text, 1, '{}', false, '[]', now()),
            ('onboarding', 'mer_' || $1, 1, '{}', false, '[]', now())`,
  );
  await insert(
    `INSERT INTO merchant_list
     VALUES ('mer_' || $1::text, 'shop', 'M-' || $1, $1, 'draft', false, NULL, now(), 1)`,
  );
};

beforeAll(async () => {
  admin = await startAdminFixture();
  [viewer, ofTest] = (await Promise.all([admin.signedIn('viewer'), admin.signedIn('viewer')])) as [
    Person,
    Person,
  ];
  await limitAccess(admin, ofTest, { scope: [{ platformId: 'shop', merchantId: 'm_test' }] });
  await addAccount('test');
});

afterAll(() => admin.stop());

const bodyOf = async (path: string, by = viewer): Promise<Row> => {
  const { status, body } = await by.get(`/v1/${path}`);
  expect([path, status]).toEqual([path, 200]);
  return body as Row;
};

const modesIn = async (list: string, mode: string, by = viewer): Promise<readonly unknown[]> =>
  ((await bodyOf(`${list}?mode=${mode}`, by))['items'] as readonly Row[]).map((row) => row['mode']);

const totalOf = (minor: number) => ({
  currencies: [{ currency: 'eur', rows: 1, amountMinor: minor }],
});

const LISTS = ['orders', 'payments', 'payouts', 'ledger-entries'];

/** The cases of an account; failed requests and reactions are of a payment and of a merchant. */
const CASES = {
  failed_request: 2,
  failed_reaction: 2,
  unknown_result: 1,
  mismatch: 1,
  unpaid_refund: 1,
  rejected_capture: 1,
  reconciliation_break: 1,
};

test.each(LISTS)(
  'with mode=usual, the list %s shows test rows as long as no live account exists',
  async (list) => {
    expect(await modesIn(list, 'usual')).toEqual(['test']);
    expect(await bodyOf(`${list}/totals?mode=usual`)).toEqual(totalOf(AMOUNTS.test));
    expect(await modesIn(list, 'live')).toEqual([]);
  },
);

describe('with a live account', () => {
  beforeAll(() => addAccount('live'));

  test.each(LISTS)(
    'the list %s, its totals and its CSV file contain either live or test rows, never both',
    async (list) => {
      for (const [mode, shown] of [
        ['usual', 'live'],
        ['live', 'live'],
        ['test', 'test'],
      ] as const) {
        expect([mode, await modesIn(list, mode)]).toEqual([mode, [shown]]);
        const totals = await bodyOf(`${list}/totals?mode=${mode}`);
        expect([mode, totals]).toEqual([mode, totalOf(AMOUNTS[shown])]);
        const { text } = await viewer.get(`/v1/${list}.csv?mode=${mode}`);
        expect(text.trim().split('\r\n')).toEqual([
          expect.anything(),
          expect.stringContaining(shown),
        ]);
      }
      expect((await viewer.get(`/v1/${list}?mode=both`)).status).toBe(422);
    },
  );

  test.each(LISTS)(
    'a file of the list %s keeps the mode that was usual when the file was requested',
    async (list) => {
      expect((await viewer.post(`/v1/${list}/exports?mode=usual`, {})).status).toBe(202);
      const { rows } = await admin.pool.query<{ mode: string }>(
        `SELECT query ->> 'mode' AS mode FROM admin_exports WHERE list = $1`,
        [list],
      );
      expect(rows).toEqual([{ mode: 'live' }]);
    },
  );

  test('a few test accounts beside many live ones are excluded from a list of live rows by their ids', async () => {
    await admin.pool.query(
      `INSERT INTO provider_accounts
         (id, platform_id, merchant_id, mode, api_key_sealed, webhook_secret_sealed)
       SELECT 'acc_live_' || n, 'shop', 'm_live', 'live', '', '' FROM generate_series(1, 3) n`,
    );
    for (const list of LISTS) {
      expect([list, await modesIn(list, 'live')]).toEqual([list, ['live']]);
      expect([list, await modesIn(list, 'test')]).toEqual([list, ['test']]);
    }
  });

  test('a list is filtered by the mode of each row, not by account ids, if there are many accounts of each mode', async () => {
    await admin.pool.query(
      `INSERT INTO provider_accounts
         (id, platform_id, merchant_id, mode, api_key_sealed, webhook_secret_sealed)
       SELECT 'acc_' || mode || '_many_' || n, 'shop', 'm_many', mode, '', ''
         FROM generate_series(1, $1::int) n, unnest(ARRAY['live', 'test']) mode`,
      [MAX_GROUP_IDS + 1],
    );
    for (const list of LISTS) {
      expect([list, await modesIn(list, 'live')]).toEqual([list, ['live']]);
      expect([list, await modesIn(list, 'test')]).toEqual([list, ['test']]);
    }
    await admin.pool.query(`DELETE FROM provider_accounts WHERE merchant_id = 'm_many'`);
  });

  test('the trial balance and the account balances contain either live or test amounts, never both', async () => {
    for (const [mode, minor] of [
      ['usual', AMOUNTS.live],
      ['test', AMOUNTS.test],
    ] as const) {
      const balance = expect.objectContaining({ account: 'provider', balanceMinor: minor });
      const trial = (await bodyOf(`ledger/trial-balance?mode=${mode}`))['items'] as readonly Row[];
      expect([mode, trial.map(({ accounts }) => accounts)]).toEqual([
        mode,
        [expect.arrayContaining([balance])],
      ]);
      const accounts = (await bodyOf(`ledger/accounts?mode=${mode}`))['items'];
      expect([mode, accounts]).toEqual([mode, expect.arrayContaining([balance])]);
      expect((accounts as readonly Row[]).length).toBe(6);
    }
  });

  test('the overview counts only what is live', async () => {
    const overview = await bodyOf('overview');
    expect(overview).toMatchObject({
      mode: 'live',
      byHour: [{ orders: 1 }],
      oldestOpen: [{ orderId: 'ord_live' }],
      exceptions: [{ count: 1 }],
    });
  });

  test('the tiles of the overview count the live cases, and those without a mode', async () => {
    await admin.pool.query(
      `INSERT INTO blocked_streams VALUES ('relay', 'payment', 'pay_none', 3, 'PaymentFlown', 9)`,
    );
    const totals = await bodyOf('case-totals');
    const counts = usualCaseCounts(totals as unknown as CaseTotalList);
    expect(Object.fromEntries(counts)).toEqual({ ...CASES, blocked_stream: 1 });
    await admin.pool.query('DELETE FROM blocked_streams');
  });

  test('the search shows the mode of each result', async () => {
    for (const [q, mode] of [
      ['ord_test', 'test'],
      ['R-live', 'live'],
      ['pay_test', 'test'],
      ['pout_live', 'live'],
      ['exc_test', 'test'],
      ['mer_live', 'live'],
      ['acc_test', 'test'],
    ] as const) {
      const items = (await bodyOf(`search?q=${q}`))['items'] as readonly Row[];
      expect([q, [...new Set(items.map((hit) => hit['mode']))]]).toEqual([q, [mode]]);
    }
  });

  test('the usual mode of a user who may see only a test merchant is test', async () => {
    for (const list of LISTS)
      expect([list, await modesIn(list, 'usual', ofTest)]).toEqual([list, ['test']]);
    expect(await bodyOf('overview', ofTest)).toMatchObject({
      mode: 'test',
      oldestOpen: [{ orderId: 'ord_test' }],
    });
  });
});
