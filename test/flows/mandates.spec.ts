import { requireOwnLog } from '#log';
import { specPool, waitFor } from '#testing';
import { IBANS } from '../../tools/stack/payer.js';
import { Flow } from '../support/flow.js';

/** A payer signs a mandate once; later orders are debited without the payer. */

let flow: Flow;

beforeAll(async () => {
  flow = await Flow.start();
});
afterAll(() => flow.stop());
afterEach(() => flow.stack.sandbox.clearFaults());

const DEBIT = 'PATCH /v2/payment_intents/{pi_id}';

/** Places a first order whose payer signs a mandate; returns the mandate's id. */
const signed = async (iban: string): Promise<string> => {
  const { id } = await flow.place({ methods: ['sepa'] });
  const { payer } = await flow.page(id);
  await payer.debit(iban);
  await flow.stack.sandbox.advance('PT1M');
  await flow.orderIs(id, 'paid');
  return waitFor(async () => {
    const { body } = await flow.platform.send('GET', '/v1/mandates?limit=100');
    const items = body['items'] as readonly { id: string; firstOrderId: string }[];
    return items.find(({ firstOrderId }) => firstOrderId === id)?.id ?? null;
  });
};

const byMandate = (mandateId: string) => flow.place({ methods: ['sepa'], mandateId });

const paidOnce = async (orderId: string): Promise<void> => {
  const { payment } = await flow.orderIs(orderId, 'paid');
  expect(payment?.pageUrl).toBeNull();
  expect(await flow.intents(payment?.id ?? '')).toMatchObject([
    // Either status is correct, because the clock starts at any time of day and the provider's
    // cut-off may have passed.
    { status: expect.stringMatching(/^(processing|capture_sent)$/), amount: 4_250 },
  ]);
};

test('a recurring order is paid by a debit of the first order’s mandate, without the payer', async () => {
  const mandateId = await signed(IBANS.accepted);
  const { id } = await byMandate(mandateId);
  await paidOnce(id);
  expect(await flow.types(id)).toEqual(
    expect.arrayContaining(['DebitRequested', 'DirectDebitAccepted', 'OrderPaid']),
  );
  await flow.stack.sandbox.advance('P6D');
  await flow.paymentIs(id, 'captured');
});

test.each(['drop_after', 'drop_before', 'status_429'] as const)(
  'a payer is debited once when the debit request fails with %s',
  async (kind) => {
    const mandateId = await signed(IBANS.accepted);
    await flow.stack.sandbox.addFault({ route: DEBIT, kind, count: 1 });
    const { id } = await byMandate(mandateId);
    await waitFor(() => flow.haveAllFaultsHit());
    await flow.stack.sandbox.advance('PT5M');
    await paidOnce(id);
  },
);

test('an order whose mandate was revoked at the provider fails without a debit', async () => {
  const mandateId = await signed(IBANS.accepted);
  const { mandates } = (await flow.stack.sandbox.api(
    'GET',
    '/v2/mandates?limit=100',
  )) as unknown as {
    mandates: readonly { id: string; sepa: string }[];
  };
  const signedFor = mandates.find(({ sepa }) => sepa === mandateId);
  await flow.stack.sandbox.api('DELETE', `/v2/mandates/${signedFor?.id}`);
  const { id } = await byMandate(mandateId);
  const { payment } = await flow.orderIs(id, 'failed');
  expect(await flow.intents(payment?.id ?? '')).toMatchObject([{ status: 'canceled' }]);
});

/** The payments that the provider made by debits of a mandate. */
const debitsOf = async (mandateId: string): Promise<readonly { readonly unique_id: string }[]> => {
  const { payments } = (await flow.stack.sandbox.api(
    'GET',
    '/v2/payments?limit=100',
  )) as unknown as {
    payments: readonly { sepa: { id: string } | null; unique_id: string }[];
  };
  return payments.filter(({ sepa }) => sepa?.id === mandateId);
};

test('when a restore of the event log has lost an order by mandate, and the order is placed again, the payer is debited only once', async () => {
  const mandateId = await signed(IBANS.accepted);
  await flow.stack.sandbox.advance('PT10M');
  const { id: lost } = await byMandate(mandateId);
  const { payment } = await flow.orderIs(lost, 'paid');
  const lostPayment = payment?.id ?? '';
  const pool = specPool(flow.stack.databases.orchestrator, 1);
  try {
    for (const sql of [
      'DELETE FROM events WHERE stream_id = ANY($1)',
      'DELETE FROM sagas WHERE key = ANY($1)',
      'DELETE FROM jobs WHERE subject_id = ANY($1)',
      'DELETE FROM reservations WHERE holder = ANY($1)',
    ])
      await pool.query(sql, [[lost, lostPayment]]);
    await pool.query(`UPDATE log_identity SET incarnation = 'before'`);
    await requireOwnLog(pool);
    // Makes the reads of the provider after a restore due now. Otherwise a worker delays them until
    // requests that were sent before the restore can no longer arrive.
    await pool.query(`UPDATE jobs SET held_until = NULL WHERE kind LIKE 'restore.%'`);

    const { id } = await byMandate(mandateId);
    const stuck = await waitFor(async () => {
      await flow.stack.sandbox.advance('PT1M');
      const {
        rows: [job],
      } = await pool.query<{ note: string; paymentId: string }>(
        `SELECT note, subject_id AS "paymentId" FROM jobs
          WHERE kind = 'debit_mandate' AND state = 'stuck'`,
      );
      return job ?? null;
    });
    expect((await flow.read(id)).payment?.id).toBe(stuck.paymentId);
    expect(stuck.note).toMatch(/^the provider's payment paym_\w+ debited this mandate/);
    expect((await debitsOf(mandateId)).map((debit) => debit.unique_id)).toContain(lostPayment);
    expect((await debitsOf(mandateId)).map((debit) => debit.unique_id)).not.toContain(
      stuck.paymentId,
    );

    const another = await flow.place({ methods: ['sepa'], mandateId, amountMinor: 4_251 });
    await flow.orderIs(another.id, 'paid');
  } finally {
    await pool.end();
  }
});

test('a recurring debit that is returned after its order was paid is reported on the order', async () => {
  const mandateId = await signed(IBANS.insufficientFunds);
  const { id } = await byMandate(mandateId);
  await flow.orderIs(id, 'paid');
  await flow.stack.sandbox.advance('P6D');
  await waitFor(async () => (await flow.read(id)).chargedBackMinor === 4_250);
});
