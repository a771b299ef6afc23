import { waitFor } from '#testing';
import { CARDS, IBANS } from '../../tools/stack/payer.js';
import type { OrderView } from '../../tools/stack/platform.js';
import { countedByProcesses, countedFromLog } from '../support/business-counts.js';
import { Flow } from '../support/flow.js';

/** Refunds, chargebacks and returned debits of paid orders, which only polling finds. */

const REFUND = 'POST /v2/payment_intents/{pi_id}/refund';

let flow: Flow;
/** The month in which the tests began, e.g. `2026-11`. */
let beginMonth: string;

beforeAll(async () => {
  flow = await Flow.start();
  beginMonth = (await flow.stack.sandbox.now()).slice(0, 7);
});
afterAll(() => flow.stop());
afterEach(() => flow.stack.sandbox.clearFaults());

const advance = (duration: string): Promise<void> => flow.stack.sandbox.advance(duration);

interface Paid {
  readonly id: string;
  readonly paymentId: string;
}

const paidByCard = async (card: string = CARDS.plain): Promise<Paid> => {
  const { id } = await flow.place();
  const { payer, paymentId } = await flow.page(id);
  await payer.pay(card);
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(id, 'paid');
  return { id, paymentId };
};

const paidByDebit = async (iban: string): Promise<Paid> => {
  const { id } = await flow.place({ methods: ['sepa'] });
  const { payer, paymentId } = await flow.page(id);
  await payer.debit(iban);
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(id, 'paid');
  return { id, paymentId };
};

const captured = async (paid: Paid, after = 'P2D'): Promise<Paid> => {
  await advance(after);
  await flow.paymentIs(paid.id, 'captured');
  return paid;
};

const refundsAre = (orderId: string, ...expected: readonly object[]): Promise<OrderView> =>
  waitFor(async () => {
    const order = await flow.read(orderId);
    expect(order.payment?.refunds).toMatchObject(expected);
    return order;
  });

const refundsAtProvider = async ({ paymentId }: Paid): Promise<readonly unknown[]> => {
  const [intent] = await flow.intents(paymentId);
  const path = `/v2/payment_intents/${intent?.id}/refunds`;
  return (await flow.stack.sandbox.api('GET', path)) as unknown as readonly unknown[];
};

/** The id (`paym_…`) of the provider's payment for an order. */
const attemptOf = async ({ paymentId }: Paid): Promise<string> => {
  const found = await flow.stack.sandbox.api('GET', `/v2/payments?order_id=${paymentId}`);
  return (found['payments'] as readonly { id: string }[])[0]?.id ?? '';
};

const entry = async (orderId: string, type: string) =>
  (await flow.timeline(orderId)).find((one) => one.type === type)?.data;

test('two partial refunds that are sent in one clearing refund the whole order', async () => {
  const paid = await captured(await paidByCard());
  expect(await flow.platform.refund(paid.id, { amountMinor: 1_000 })).toMatchObject({
    status: 202,
    body: { status: 'requested', amountMinor: 1_000 },
  });
  await refundsAre(paid.id, { status: 'to_refund', amountMinor: 1_000, requested: true });
  expect((await flow.platform.refund(paid.id)).status).toBe(202);
  await refundsAre(paid.id, {}, { status: 'to_refund', amountMinor: 3_250 });
  expect((await flow.read(paid.id)).refundedMinor).toBe(0);

  await advance('P2D');
  const order = await refundsAre(paid.id, { status: 'refunded' }, { status: 'refunded' });
  expect(order.status).toBe('paid');
  await waitFor(async () => (await flow.read(paid.id)).refundedMinor === 4_250);
  const refunds = (await flow.timeline(paid.id)).filter(({ type }) => type === 'OrderRefunded');
  // The clearing sends the two refunds in any order.
  expect(refunds.map(({ data }) => data['amountMinor']).toSorted()).toEqual([1_000, 3_250]);
  expect(refunds.at(-1)?.data).toMatchObject({ refundedMinor: 4_250, currency: 'eur' });
  expect(await flow.platform.refund(paid.id)).toMatchObject({
    status: 409,
    body: { code: 'already_refunded' },
  });
  expect(await refundsAtProvider(paid)).toHaveLength(2);
});

test('refunds that are requested on the day of the payment are made after clearing', async () => {
  const paid = await paidByCard();
  const first = await flow.platform.refund(paid.id, { amountMinor: 1_000 });
  expect(first).toMatchObject({ status: 202, body: { status: 'queued', amountMinor: 1_000 } });
  expect(await flow.platform.refund(paid.id)).toMatchObject({
    status: 202,
    body: { status: 'queued', amountMinor: 3_250 },
  });
  expect(await refundsAtProvider(paid)).toEqual([]);

  await advance('P1D');
  await refundsAre(
    paid.id,
    { status: 'to_refund', amountMinor: 1_000, expectedAt: null },
    { status: 'to_refund', amountMinor: 3_250 },
  );
  await advance('P2D');
  await refundsAre(paid.id, { status: 'refunded' }, { status: 'refunded' });
  await waitFor(async () => (await flow.read(paid.id)).refundedMinor === 4_250);
  expect(await refundsAtProvider(paid)).toHaveLength(2);
  const types = (await flow.types(paid.id)).filter((type) => type.startsWith('RefundRe'));
  expect(types).toEqual(['RefundRequested', 'RefundRequested']);
});

test('when the response to a refund request is lost, the refund is found and the request is not repeated', async () => {
  const paid = await captured(await paidByCard());
  await flow.stack.sandbox.addFault({ route: REFUND, kind: 'drop_after', count: 1 });
  await flow.platform.refund(paid.id, { amountMinor: 1_000 });
  await waitFor(() => flow.haveAllFaultsHit());
  await advance('PT10M');
  await refundsAre(paid.id, { status: 'to_refund', amountMinor: 1_000, requested: true });
  expect(await refundsAtProvider(paid)).toHaveLength(1);
  expect(await flow.types(paid.id)).toEqual(
    expect.arrayContaining(['RequestResultUnknown', 'RefundObserved', 'RequestResultResolved']),
  );
});

test('when a refund request is lost, the refund is polled for and the request is never repeated', async () => {
  const paid = await captured(await paidByCard());
  await flow.stack.sandbox.addFault({ route: REFUND, kind: 'drop_before', count: 1 });
  await flow.platform.refund(paid.id, { amountMinor: 1_000 });
  await waitFor(() => flow.haveAllFaultsHit());
  await advance('PT10M');
  const { payment } = await flow.read(paid.id);
  expect(payment).toMatchObject({
    refunds: [{ status: 'requested' }],
    unknownResults: ['refund'],
  });
  expect(await refundsAtProvider(paid)).toEqual([]);
  expect(await flow.platform.refund(paid.id)).toMatchObject({
    status: 409,
    body: { code: 'refund_in_progress' },
  });
});

test('a refund that a merchant made at the provider is recorded as not requested by us', async () => {
  const paid = await captured(await paidByCard());
  await flow.stack.sandbox.byHand(await attemptOf(paid), 'refund', { amount: '12.50' });
  await advance('P3D');
  await refundsAre(paid.id, { status: 'refunded', amountMinor: 1_250, requested: false });
  await waitFor(async () => (await flow.read(paid.id)).refundedMinor === 1_250);
});

test('polling finds a chargeback, and the API shows its true reason and a masked reason for payers', async () => {
  const paid = await captured(await paidByCard(CARDS.disputed));
  await advance('P2D');
  await waitFor(async () => (await flow.read(paid.id)).chargedBackMinor === 4_250);
  const { payment, status } = await flow.read(paid.id);
  expect(status).toBe('paid');
  expect(payment?.disputes).toMatchObject([
    { kind: 'chargeback', reasonCode: '4837', payerReasonCode: '45', amountMinor: 4_250 },
  ]);
  expect(await entry(paid.id, 'OrderChargedBack')).toMatchObject({ amountMinor: 4_250 });
  expect(await flow.platform.refund(paid.id)).toMatchObject({
    status: 409,
    body: { code: 'payment_disputed' },
  });
});

test('a direct debit that is returned before its capture is reported on the order, whose status stays paid', async () => {
  const paid = await paidByDebit(IBANS.insufficientFunds);
  await advance('P6D');
  await flow.paymentIs(paid.id, 'returned');
  await waitFor(async () => (await flow.read(paid.id)).chargedBackMinor === 4_250);
  expect((await flow.read(paid.id)).status).toBe('paid');
  expect(await entry(paid.id, 'OrderDebitReturned')).toMatchObject({
    disputeId: null,
    reasonCode: 'AM04',
    amountMinor: 4_250,
  });
});

test('a direct debit that is returned weeks after its capture is reported on the order', async () => {
  const paid = await captured(await paidByDebit(IBANS.accepted), 'P6D');
  await advance('P25D');
  await flow.stack.sandbox.byHand(await attemptOf(paid), 'dispute', { code: 'MD06' });
  await advance('P8D');
  await waitFor(async () => (await flow.read(paid.id)).chargedBackMinor === 4_250);
  expect(await entry(paid.id, 'OrderDebitReturned')).toMatchObject({
    disputeId: expect.stringMatching(/^dspt_/),
    reasonCode: 'MD06',
  });
  expect((await flow.read(paid.id)).payment?.disputes).toMatchObject([
    { kind: 'sepa_return', reasonCode: 'MD06', payerReasonCode: 'MD06' },
  ]);
});

test('a paid order shows that its payment was canceled at the provider before the cut-off', async () => {
  const paid = await paidByCard();
  await flow.stack.sandbox.byHand(await attemptOf(paid), 'cancel');
  await advance('P1D');
  await flow.paymentIs(paid.id, 'canceled');
  await waitFor(async () => (await flow.read(paid.id)).chargedBackMinor === 4_250);
  expect((await flow.read(paid.id)).status).toBe('paid');
  expect(await entry(paid.id, 'OrderPaymentVoided')).toMatchObject({ amountMinor: 4_250 });
});

interface Sum {
  readonly count: number;
  readonly amountMinor: number;
}

interface Balance {
  readonly openingMinor: number;
  readonly payments: Sum;
  readonly refunds: Sum;
  readonly disputes: Sum;
  readonly disputeReversals: Sum;
  readonly correctionsMinor: number;
  readonly feesMinor: number;
  readonly vatMinor: number;
  readonly payouts: Sum;
  readonly failedPayouts: Sum;
  readonly closingMinor: number;
}

interface StatementLine {
  readonly kind: string;
  readonly objectId: string;
  readonly orderId: string | null;
  readonly netMinor: number;
}

interface MonthStatement {
  readonly balance: Balance;
  readonly lines: readonly StatementLine[];
}

interface PayoutItem {
  readonly status: string;
  readonly amountMinor: number;
  readonly feesVatMinor: number;
}

/** The total amounts that the tests of this file captured, refunded and charged back. */
const DONE = {
  payments: { count: 7, amountMinor: 7 * 4_250 },
  // Refunds of two whole orders in two parts each, a refund whose response was lost, and a
  // refund that a merchant made at the provider.
  refunds: { count: 6, amountMinor: 2 * 4_250 + 1_000 + 1_250 },
  disputes: { count: 2, amountMinor: 2 * 4_250 },
};

/** The months from the first to the last, e.g. `2026-11`, `2026-12`, `2027-01`. */
const monthsBetween = (first: string, last: string): readonly string[] => {
  const months = [first];
  while ((months.at(-1) ?? last) < last) {
    const at = new Date(`${months.at(-1)}-01T00:00:00Z`);
    at.setUTCMonth(at.getUTCMonth() + 1);
    months.push(at.toISOString().slice(0, 7));
  }
  return months;
};

const listed = async <Item>(path: string): Promise<readonly Item[]> =>
  (await flow.platform.surely('GET', `/v1/${path}`)).body['items'] as readonly Item[];

const statementOf = async (month: string): Promise<MonthStatement> => {
  const of = `merchantId=${flow.stack.merchantId}&mode=test&month=${month}`;
  const { body } = await flow.platform.surely('GET', `/v1/statements?${of}`);
  const [balance] = body['balances'] as readonly Balance[];
  if (balance === undefined) throw new Error('the merchant has a balance');
  return { balance, lines: await listed(`statements/lines?${of}&limit=100`) };
};

const allStatements = async (): Promise<readonly MonthStatement[]> => {
  const end = (await flow.stack.sandbox.now()).slice(0, 7);
  return Promise.all(monthsBetween(beginMonth, end).map(statementOf));
};

/** The closing balance by the formula of the API's reference. */
const closingOf = (of: Balance): number =>
  of.openingMinor +
  of.payments.amountMinor -
  of.refunds.amountMinor -
  of.disputes.amountMinor +
  of.disputeReversals.amountMinor +
  of.correctionsMinor -
  of.feesMinor -
  of.vatMinor -
  of.payouts.amountMinor +
  of.failedPayouts.amountMinor;

const total = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

test('the statements of all months add up to the ledger and to the payouts, to the cent', async () => {
  await advance('P5D');
  const months = await allStatements();
  let closingMinor = 0;
  for (const { balance, lines } of months) {
    expect(balance.openingMinor).toBe(closingMinor);
    closingMinor += total(lines, ({ netMinor }) => netMinor);
    expect(balance.closingMinor).toBe(closingMinor);
    expect(balance.closingMinor).toBe(closingOf(balance));
  }
  const balances = months.map(({ balance }) => balance);
  const sumOf = (name: 'payments' | 'refunds' | 'disputes' | 'payouts'): Sum => ({
    count: total(balances, (balance) => balance[name].count),
    amountMinor: total(balances, (balance) => balance[name].amountMinor),
  });
  const [payments, refunds, disputes] = [sumOf('payments'), sumOf('refunds'), sumOf('disputes')];
  expect({ payments, refunds, disputes }).toEqual(DONE);

  const ledger = await listed<{ account: string; balanceMinor: number }>('ledger/accounts');
  const booked = Object.fromEntries(ledger.map((one) => [one.account, one.balanceMinor]));
  const vatMinor = total(balances, (balance) => balance.vatMinor);
  const feesMinor = total(balances, (balance) => balance.feesMinor);
  expect({ provider: closingMinor, fees: feesMinor, vat: vatMinor }).toEqual({
    provider: booked['provider'],
    fees: booked['fees'],
    vat: booked['vat'],
  });
  expect(feesMinor).toBeGreaterThan(0);

  const payouts = await listed<PayoutItem>('payouts?limit=100');
  const sent = payouts.filter(({ status }) => ['sent', 'paid'].includes(status));
  expect(sumOf('payouts')).toEqual({
    count: sent.length,
    amountMinor: total(sent, ({ amountMinor }) => amountMinor),
  });
  expect(vatMinor).toBe(total(sent, ({ feesVatMinor }) => feesVatMinor));
  expect(vatMinor).toBeGreaterThan(0);
});

test('the statements name the chargeback of a card and the returned direct debit, with their orders', async () => {
  const lines = (await allStatements()).flatMap((month) => month.lines);
  const disputes = lines.filter(({ kind }) => kind === 'dispute');
  const [first, second, ...others] = disputes.map(({ objectId }) => objectId);
  expect(others).toEqual([]);
  const orders = await Promise.all(disputes.map(({ orderId }) => flow.read(orderId ?? '')));
  expect(orders.map(({ payment }) => payment?.disputes)).toMatchObject([
    [{ id: first, kind: 'chargeback', reasonCode: '4837' }],
    [{ id: second, kind: 'sepa_return', reasonCode: 'MD06' }],
  ]);
});

test('the metrics of all processes count the refunded and charged-back amounts of the log', async () => {
  const counted = await countedByProcesses(flow);
  expect(counted).toEqual(await countedFromLog(flow));
  expect(counted).toMatchObject({
    'refunded_amount_minor_total{currency="eur"}': expect.any(Number),
    'charged_back_amount_minor_total{currency="eur"}': expect.any(Number),
  });
});
