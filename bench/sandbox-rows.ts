import pg from 'pg';
import { HOUSE_TEST } from '../apps/sandbox/storage/account-scope.js';
import { copyRows, type CopyRow } from './sandbox-copy.js';
import { paymentRows, settledRows } from './sandbox-payment-rows.js';
import { people } from './sandbox-people-rows.js';
import {
  base,
  BUSY_ENDPOINT,
  type Filling,
  idOf,
  isRare,
  othersOf,
  type Sizes,
  timeAt,
} from './sandbox-row-parts.js';

/**
 * The number of webhook endpoints: the same for small and full tables, because each claim of due
 * deliveries reads every endpoint.
 */
const ENDPOINTS = 250;
const CURRENCIES = ['eur', 'aud', 'cad', 'chf', 'dkk', 'gbp', 'nok', 'pln', 'sek', 'usd'] as const;

const dayAt = (nowMs: number, n: number): string =>
  new Date(nowMs - n * 86_400_000).toISOString().slice(0, 10);

function* numbered(count: number, row: (n: number) => CopyRow | null): Generator<CopyRow> {
  for (let n = 1; n <= count; n += 1) {
    const made = row(n);
    if (made !== null) yield made;
  }
}

const payoutRow =
  (sizes: Sizes) =>
  (n: number): CopyRow => ({
    ...base(sizes, 'pout', n),
    status: 'paid',
    reference: `payout ${n}`,
    currency: CURRENCIES[n % CURRENCIES.length] ?? 'eur',
    amount: 1_000,
    fees: 10,
    fees_vat: 2,
    totals: JSON.stringify({ payment: NO_TOTALS, refund: NO_TOTALS, dispute: NO_TOTALS }),
    date: dayAt(sizes.nowMs, Math.floor(n / CURRENCIES.length)),
  });
const NO_TOTAL = { amount: 0, count: 0, fees: 0 };
const NO_TOTALS = { card: NO_TOTAL, sepa: NO_TOTAL };

/** The row of event `n`: each payment has two events, some of which are of a rare type. */
const eventRow =
  (sizes: Sizes) =>
  (n: number): CopyRow => {
    const payment = Math.ceil(n / 2);
    const id = idOf('evt', n);
    const common = n % 2 === 0 ? 'payment.created' : 'payment.succeeded';
    const type = isRare(sizes.payments * 2, n) ? 'customer.deleted' : common;
    const object = idOf('paym', payment);
    return {
      id,
      ...HOUSE_TEST,
      created_at: timeAt(sizes.nowMs, payment),
      type,
      object_id: object,
      body: JSON.stringify({ id, type, data: { id: object, amount: 1_250, currency: 'eur' } }),
    };
  };

const deliveryRow =
  ({ attemptsOfDelivery }: Sizes) =>
  (n: number): CopyRow => ({
    event_id: idOf('evt', n),
    endpoint_id: BUSY_ENDPOINT,
    status: 'delivered',
    attempts: attemptsOfDelivery,
  });

function* attemptRows(sizes: Sizes): Generator<CopyRow> {
  for (let delivery = 1; delivery <= sizes.payments * 2; delivery += 1) {
    const at = timeAt(sizes.nowMs, Math.ceil(delivery / 2));
    for (let attempt = 1; attempt <= sizes.attemptsOfDelivery; attempt += 1) {
      const isLast = attempt === sizes.attemptsOfDelivery;
      yield {
        delivery_id: delivery,
        attempt,
        started_at: at,
        ended_at: at,
        duration_ms: 12,
        outcome: 'http',
        http_status: isLast ? 200 : 503,
      };
    }
  }
}

/** Fills an empty, migrated database with the rows of years of use. */
export const fillSandbox = async (databaseUrl: string, filling: Filling): Promise<void> => {
  const sizes: Sizes = {
    ...filling,
    nowMs: Date.now(),
    others: othersOf(filling),
    payouts: Math.max(Math.floor(filling.payments / 30), 250),
  };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const copy = (table: string, count: number, row: (n: number) => CopyRow | null) =>
    copyRows(client, table, () => numbered(count, row));
  for (const [table, row] of Object.entries(people(sizes))) await copy(table, sizes.others, row);
  await copy('payouts', sizes.payouts, payoutRow(sizes));
  for (const [table, row] of Object.entries({ ...paymentRows(sizes), ...settledRows(sizes) })) {
    await copy(table, sizes.payments, row);
  }
  await copy('webhook_endpoints', ENDPOINTS, (n) => ({
    ...base(sizes, 'we', n),
    url: 'https://merchant.example/hook',
    enabled: false,
    secret: '0'.repeat(64),
  }));
  await copy('events', sizes.payments * 2, eventRow(sizes));
  await copy('deliveries', sizes.payments * 2, deliveryRow(sizes));
  await copyRows(client, 'delivery_attempts', () => attemptRows(sizes));
  await client.query('VACUUM ANALYZE');
  await client.end();
};

/**
 * Writes card payments that were captured today and that the provider sends to clearing at the
 * cut-off `dueAt`.
 */
export const fillDuePayments = async (
  databaseUrl: string,
  count: number,
  dueAt: string,
): Promise<void> => {
  const sizes: Sizes = {
    payments: count,
    attemptsOfDelivery: 0,
    nowMs: Date.now(),
    others: 1,
    payouts: 1,
  };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const copy = (table: string, rows: number, row: (n: number) => CopyRow) =>
    copyRows(client, table, () => numbered(rows, row));
  const sum = { amount: 1_250, currency: 'eur', status: 'to_capture', capture: true };
  await copy('cards', 1, (n) => ({
    ...base(sizes, 'card', n),
    fingerprint: 'card',
    brand: 'cb',
    last4: '0079',
    exp_month: 12,
    exp_year: 2090,
    scenario: 'Accepted, 3D Secure not required (FR)',
  }));
  await copy('payment_intents', count, (n) => ({
    ...base(sizes, 'pi', n),
    ...sum,
    methods_allowed: ['card'],
    payment_id: idOf('paym', n),
  }));
  await copy('payments', count, (n) => ({
    ...base(sizes, 'paym', n),
    ...sum,
    intent_id: idOf('pi', n),
    card_id: idOf('card', 1),
    response: '00',
    method: 'card',
    due_at: dueAt,
  }));
  await client.query('VACUUM ANALYZE');
  await client.end();
};
