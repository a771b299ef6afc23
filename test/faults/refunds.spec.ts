import type pg from 'pg';
import { specPool } from '#testing';
import { randomFrom } from '../../tools/chaos/random.js';
import { CARDS } from '../../tools/stack/payer.js';
import type { FaultKind } from '../../tools/stack/sandbox.js';
import { Flow } from '../support/flow.js';

/**
 * Requests refunds while responses are lost, requests are dropped and the provider throttles; a
 * seed determines these faults. At the end our refunds equal the provider's, and no refund was made
 * twice.
 */

const SEED = 20_260_301;
const ORDERS = 8;
const ROUNDS = 6;
const CAPTURED_MINOR = 4_250;

const REFUND = 'POST /v2/payment_intents/{pi_id}/refund';
const LISTED = 'GET /v2/payment_intents/{pi_id}/refunds';
const FAULTS: readonly (readonly [string, FaultKind, number])[] = [
  [REFUND, 'drop_after', 0.25],
  [REFUND, 'half_answer', 0.15],
  [REFUND, 'drop_before', 0.15],
  [REFUND, 'status_429', 0.3],
  [LISTED, 'status_500', 0.2],
  [LISTED, 'drop_before', 0.1],
];

let flow: Flow;
let sandbox: pg.Pool;
let orchestrator: pg.Pool;
const random = randomFrom(SEED, 'refunds');
const orders: string[] = [];

interface Given {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
}

beforeAll(async () => {
  flow = await Flow.start();
  const { databases } = flow.stack;
  sandbox = specPool(databases.sandbox, 1);
  orchestrator = specPool(databases.orchestrator, 1);
  for (let n = 0; n < ORDERS; n += 1) {
    const { id } = await flow.place();
    const { payer, paymentId } = await flow.page(id);
    await payer.pay(CARDS.plain);
    await flow.platform.pageCompleted(paymentId);
    await flow.orderIs(id, 'paid');
    orders.push(id);
  }
  await flow.stack.sandbox.advance('P2D');
});
afterAll(async () => {
  await Promise.all([sandbox.end(), orchestrator.end()]);
  await flow.stop();
});

/** The refunds of a payment that the provider has sent to the payer or will send. */
const givenBack = async (paymentId: string): Promise<readonly Given[]> =>
  (
    await sandbox.query<Given>(
      `SELECT t.id, t.amount::int AS amount, t.status FROM refunds t
       JOIN payments p ON p.id = t.payment_id
      WHERE p.order_id = $1 AND t.status IN ('to_refund', 'refund_sent', 'refunded')
      ORDER BY t.id`,
      [paymentId],
    )
  ).rows;

/** The refunds that need an operator's decision. */
const stuckRefunds = async (): Promise<number | undefined> =>
  (
    await orchestrator.query<{ stuck: number }>(
      `SELECT count(*)::int AS stuck FROM jobs WHERE kind = 'refund' AND state = 'stuck'`,
    )
  ).rows[0]?.stuck;

const askForMore = async (): Promise<number> => {
  const answers = await Promise.all(
    orders.map((id) => flow.platform.refund(id, { amountMinor: random.int(1, 1_500) })),
  );
  expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
  return answers.filter(({ status }) => status === 202).length;
};

test(`no refund is made twice when requests or responses are lost (seed ${SEED})`, async () => {
  for (const [route, kind, rate] of FAULTS) {
    await flow.stack.sandbox.addFault({ route, kind, chance: { rate, seed: `${SEED} ${kind}` } });
  }
  let accepted = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    accepted += await askForMore();
    await flow.stack.sandbox.advance('PT20M');
  }
  await flow.stack.sandbox.clearFaults();
  // Polling intervals grow to six hours; after the last poll an operator decides on refunds that
  // were never made.
  await flow.stack.sandbox.advance('P4D');

  let [asked, made, waiting] = [0, 0, 0];
  for (const id of orders) {
    const { payment, refundedMinor } = await flow.read(id);
    const ours = payment?.refunds ?? [];
    const theirs = await givenBack(payment?.id ?? '');
    const seen = ours.filter(({ status }) => status === 'refunded');
    expect(theirs.every(({ status }) => status === 'refunded')).toBe(true);
    expect(
      seen.map(({ providerRefundId, amountMinor }) => [providerRefundId, amountMinor]).sort(),
    ).toEqual(theirs.map((one) => [one.id, one.amount]).sort());
    // No other client requests refunds here, so each refund must belong to one of our requests.
    expect(seen.every(({ requested }) => requested)).toBe(true);
    const sum = theirs.reduce((total, { amount }) => total + amount, 0);
    expect(sum).toBeLessThanOrEqual(CAPTURED_MINOR);
    expect(refundedMinor).toBe(sum);
    const open = ours.filter(({ status }) => status === 'requested');
    expect(open.length).toBeLessThanOrEqual(1);
    asked += ours.length;
    made += theirs.length;
    waiting += open.length;
  }
  expect(asked).toBe(accepted);
  expect(made).toBeGreaterThan(ORDERS);
  expect(await stuckRefunds()).toBe(waiting);
});
