import { type Instant, instantFromMs, newId, parseInstant } from '#kernel';
import { LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { type Observation, paymentAggregate } from '#payment';
import { NO_LINES, payoutAggregate } from '#payout';
import { ProjectionRunner } from '#projections';
import {
  type AdminFixture,
  startAdminFixture,
  type TestBrowser,
} from '../../apps/admin/admin.fixture.js';
import { PROJECTIONS } from '../../apps/worker/projections/catalogue.js';
import { drain } from '../../apps/worker/projections/drain.fixture.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let admin: AdminFixture;
let viewer: TestBrowser;

/** Instants of today are at noon UTC or before, so that today in UTC contains all of them. */
const now = Date.now();
const daysAgo = (days: number): Instant => instantFromMs(now - days * DAY_MS);

interface Money {
  readonly amountMinor: number;
  readonly currency: 'eur' | 'chf';
  readonly platformId: string;
  readonly accountId: string;
  readonly at: Instant;
}

type Parts = Partial<Pick<Observation, 'refunds' | 'disputes'>>;

interface Attempt {
  readonly status: string;
  readonly response: string;
  readonly expiresAt?: Instant;
}

const metadata = (id: string) => ({
  correlationId: id,
  causationId: 'spec',
  actor: 'platform:shop',
  traceparent: null,
});

/** Records a payment with these attempts, as observed at the provider. Returns the payment's id. */
const payment = async (
  { at, ...terms }: Money,
  attempts: readonly Attempt[],
  parts: Parts = {},
): Promise<string> => {
  const id = newId('pay');
  const orderId = newId('ord');
  await admin.store.execute(
    paymentAggregate,
    id,
    {
      type: 'RequestIntent',
      orderId,
      ...terms,
      methods: ['card'],
      returnUrl: null,
      description: null,
      at,
    },
    metadata(orderId),
  );
  const { amountMinor, currency } = terms;
  const shown = attempts.map(({ status, response, expiresAt }) => ({
    attemptId: newId('paym'),
    status,
    response,
    method: 'card' as const,
    mandateId: null,
    authorizedUntil: expiresAt ?? instantFromMs(now + 6 * DAY_MS),
  }));
  for (const [index, { status }] of shown.entries()) {
    await admin.store.execute(
      paymentAggregate,
      id,
      {
        type: 'ObservePayment',
        paymentId: id,
        at,
        observation: {
          intent: {
            intentId: `pi_${id.slice(4)}`,
            reference: id,
            pageUrl: 'https://pay.example',
            status: status === 'refused' ? 'open' : status,
            amountMinor,
            currency,
          },
          attempts: shown.slice(0, index + 1),
          refunds: null,
          disputes: null,
          ...(index === shown.length - 1 && parts),
        },
      },
      metadata(orderId),
    );
  }
  return id;
};

const refund = (amountMinor: number, currency: string, at: Instant) => ({
  refundId: newId('refd'),
  attemptId: 'paym_1',
  amountMinor,
  currency,
  status: 'refunded',
  createdAt: at,
});

const dispute = (amountMinor: number, currency: string, at: Instant) => ({
  disputeId: newId('dspt'),
  attemptId: 'paym_1',
  amountMinor,
  currency,
  kind: 'chargeback' as const,
  status: 'open',
  reasonCode: '4853',
  payerReasonCode: '4853',
  reimbursementStatus: null,
  createdAt: at,
});

const CAPTURED: Attempt = { status: 'captured', response: '00' };
const AUTHORIZED: Attempt = { status: 'authorized', response: '00' };
const declined = (response: string): Attempt => ({ status: 'refused', response });

const OF_SHOP = { platformId: 'shop', accountId: 'acc_shop' } as const;
const OF_MALL = { platformId: 'mall', accountId: 'acc_mall' } as const;

/** A payout of the shop, which the provider has sent. */
const payOut = async (at: Instant): Promise<void> => {
  const id = newId('pout');
  await admin.store.execute(
    payoutAggregate,
    id,
    {
      type: 'ObservePayout',
      at,
      account: { ...OF_SHOP, merchantId: 'm1', mode: 'test' },
      observation: {
        status: 'sent',
        reference: 'R-1',
        currency: 'eur',
        amountMinor: 9_915,
        feesMinor: 77,
        feesVatMinor: 8,
        date: at.slice(0, 10),
        bankDate: null,
        totals: {
          payment: { card: { count: 1, amountMinor: 10_000, feesMinor: 77 }, sepa: NO_LINES },
          refund: { card: NO_LINES, sepa: NO_LINES },
          dispute: { card: NO_LINES, sepa: NO_LINES },
        },
      },
    },
    metadata(id),
  );
};

beforeAll(async () => {
  admin = await startAdminFixture();
  viewer = await admin.signedIn('viewer');
  await admin.pool.query(
    `INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed)
     VALUES ('acc_shop', 'shop', 'm1', 'test', ''), ('acc_mall', 'mall', 'm2', 'test', '')`,
  );
  const eur = { currency: 'eur', ...OF_SHOP } as const;
  const chf = { currency: 'chf', ...OF_MALL } as const;
  const today = daysAgo(0);
  await payment({ ...eur, amountMinor: 10_000, at: daysAgo(3) }, [CAPTURED]);
  await payment({ ...eur, amountMinor: 4_485, at: today }, [declined('51'), CAPTURED], {
    refunds: [refund(1_000, 'eur', today), refund(485, 'eur', today)],
  });
  await payment({ ...eur, amountMinor: 2_599, at: today }, [CAPTURED], {
    disputes: [dispute(2_599, 'eur', today)] as never,
  });
  await payment({ ...eur, amountMinor: 7_777, at: today }, [declined('51'), declined('05')]);
  await payment({ ...eur, amountMinor: 3_000, at: today }, [
    { ...AUTHORIZED, expiresAt: instantFromMs(now + HOUR_MS) },
  ]);
  await payment({ ...eur, amountMinor: 1_111, at: today }, [AUTHORIZED]);
  await payment({ ...eur, amountMinor: 600, at: today }, [
    { status: 'to_capture', response: '00' },
  ]);
  await payment({ ...chf, amountMinor: 8_000, at: today }, [CAPTURED], {
    refunds: [refund(8_000, 'chf', today)],
  });
  await payment({ ...chf, amountMinor: 999, at: daysAgo(40) }, [CAPTURED]);
  await payOut(daysAgo(1));
  const reader = new LogReader(admin.pool, UPCASTERS);
  await drain(admin.pool, new ProjectionRunner(admin.pool, reader, PROJECTIONS));
});
afterAll(() => admin.stop());

interface Sum {
  readonly count: number;
  readonly amountMinor: number;
}

interface OfCurrency {
  readonly currency: string;
  readonly authorized: Sum;
  readonly captured: Sum;
  readonly refunded: Sum;
  readonly chargedBack: Sum;
  readonly declines: readonly { readonly code: string | null; readonly count: number }[];
  readonly days: readonly Readonly<Record<string, number | string>>[];
}

interface Money30 {
  readonly from: string;
  readonly lapsingTo: string;
  readonly currencies: readonly OfCurrency[];
}

const money = async (query: string): Promise<Money30> => {
  const { status, body } = await viewer.get(`/v1/money?${query}`);
  expect(status).toBe(200);
  return body as unknown as Money30;
};

const eurOf = async (query: string) => (await money(query)).currencies[0];

test('the figures of a week contain each currency’s volume, rates, declines, lapsing authorizations and money to pay out', async () => {
  const { currencies } = await money('days=7');
  expect(currencies).toEqual([
    expect.objectContaining({
      currency: 'eur',
      authorized: { count: 6, amountMinor: 10_000 + 4_485 + 2_599 + 3_000 + 1_111 + 600 },
      capturedOfAuthorizedMinor: 10_000 + 4_485 + 2_599 + 600,
      captured: { count: 3, amountMinor: 10_000 + 4_485 + 2_599 },
      refunded: { count: 2, amountMinor: 1_485 },
      chargedBack: { count: 1, amountMinor: 2_599 },
      notAuthorized: 1,
      declines: [
        { code: '05', count: 1 },
        { code: '51', count: 1 },
      ],
      uncaptured: { count: 2, amountMinor: 4_111 },
      lapsing: {
        count: 1,
        amountMinor: 3_000,
        soonestAt: instantFromMs(now + HOUR_MS),
      },
    }),
    expect.objectContaining({
      currency: 'chf',
      authorized: { count: 1, amountMinor: 8_000 },
      captured: { count: 1, amountMinor: 8_000 },
      refunded: { count: 1, amountMinor: 8_000 },
      chargedBack: { count: 0, amountMinor: 0 },
      declines: [],
    }),
  ]);
});

test('the volume equals the ledger’s entries to the cent, and the money to pay out equals the ledger’s balance', async () => {
  for (const { currency, captured, refunded, chargedBack, ...rest } of (await money('days=30'))
    .currencies) {
    const { rows } = await admin.pool.query(
      `SELECT coalesce(sum(amount_minor) FILTER (WHERE kind = 'payment'), 0)::float8 AS captured,
              coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'), 0)::float8 AS refunded,
              coalesce(sum(amount_minor) FILTER (WHERE kind = 'dispute'), 0)::float8 AS "chargedBack",
              (SELECT sum(provider_minor) FROM ledger_balances WHERE currency = $1)::float8 AS owed
         FROM ledger_journal WHERE currency = $1 AND at >= $2`,
      [currency, daysAgo(29)],
    );
    expect(rows).toEqual([
      {
        captured: captured.amountMinor,
        refunded: refunded.amountMinor,
        chargedBack: chargedBack.amountMinor,
        owed: (rest as unknown as { readonly toPayOutMinor: number }).toPayOutMinor,
      },
    ]);
  }
});

test('the volume equals the events of the log', async () => {
  const { rows } = await admin.pool.query<{ type: string; amount: number }>(
    `SELECT e.type, sum((data ->> 'amountMinor')::bigint)::float8 AS amount
       FROM events e JOIN payment_list p ON p.payment_id = e.stream_id AND p.currency = 'eur'
      WHERE e.type IN ('PaymentCaptured', 'RefundSucceeded', 'DisputeObserved') GROUP BY 1 ORDER BY 1`,
  );
  const eur = await eurOf('days=30');
  expect(rows).toEqual([
    { type: 'DisputeObserved', amount: eur?.chargedBack.amountMinor },
    { type: 'PaymentCaptured', amount: eur?.captured.amountMinor },
    { type: 'RefundSucceeded', amount: eur?.refunded.amountMinor },
  ]);
});

test('the days of a period add up to its volume, and today contains only what was booked today', async () => {
  const week = await eurOf('days=7');
  const captured = week?.days.map(({ capturedMinor }) => Number(capturedMinor));
  expect(captured).toHaveLength(7);
  expect(captured?.reduce((sum, one) => sum + one, 0)).toBe(week?.captured.amountMinor);
  const today = await eurOf('days=1');
  expect(today?.captured).toEqual({ count: 2, amountMinor: 4_485 + 2_599 });
  expect(captured?.at(-1)).toBe(today?.captured.amountMinor);
});

test('the figures of a platform or a merchant contain only its own money', async () => {
  for (const query of ['platformId=mall', 'merchantId=m2', 'platformId=mall&merchantId=m2']) {
    const { currencies } = await money(`days=7&${query}`);
    expect(currencies.map(({ currency }) => currency)).toEqual(['chf']);
  }
  expect((await money('days=7&platformId=mall&merchantId=m1')).currencies).toEqual([]);
});

test('the money of live accounts is separate from that of test accounts', async () => {
  expect((await money('days=7&mode=live')).currencies).toEqual([]);
  await admin.pool.query(
    `INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed)
     VALUES ('acc_live', 'shop', 'm1', 'live', '')`,
  );
  expect(await money('days=7')).toMatchObject({
    mode: 'live',
    modes: ['live', 'test'],
    currencies: [],
  });
  expect((await money('days=7&mode=test')).currencies).toHaveLength(2);
  await admin.pool.query(`DELETE FROM provider_accounts WHERE id = 'acc_live'`);
});

const total = async (path: string) => {
  const { status, body } = await viewer.get(path);
  expect([path, status]).toEqual([path, 200]);
  const items = body['items'] as readonly { readonly amountMinor: number }[];
  return {
    count: items.length,
    amountMinor: items.reduce((sum, { amountMinor }) => sum + Math.abs(amountMinor), 0),
  };
};

test('each figure is the sum of the rows that it links to', async () => {
  const { from, lapsingTo, currencies } = await money('days=7');
  const [eur] = currencies;
  const since = `${from}T00:00:00Z`;
  const entries = `/v1/ledger-entries?currency=eur&from=${since}`;
  expect(await total(`${entries}&kind=payment`)).toEqual(eur?.captured);
  expect(await total(`${entries}&kind=refund`)).toEqual(eur?.refunded);
  expect(await total(`${entries}&kind=dispute`)).toEqual(eur?.chargedBack);
  const payments = '/v1/payments?currency=eur';
  expect(await total(`${payments}&authorizedFrom=${since}`)).toEqual(eur?.authorized);
  for (const { code, count } of eur?.declines ?? []) {
    const rows = await total(`${payments}&declinedFrom=${since}&declineCode=${code ?? 'none'}`);
    expect(rows.count).toBe(count);
  }
  expect(eur).toMatchObject({
    notAuthorized: (await total(`${payments}&declinedFrom=${since}&authorized=false`)).count,
    uncaptured: await total(`${payments}&status=authorized`),
    lapsing: await total(`${payments}&expiresTo=${instantFromMs(Date.parse(lapsingTo) + DAY_MS)}`),
  });
});

test('payouts count as matched if they have no open break, and open breaks are counted by age', async () => {
  const payout = (id: string, day: Instant, exceptions: object) =>
    admin.pool.query(
      `INSERT INTO payout_list VALUES ($1, 'acc_shop', 'shop', 'm1', 'test', 'R', 'eur', 100, 0, 0, $2,
         'sent', NULL, '{}', true, 1, $3, 0, 1)`,
      [id, day.slice(0, 10), JSON.stringify(exceptions)],
    );
  await payout('pout_ok', daysAgo(0), { fee: 0, amount: 0 });
  await payout('pout_wrong', daysAgo(1), { fee: 1, amount: 0 });
  // The transfer of this payout has not arrived, although all its lines match.
  await payout('pout_late', daysAgo(1), { fee: 0, amount: 0 });
  await payout('pout_old', daysAgo(50), { fee: 1, amount: 0 });
  const breaks = [
    { days: 0, kind: 'fee', lineKind: 'payment', payoutId: 'pout_wrong' },
    { days: 5, kind: 'late', lineKind: 'payout', payoutId: 'pout_late' },
    { days: 45, kind: 'fee', lineKind: 'payment', payoutId: 'pout_old' },
  ];
  for (const { days, kind, lineKind, payoutId } of breaks) {
    await admin.pool.query(
      `INSERT INTO reconciliation_exceptions
              (exception_id, kind, account_id, platform_id, merchant_id, line_kind, object_id,
               payout_id, currency, amount_minor, expected, observed, since, found_at)
       VALUES ('exc_' || $1, $2, 'acc_shop', 'shop', 'm1', $3, 'x', $1, 'eur', 300, '', '', $4,
               now())`,
      [payoutId, kind, lineKind, daysAgo(days).slice(0, 10)],
    );
  }
  const eur = (await eurOf('days=7')) as unknown as {
    readonly openBreaks: Sum & {
      readonly ages: readonly {
        readonly sinceFrom: string | null;
        readonly sinceTo: string | null;
        readonly count: number;
      }[];
    };
  };
  expect(eur).toMatchObject({
    payouts: { reconciled: 3, matched: 1 },
    openBreaks: {
      count: 3,
      amountMinor: 900,
      ages: [
        { minDays: 0, maxDays: 1, count: 1 },
        { minDays: 2, maxDays: 7, count: 1 },
        { minDays: 31, maxDays: null, count: 1 },
      ],
    },
  });
  for (const { sinceFrom, sinceTo, count } of eur.openBreaks.ages) {
    const from = sinceFrom === null ? '' : `&sinceFrom=${sinceFrom}`;
    const after = sinceTo === null ? '' : instantFromMs(Date.parse(sinceTo) + DAY_MS).slice(0, 10);
    const to = sinceTo === null ? '' : `&sinceTo=${after}`;
    const rows = await total(`/v1/exceptions?state=open&currency=eur${from}${to}`);
    expect(rows.count).toBe(count);
  }
  const week = `from=${daysAgo(6).slice(0, 10)}`;
  const { body } = await viewer.get(`/v1/payouts?${week}&reconciliation=breaks&direction=asc`);
  expect(body['items']).toMatchObject([
    { id: 'pout_late', openBreaks: 1 },
    { id: 'pout_wrong', openBreaks: 1 },
  ]);
  expect((await total(`/v1/payouts?${week}&reconciliation=matched`)).count).toBe(1);
});

test.each(['days=2', 'days=7&timeZone=Mars/Olympus', 'days=7&timeZone=%27', 'days=7&mode=both'])(
  'the query %s is rejected',
  async (query) => {
    const { status, body } = await viewer.get(`/v1/money?${query}`);
    expect([status, body['code']]).toEqual([422, 'validation_failed']);
  },
);

test('the days of a period are those of the requested time zone', async () => {
  const { from, currencies } = await money('days=1&timeZone=Pacific/Kiritimati');
  const there = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Kiritimati' }).format(now);
  expect([from, currencies[0]?.days[0]?.['day']]).toEqual([there, there]);
  expect(parseInstant(`${from}T00:00:00Z`)).toBeDefined();
});

describe('the ledger', () => {
  interface Line {
    readonly currency: string;
    readonly accounts: readonly { readonly account: string; readonly balanceMinor: number }[];
    readonly sumMinor: number;
  }
  const trial = async (query = ''): Promise<readonly Line[]> => {
    const { body } = await viewer.get(`/v1/ledger/trial-balance?${query}`);
    return body['items'] as readonly Line[];
  };

  test('the trial balance of each currency sums to zero, now and at an earlier time', async () => {
    for (const query of ['', `at=${daysAgo(2)}`, 'merchantId=m1', 'platformId=mall&mode=test']) {
      const lines = await trial(query);
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.map(({ sumMinor }) => sumMinor)).toEqual(lines.map(() => 0));
    }
    const [, before] = await trial(`at=${daysAgo(2)}`);
    const payer = before?.accounts.find(({ account }) => account === 'payer');
    expect([before?.currency, payer?.balanceMinor]).toEqual(['eur', -10_000]);
  });

  test('the balances of the accounts add up to the trial balance', async () => {
    const { body } = await viewer.get('/v1/ledger/accounts?currency=eur');
    const accounts = body['items'] as readonly {
      readonly account: string;
      readonly balanceMinor: number;
    }[];
    const eur = (await trial()).find(({ currency }) => currency === 'eur');
    expect(eur?.accounts).toEqual(
      accounts.map(({ account, balanceMinor }) => ({ account, balanceMinor })),
    );
  });

  test('a trial balance that does not sum to zero shows the difference', async () => {
    await admin.pool.query(
      `ALTER TABLE ledger_balances DROP CONSTRAINT ledger_balances_balance;
       UPDATE ledger_balances SET fees_minor = fees_minor + 5 WHERE currency = 'chf'`,
    );
    expect((await trial()).map(({ currency, sumMinor }) => [currency, sumMinor])).toEqual([
      ['chf', 5],
      ['eur', 0],
    ]);
    await admin.pool.query(
      `UPDATE ledger_balances SET fees_minor = fees_minor - 5 WHERE currency = 'chf'`,
    );
  });

  test('the statement of a merchant is the same as on the REST API, with its lines and totals as CSV', async () => {
    const month = daysAgo(0).slice(0, 7);
    const query = `merchantId=m2&mode=test&month=${month}`;
    const { body } = await viewer.get(`/v1/statements?${query}`);
    expect(body).toMatchObject({
      month,
      balances: [
        {
          currency: 'chf',
          payments: { count: 1, amountMinor: 8_000 },
          refunds: { count: 1, amountMinor: 8_000 },
        },
      ],
    });
    const lines = await viewer.get(`/v1/statements/lines?${query}`);
    const nets = (lines.body['items'] as readonly { readonly netMinor: number }[]).map(
      ({ netMinor }) => netMinor,
    );
    expect(nets.toSorted((a, b) => a - b)).toEqual([-8_000, 7_937]);
    const file = await viewer.get(`/v1/statements/lines.csv?${query}`);
    expect(file.headers.get('content-disposition')).toContain(`m2-${month}.csv`);
    expect(file.text.split('\n').filter((line) => line.includes('total_'))).toHaveLength(2);
    const unknown = await viewer.get(`/v1/statements?merchantId=m9&mode=test&month=${month}`);
    expect([unknown.status, unknown.body['code']]).toEqual([404, 'merchant_not_found']);
  });

  test('the statement, the money and the balances of a merchant id that two platforms have require the platform’s id', async () => {
    const month = daysAgo(0).slice(0, 7);
    await admin.pool.query(
      `INSERT INTO provider_accounts
       SELECT (jsonb_populate_record(a, '{"id": "acc_other", "platform_id": "other"}')).*
         FROM provider_accounts a WHERE a.merchant_id = 'm2' LIMIT 1`,
    );
    const merchant = 'merchantId=m2&mode=test';
    for (const path of [
      `statements?month=${month}&${merchant}`,
      `money?days=7&${merchant}`,
      `ledger/trial-balance?${merchant}`,
      `ledger/accounts?${merchant}`,
    ]) {
      const { status, body } = await viewer.get(`/v1/${path}`);
      expect([path, status, body['code']]).toEqual([path, 422, 'platform_ambiguous']);
      expect((await viewer.get(`/v1/${path}&platformId=mall`)).status).toBe(200);
    }
    await admin.pool.query(`DELETE FROM provider_accounts WHERE id = 'acc_other'`);
  });
});
