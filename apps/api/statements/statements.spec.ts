import { randomUUID } from 'node:crypto';
import { randomText } from '#kernel';
import { type ApiFixture, startApiFixture } from '../api.fixture.js';
import { plant } from '../lists.fixture.js';

interface Entry {
  readonly kind: string;
  readonly at: string;
  readonly amount: number;
  readonly fees?: number;
  readonly vat?: number;
  readonly currency?: string;
  readonly accountId?: string;
  readonly objectId?: string;
  readonly streamId?: string;
}

let api: ApiFixture;
let platform: Awaited<ReturnType<ApiFixture['newPlatform']>>;

beforeAll(async () => {
  api = await startApiFixture();
});
afterAll(() => api.stop());
beforeEach(async () => {
  platform = await api.newPlatform();
});

/**
 * For each kind of ledger entry: how its amount changes the ledger accounts `provider` and
 * `merchant` (1 adds, -1 subtracts, 0 neither).
 */
const SIGNS: Readonly<Record<string, readonly [provider: number, merchant: number]>> = {
  payment: [1, 0],
  refund: [-1, 0],
  dispute: [-1, 0],
  dispute_reversal: [1, 0],
  payout: [-1, 1],
  payout_failed: [1, -1],
  dispute_correction: [-1, 0],
  dispute_reversal_correction: [1, 0],
  payment_correction: [1, 0],
  refund_correction: [-1, 0],
};

/** Books entries as the projection of the ledger does. */
const book = async (...entries: readonly Entry[]): Promise<void> => {
  for (const { kind, at, amount, fees = 0, vat = 0, ...rest } of entries) {
    const { currency = 'eur', accountId = platform.accountId } = rest;
    const { objectId = 'object', streamId = 'pay_none' } = rest;
    const [sign = 0, merchantSign = 0] = SIGNS[kind] ?? [];
    const [provider, merchant] = [sign * amount - fees - vat, merchantSign * amount];
    const payer = 0 - provider - merchant - fees - vat;
    const values = [accountId, platform.platformId, currency, payer, provider, merchant, fees, vat];
    await api.pool.query(
      `INSERT INTO ledger_journal (event_id, kind, object_id, stream_id, amount_minor, at, account_id,
         platform_id, currency, payer_minor, provider_minor, merchant_minor, fees_minor, vat_minor,
         disputes_minor)
       VALUES ($9, $10, $11, $12, $13, $14, $1, $2, $3, $4, $5, $6, $7, $8, 0)`,
      [...values, randomUUID(), kind, objectId, streamId, amount, at],
    );
    await api.pool.query(
      `INSERT INTO ledger_balances AS b (account_id, platform_id, currency, payer_minor,
         provider_minor, merchant_minor, fees_minor, vat_minor, disputes_minor)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0)
           ON CONFLICT (platform_id, account_id, currency) DO UPDATE
          SET payer_minor = b.payer_minor + excluded.payer_minor,
              provider_minor = b.provider_minor + excluded.provider_minor,
              merchant_minor = b.merchant_minor + excluded.merchant_minor,
              fees_minor = b.fees_minor + excluded.fees_minor,
              vat_minor = b.vat_minor + excluded.vat_minor`,
      values,
    );
  }
};

/** Gives the merchant a further provider account. */
const newAccount = async (): Promise<string> => {
  const id = `acc_${randomText(24)}`;
  await api.pool.query(
    `INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed)
     VALUES ($1, $2, 'm1', 'test', '')`,
    [id, platform.platformId],
  );
  return id;
};

const YEAR: readonly Entry[] = [
  { kind: 'payment', at: '2026-02-28T23:59:59.999Z', amount: 10_000, fees: 40 },
  { kind: 'payment', at: '2026-03-01T00:00:00Z', amount: 5_000, fees: 30 },
  { kind: 'payment', at: '2026-03-02T10:00:00Z', amount: 700, fees: 10 },
  { kind: 'refund', at: '2026-03-03T10:00:00Z', amount: 1_000 },
  { kind: 'dispute', at: '2026-03-04T10:00:00Z', amount: 700, fees: 1_500 },
  { kind: 'dispute_reversal', at: '2026-03-20T10:00:00Z', amount: 700 },
  { kind: 'payout', at: '2026-03-05T10:00:00Z', amount: 9_952, vat: 8 },
  { kind: 'payout_failed', at: '2026-03-06T10:00:00Z', amount: 9_952, vat: -8 },
  { kind: 'payout', at: '2026-03-31T23:59:59Z', amount: 12_000, vat: 316 },
  { kind: 'payment', at: '2026-04-01T00:00:00Z', amount: 2_000, fees: 20 },
];

const read = (month: string, more = '', key = platform.key) =>
  api.get(`/v1/statements?merchantId=m1&mode=test&month=${month}${more}`, key);
const linesOf = (query: string) =>
  api.get(`/v1/statements/lines?merchantId=m1&mode=test&month=2026-03&${query}`, platform.key);

test('a statement sums up a month, from the opening to the closing balance', async () => {
  await book(...YEAR);
  const { status, body } = await read('2026-03');
  expect(status).toBe(200);
  expect(body).toEqual({
    merchantId: 'm1',
    mode: 'test',
    month: '2026-03',
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-04-01T00:00:00.000Z',
    isFinal: true,
    balances: [
      {
        currency: 'eur',
        openingMinor: 9_960,
        payments: { count: 2, amountMinor: 5_700 },
        refunds: { count: 1, amountMinor: 1_000 },
        disputes: { count: 1, amountMinor: 700 },
        disputeReversals: { count: 1, amountMinor: 700 },
        correctionsMinor: 0,
        feesMinor: 1_540,
        vatMinor: 316,
        payouts: { count: 2, amountMinor: 21_952 },
        failedPayouts: { count: 1, amountMinor: 9_952 },
        closingMinor: 9_960 + 5_700 - 1_000 - 700 + 700 - 1_540 - 316 - 21_952 + 9_952,
      },
    ],
  });
});

test('the closing balance of a month is the opening balance of the next, and the balance of the ledger', async () => {
  await book(...YEAR);
  const balances = async (month: string) => {
    const { body } = await read(month);
    const [balance] = body['balances'] as readonly Record<string, number>[];
    return [balance?.['openingMinor'], balance?.['closingMinor']];
  };
  const [february, march, april] = [
    await balances('2026-02'),
    await balances('2026-03'),
    await balances('2026-04'),
  ];
  expect(february?.[0]).toBe(0);
  expect(march?.[0]).toBe(february?.[1]);
  expect(april?.[0]).toBe(march?.[1]);
  const providerAt = async (query = '') => {
    const { body } = await api.get(`/v1/ledger/accounts${query}`, platform.key);
    const items = body['items'] as readonly { account: string; balanceMinor: number }[];
    expect(items.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0)).toBe(0);
    return items.find(({ account }) => account === 'provider')?.balanceMinor;
  };
  expect(april?.[1]).toBe(await providerAt());
  expect(march?.[1]).toBe(await providerAt('?at=2026-04-01T00:00:00Z'));
  expect(february?.[1]).toBe(await providerAt('?at=2026-03-01T00:00:00Z'));
});

test('a statement contains the correction of a fee that operators accepted, in its fees and its lines', async () => {
  await book(
    { kind: 'payment', at: '2026-03-02T10:00:00Z', amount: 1_999, fees: 21 },
    { kind: 'payout', at: '2026-03-04T10:00:00Z', amount: 1_970, vat: 5 },
    { kind: 'payment_correction', at: '2026-03-05T10:00:00Z', amount: 0, fees: 3 },
  );
  const { body } = await read('2026-03');
  expect(body['balances']).toMatchObject([{ feesMinor: 24, vatMinor: 5, closingMinor: 0 }]);
  const { body: lines } = await linesOf('kind=payment_correction');
  expect(lines['items']).toMatchObject([
    { amountMinor: 0, feesMinor: 3, vatMinor: 0, netMinor: -3 },
  ]);
});

test('a statement contains the amounts and fees of payout lines that operators accepted', async () => {
  await book(
    { kind: 'payout', at: '2026-03-04T10:00:00Z', amount: 1_737, vat: 5 },
    { kind: 'payment_correction', at: '2026-03-05T10:00:00Z', amount: 1_999, fees: 23 },
    { kind: 'refund_correction', at: '2026-03-05T11:00:00Z', amount: 234 },
  );
  const { body } = await read('2026-03');
  expect(body['balances']).toMatchObject([
    { correctionsMinor: 1_765, feesMinor: 23, vatMinor: 5, openingMinor: 0, closingMinor: 0 },
  ]);
  const { body: lines } = await linesOf('kind=payment_correction&kind=refund_correction');
  expect(lines['items']).toMatchObject([
    { amountMinor: 1_999, feesMinor: 23, netMinor: 1_976, orderId: null },
    { amountMinor: -234, feesMinor: 0, netMinor: -234, orderId: null },
  ]);
});

test('the correction of a payout line names the order of the line’s payment', async () => {
  const { platformId, accountId } = platform;
  const prefix = randomText(8);
  await plant(api, platformId, accountId, prefix);
  const [payout, card, debit] = [`po_${prefix}`, `pay_${prefix}0`, `pay_${prefix}1`];
  const at = '2026-03-03T10:00:00Z';
  const lines: readonly (readonly [kind: string, id: string, paymentId: string | null])[] = [
    ['payment', 'paym_1', card],
    ['dispute', 'dspt_1', debit],
    ['dispute_reversal', 'dspt_1', card],
    ['refund', 'refd_1', null],
  ];
  for (const [kind, id, paymentId] of lines) {
    await api.pool.query(
      `INSERT INTO payout_lines (payout_id, kind, object_id, account_id, provider_payment_id,
              payment_id, currency, amount_minor, fee_minor)
       VALUES ($1, $2, $3, $4, 'paym_1', $5, 'eur', 700, 3)`,
      [payout, kind, id, accountId, paymentId],
    );
    const entry = { kind: `${kind}_correction`, objectId: id, streamId: payout, at };
    await book({ ...entry, amount: 0, fees: 3 });
  }
  await book({ kind: 'payment', objectId: card, streamId: card, at, amount: 700 });
  const { body } = await linesOf('');
  const items = body['items'] as readonly Record<string, unknown>[];
  const orders = items.map((line) => [line['kind'], [line['orderId'], line['reference']]]);
  expect(Object.fromEntries(orders)).toEqual({
    payment: [`ord_${prefix}0`, 'R-0'],
    payment_correction: [`ord_${prefix}0`, 'R-0'],
    dispute_correction: [`ord_${prefix}1`, 'R-1'],
    dispute_reversal_correction: [`ord_${prefix}0`, 'R-0'],
    refund_correction: [null, null],
  });
});

test('the lines of a statement add up to the change of the balance', async () => {
  await book(...YEAR);
  const { body } = await linesOf('limit=100');
  const items = body['items'] as readonly { kind: string; netMinor: number; at: string }[];
  expect(items.map(({ kind }) => kind)).toEqual([
    'payment',
    'payment',
    'refund',
    'dispute',
    'payout',
    'payout_failed',
    'dispute_reversal',
    'payout',
  ]);
  const { body: statement } = await read('2026-03');
  const [balance] = statement['balances'] as readonly Record<string, number>[];
  const change = (balance?.['closingMinor'] ?? 0) - (balance?.['openingMinor'] ?? 0);
  expect(items.reduce((sum, { netMinor }) => sum + netMinor, 0)).toBe(change);
  const { body: refunds } = await linesOf('kind=refund');
  expect(refunds['items']).toMatchObject([
    { amountMinor: -1_000, feesMinor: 0, vatMinor: 0, netMinor: -1_000 },
  ]);
});

const download = async (query: string): Promise<Response> => {
  const path = '/v1/statements/lines/export?merchantId=m1&mode=test&month=2026-03';
  return fetch(`${api.http.url}${path}&${query}`, {
    headers: { authorization: `Bearer ${platform.key}` },
  });
};

/** The rows of a CSV file, by the names of its columns. No value in it is quoted. */
const rowsOf = async (query: string): Promise<readonly Record<string, string>[]> => {
  const text = await (await download(query)).text();
  const [names = [], ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
};

const isLine = ({ eventId }: Record<string, string>): boolean => eventId !== '';

test('the lines of a statement are downloaded as CSV and as JSON', async () => {
  await book(...YEAR);
  const csv = await download('format=csv');
  expect(csv.headers.get('content-disposition')).toContain('m1-2026-03.csv');
  const json = (await (await download('format=json')).json()) as Record<string, unknown>[];
  expect(json).toHaveLength(8);
  const asText = json.map((line) =>
    Object.fromEntries(Object.entries(line).map(([name, value]) => [name, String(value ?? '')])),
  );
  expect((await rowsOf('format=csv')).filter(isLine)).toEqual(asText);
});

test('the CSV of a statement has its opening balance, totals and closing balance, as its JSON has', async () => {
  const at = '2026-03-09T10:00:00Z';
  await book(...YEAR, { kind: 'payment', at, amount: 300, fees: 4, currency: 'gbp' });
  const { body } = await read('2026-03');
  const rows = await rowsOf('format=csv');
  const balances = body['balances'] as readonly Record<string, number | { amountMinor: number }>[];
  for (const balance of balances) {
    const { currency, openingMinor, closingMinor, correctionsMinor, ...others } = balance;
    const { feesMinor, vatMinor, ...sums } = others;
    expect(correctionsMinor).toBe(0);
    const of = (kind: string) =>
      rows.find((row) => row['kind'] === kind && row['currency'] === String(currency));
    expect(of('opening')).toMatchObject({ at: body['from'], netMinor: String(openingMinor) });
    expect(of('closing')).toMatchObject({ at: body['to'], netMinor: String(closingMinor) });
    const change = Number(closingMinor) - Number(openingMinor);
    expect(of('total')).toMatchObject({
      feesMinor: String(feesMinor),
      vatMinor: String(vatMinor),
      netMinor: String(change),
    });
    const totals = Object.entries({
      payments: 'payment',
      refunds: 'refund',
      disputes: 'dispute',
      disputeReversals: 'dispute_reversal',
      payouts: 'payout',
      failedPayouts: 'payout_failed',
    }).map(([name, kind]) => [name, Math.abs(Number(of(`total_${kind}`)?.['amountMinor'] ?? 0))]);
    const shown = Object.entries(sums).map(([name, sum]) => [
      name,
      (sum as { amountMinor: number }).amountMinor,
    ]);
    expect(Object.fromEntries(totals)).toEqual(Object.fromEntries(shown));
  }
  const kinds = rows.filter((row) => !isLine(row)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'closing')).toHaveLength(2);
  expect(rows[0]).toMatchObject({ kind: 'opening' });
  expect(rows.at(-1)).toMatchObject({ kind: 'closing' });
  const inPounds = await rowsOf('format=csv&currency=gbp');
  expect(inPounds.map(({ kind }) => kind)).toEqual([
    'opening',
    'payment',
    'total_payment',
    'total',
    'closing',
  ]);
  expect((await rowsOf('format=csv&kind=refund')).map(({ kind }) => kind)).toEqual(['refund']);
});

test('a statement has one balance for each currency, over all accounts of the merchant', async () => {
  const at = '2026-03-02T10:00:00Z';
  const second = await newAccount();
  await book(
    { kind: 'payment', at, amount: 100 },
    { kind: 'payment', at, amount: 30, accountId: second },
    { kind: 'payment', at, amount: 7, currency: 'usd' },
  );
  const { body } = await read('2026-03');
  expect(body['balances']).toMatchObject([
    { currency: 'eur', closingMinor: 130, payments: { count: 2 } },
    { currency: 'usd', closingMinor: 7, payments: { count: 1 } },
  ]);
});

test('a statement of the current month is not final', async () => {
  await book({ kind: 'payment', at: new Date().toISOString(), amount: 100 });
  const { body } = await read(new Date().toISOString().slice(0, 7));
  expect(body).toMatchObject({ isFinal: false, balances: [{ closingMinor: 100 }] });
});

test('the statement of an ended month is final when the ledger has booked all of its events', async () => {
  await book(...YEAR);
  const event = async (at: string): Promise<void> => {
    await api.pool.query(
      `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data, metadata)
       VALUES ('payment', $1, 1, $2, 'PaymentCaptured', 1, json_build_object('at', $3::text), '{}')`,
      [`pay_${randomText(24)}`, randomUUID(), at],
    );
  };
  await event('2026-04-01T00:00:00.000Z');
  expect((await read('2026-03')).body).toMatchObject({ isFinal: true });
  await event('2026-03-31T23:59:59.999Z');
  expect((await read('2026-03')).body).toMatchObject({ isFinal: false });
  await api.pool.query(
    `INSERT INTO log_cursors (name, epoch, transaction_id, position)
     SELECT 'projection:ledger_streams', epoch, transaction_id, position FROM events
      ORDER BY epoch DESC, transaction_id DESC, position DESC LIMIT 1`,
  );
  expect((await read('2026-03')).body).toMatchObject({ isFinal: true });
});

test('another platform’s merchant has no statement', async () => {
  await book(...YEAR);
  const other = await api.newKey(`p-${randomText(8)}`);
  for (const path of ['statements', 'statements/lines']) {
    const query = 'merchantId=m1&mode=test&month=2026-03';
    const answer = await api.get(`/v1/${path}?${query}`, other);
    expect(answer).toMatchObject({ status: 404, body: { code: 'merchant_not_found' } });
  }
});

test.each(['2026-13', '2026-3', 'March', ''])(
  'a statement for the month "%s" is refused',
  async (month) => {
    const { status, body } = await read(month);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ parameter: 'month' }] });
  },
);
