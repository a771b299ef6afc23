import pg from 'pg';
import { HOUSE_TEST } from '../apps/sandbox/storage/account-scope.js';
import { copyRows, type CopyRow } from './sandbox-copy.js';

/** How many payments; all else is there in proportion. Enough for ten pages: 600 and more. */
export interface Filling {
  readonly payments: number;
  /** Of each payment's two events, to the one endpoint that has them all. */
  readonly attemptsOfDelivery: number;
}

export type Name =
  | 'addr'
  | 'cust'
  | 'card'
  | 'sepa'
  | 'mndt'
  | 'pi'
  | 'paym'
  | 'refd'
  | 'dspt'
  | 'pout'
  | 'line'
  | 'we'
  | 'evt'
  | 'prod'
  | 'price'
  | 'sub'
  | 'msg';

/** The id of the row with this number, 1 being the newest. */
export const idOf = (name: Name, n: number): string => `${name}_${String(n).padStart(24, '0')}`;

/** As many in both tables: each costs every claim of deliveries a look. */
const ENDPOINTS = 250;
/** All deliveries are to this one. */
export const BUSY_ENDPOINT = idOf('we', 1);
/** Half of all cleared payments are in this one. */
export const BIG_PAYOUT = idOf('pout', 1);
const CURRENCIES = ['eur', 'aud', 'cad', 'chf', 'dkk', 'gbp', 'nok', 'pln', 'sek', 'usd'] as const;

/** Every twenty seconds something, back from `now`. */
const timeAt = (nowMs: number, n: number): string => new Date(nowMs - n * 20_000).toISOString();
const dayAt = (nowMs: number, n: number): string =>
  new Date(nowMs - n * 86_400_000).toISOString().slice(0, 10);

function* numbered(count: number, row: (n: number) => CopyRow | null): Generator<CopyRow> {
  for (let n = 1; n <= count; n += 1) {
    const made = row(n);
    if (made !== null) yield made;
  }
}

/** By rows that a list has to pass over: the newest fifth is deleted, or made in a single call. */
const isPassedOver = (count: number, n: number): boolean => n <= count / 5;

export const last4Of = (n: number): string => String(n % 10_000).padStart(4, '0');

/** Which thirds of the payments have a refund, and a dispute. */
const isRefunded = (n: number): boolean => n % 3 === 1;
const isDisputed = (n: number): boolean => n % 3 === 2;

/** What is rare, and to be found: as many on both sides, so that both answer as much. */
const RARE = 260;
const isRare = (count: number, n: number): boolean => n % Math.floor(count / RARE) === 1;

const methodOf = ({ payments }: Filling, n: number): 'card' | 'sepa' =>
  isRare(payments, n) ? 'sepa' : 'card';
const statusOf = ({ payments }: Filling, n: number): string =>
  isRare(payments, n + 1) ? 'refused' : isDisputed(n) ? 'disputed' : 'captured';

/** How many there are of customers, cards and the like. */
export const othersOf = ({ payments }: Filling): number => Math.max(payments / 5, 300);

/** Half of all payments are made with one test card, as they are where people try things out. */
export const busyCardOf = (filling: Filling): number => othersOf(filling);

interface Sizes extends Filling {
  readonly nowMs: number;
  readonly others: number;
  readonly payouts: number;
}

const payoutOf = ({ payouts }: Sizes, n: number): string =>
  n % 2 === 0 ? BIG_PAYOUT : idOf('pout', 1 + (n % payouts));

/** What all resources have. */
const base = ({ nowMs }: Sizes, name: Name, n: number): CopyRow => ({
  id: idOf(name, n),
  ...HOUSE_TEST,
  created_at: timeAt(nowMs, n),
});

const people = (sizes: Sizes): Readonly<Record<string, (n: number) => CopyRow>> => {
  const { others, nowMs } = sizes;
  const gone = (n: number) => (isPassedOver(others, n) ? timeAt(nowMs, n) : null);
  return {
    addresses: (n) => ({
      ...base(sizes, 'addr', n),
      zip_code: '75001',
      city: 'Paris',
      country: 'FR',
      deleted_at: gone(n),
    }),
    customers: (n) => ({
      ...base(sizes, 'cust', n),
      email: `payer${n}@example.org`,
      name: `Payer ${n}`,
      deleted_at: gone(n),
    }),
    cards: (n) => ({
      ...base(sizes, 'card', n),
      fingerprint: `card ${n}`,
      brand: 'cb',
      last4: last4Of(n),
      exp_month: 12,
      exp_year: 2090,
      deleted_at: gone(n),
    }),
    sepa: (n) => ({
      ...base(sizes, 'sepa', n),
      fingerprint: `sepa ${n}`,
      last4: last4Of(n),
      country: 'FR',
      name: 'A payer',
      deleted_at: gone(n),
    }),
    mandates: (n) => ({
      ...base(sizes, 'mndt', n),
      status: gone(n) === null ? 'signed' : 'deleted',
      origin: 'import',
      sepa_id: idOf('sepa', n),
      rum: `RUM${n}`,
      sign_token: `sign${n}`,
      upload_token: `upload${n}`,
      signed_at: timeAt(nowMs, n),
      deleted_at: gone(n),
    }),
    products: (n) => ({ ...base(sizes, 'prod', n), name: 'A product', deleted_at: gone(n) }),
    prices: (n) => ({
      ...base(sizes, 'price', n),
      product_id: idOf('prod', n),
      amount: 100,
      currency: 'eur',
      deleted_at: gone(n),
    }),
    subscriptions: (n) => ({
      ...base(sizes, 'sub', n),
      status: 'active',
      customer_id: idOf('cust', n),
      items: '[]',
      deleted_at: gone(n),
    }),
  };
};

const paymentRows = (sizes: Sizes): Readonly<Record<string, (n: number) => CopyRow | null>> => {
  const { payments, others, nowMs } = sizes;
  const sum = { amount: 1_250, currency: 'eur' };
  const hidden = (n: number) => isPassedOver(payments, n);
  const other = (n: number) => 1 + (n % others);
  const cardOf = (n: number, otherwise: number): string =>
    idOf('card', n % 2 === 0 ? busyCardOf(sizes) : otherwise);
  const references = (n: number) => ({
    customer_id: idOf('cust', other(n)),
    order_id: `order-${n}`,
    unique_id: `unique-${n}`,
    card_id: methodOf(sizes, n) === 'card' ? cardOf(n, other(n)) : null,
    sepa_id: methodOf(sizes, n) === 'sepa' ? idOf('sepa', other(n)) : null,
  });
  return {
    payment_intents: (n) => ({
      ...base(sizes, 'pi', n),
      ...sum,
      ...references(n),
      status: 'captured',
      capture: true,
      methods_allowed: ['card'],
      payment_id: idOf('paym', n),
      single_call: hidden(n),
    }),
    payments: (n) => ({
      ...base(sizes, 'paym', n),
      ...sum,
      ...references(n),
      intent_id: idOf('pi', n),
      status: statusOf(sizes, n),
      capture: true,
      response: '00',
      method: methodOf(sizes, n),
      single_call: hidden(n),
      fee: 16,
      payout_id: payoutOf(sizes, n),
    }),
    refunds: (n) =>
      isRefunded(n)
        ? {
            ...base(sizes, 'refd', n),
            status: 'refunded',
            payment_id: idOf('paym', n),
            amount: 100,
            currency: 'eur',
            payout_id: payoutOf(sizes, n),
          }
        : null,
    disputes: (n) =>
      isDisputed(n)
        ? {
            ...base(sizes, 'dspt', n),
            ...sum,
            status: 'lost',
            type: 'chargeback',
            payment_id: idOf('paym', n),
            intent_id: idOf('pi', n),
            fee: 1_500,
            response: '45',
            payout_id: payoutOf(sizes, n),
          }
        : null,
    payout_lines: (n) => ({
      ...base(sizes, 'line', n),
      ...sum,
      kind: 'payment',
      payment_id: idOf('paym', n),
      method: methodOf(sizes, n),
      fee: 16,
      // The last of a hundred waits for the payout of the next morning.
      payout_id: n % 100 === 0 ? null : payoutOf(sizes, n),
      due_at: n % 100 === 0 ? timeAt(nowMs + 86_400_000, 0) : null,
    }),
    messages: (n) =>
      n % 3 === 0
        ? {
            ...base(sizes, 'msg', n),
            recipient: '+33600000000',
            body: 'A message',
            intent_id: idOf('pi', n),
          }
        : null,
  };
};

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

/** Two events a payment; some are of a type that is rare. */
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

/** Fills an empty, migrated database as years of use would have. */
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
  for (const [table, row] of Object.entries(paymentRows(sizes))) {
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

/** So many payments by card that were captured today and leave at the cut-off `dueAt`. */
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
