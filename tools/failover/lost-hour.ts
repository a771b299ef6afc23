import type pg from 'pg';
import { waitFor } from '#testing';
import type { AcceptedFact, Facts } from '../chaos/facts.js';
import { type LoadParts, runLoad } from '../chaos/load.js';
import { Refunds } from '../chaos/refunds.js';
import { type OrderPlan, paidPlans } from '../chaos/scenario.js';
import { onServer } from '../infra/databases.mjs';
import { Platform } from '../stack/platform.js';
import type { RestoredProduct } from './restored-product.js';

const WITHIN_MS = 120_000;
const REFUND = 'POST /v2/payment_intents/{pi_id}/refund';
const REFUNDS_LIST = 'GET /v2/payment_intents/{pi_id}/refunds';
/**
 * The delay of the provider before it executes a refund. It is shorter than our time limit for the
 * response.
 */
const REFUND_TAKES_MS = 6_000;
/**
 * The maximum number of requests that the fault affects. The job sends fewer before the fault is
 * cleared.
 */
const MANY = 1_000;
/** The time after which captured payments are settled, so that they can be refunded. */
const UNTIL_SETTLED = 'P4D';
const HALF_OF_LOST_TIME = 'PT30M';
/** The number of orders that are paid before the restore. Three of them are refunded. */
const PAID_BEFORE = 4;

/** The events around a restore, including those that the restore has lost. */
export interface LostHour {
  /** The time, on the clock of the database server, to which the database is restored. */
  readonly time: string;
  /** The orders that the api accepted before `time`. */
  readonly accepted: readonly AcceptedFact[];
  readonly refunds: Refunds;
  /** The order with a refund that was requested and made after `time`. */
  readonly refundedOrderId: string;
  /**
   * The plan of the order that was placed, paid and captured after `time`, and the id of its
   * payment.
   */
  readonly lostPlan: OrderPlan;
  readonly lostPaymentId: string;
}

export const loadOf = ({ stack }: RestoredProduct): LoadParts => ({
  platform: Platform.of(stack),
  sandbox: stack.sandbox,
  width: PAID_BEFORE,
  onPlaced: () => undefined,
});

const countOf = async (on: Pick<pg.Pool, 'query'>, sql: string): Promise<number> =>
  (await on.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`)).rows[0]?.count ??
  0;

const refundsMade = ({ stack }: RestoredProduct): Promise<number> =>
  onServer(stack.databases.sandbox, (client) => countOf(client as unknown as pg.Pool, 'refunds'));

/**
 * Requests two refunds. Returns a time at which both requests are recorded but no refund is made:
 * one request was sent to the provider, and the other waits for its next attempt.
 */
const requestTwo = async (
  product: RestoredProduct,
  refunds: Refunds,
  [sentOrderId, waitingOrderId]: readonly [string, string],
): Promise<string> => {
  const { postgres, stack, log } = product;
  const { sandbox } = stack;
  await sandbox.addFault({ route: REFUND, kind: 'delay', count: 1, delayMs: REFUND_TAKES_MS });
  await refunds.requestNow(sentOrderId);
  await waitFor(() => sandbox.haveAllFaultsHit(), { timeoutMs: WITHIN_MS });
  await sandbox.addFault({ route: REFUNDS_LIST, kind: 'status_500', count: MANY });
  await refunds.requestNow(waitingOrderId);
  await waitFor(
    async () => (await countOf(log, `jobs WHERE kind = 'refund' AND state = 'waiting'`)) === 1,
    { timeoutMs: WITHIN_MS },
  );
  const time = await postgres.now();
  const made = await refundsMade(product);
  if (made > 0) throw new Error(`${made} refunds were made before the time of the restore`);
  return time;
};

/**
 * Makes the worker read the provider's lists from their beginning. Otherwise it would read them
 * from the registration of the account on. The database dates the registration by its own clock,
 * which is ahead of business time, so the worker would skip entries.
 */
const READ_WHOLE_LISTS = `
  UPDATE jobs SET progress = progress - 'createdSince' WHERE kind LIKE 'account.%'`;

/**
 * Runs orders, and then the hour of business time that the restore will lose. In this hour the
 * provider executes two recorded refund requests, a third refund is requested and made, and an
 * order is placed, paid and captured.
 */
export const runLostHour = async (product: RestoredProduct, seed: number): Promise<LostHour> => {
  const { sandbox } = product.stack;
  const load = loadOf(product);
  const accepted = await runLoad(load, paidPlans(seed, PAID_BEFORE, 'before'));
  const [sent = '', waiting = '', refundedOrderId = ''] = accepted.flatMap(
    ({ orderIds }) => orderIds,
  );
  await sandbox.advance(UNTIL_SETTLED);
  await product.log.query(READ_WHOLE_LISTS);
  const refunds = new Refunds(load.platform);
  const time = await requestTwo(product, refunds, [sent, waiting]);

  await sandbox.clearFaults();
  await sandbox.advance(HALF_OF_LOST_TIME);
  await refunds.requestNow(refundedOrderId);
  await waitFor(async () => (await refundsMade(product)) === 3, { timeoutMs: WITHIN_MS });
  const [lostPlan] = paidPlans(seed + 1, 1, 'lost');
  if (lostPlan === undefined) throw new Error('no order was planned');
  const [lost] = await runLoad(load, [lostPlan]);
  const lostOrderId = lost?.orderIds[0] ?? '';
  const { payment } = await waitFor(
    async () => {
      const order = await load.platform.read(lostOrderId);
      return order.status === 'paid' ? order : null;
    },
    { timeoutMs: WITHIN_MS },
  );
  await sandbox.advance(HALF_OF_LOST_TIME);
  const lostPaymentId = payment?.id ?? '';
  return { time, accepted, refunds, refundedOrderId, lostPlan, lostPaymentId };
};

/**
 * Throws unless the numbers of refund and payment events show that the log was restored to `time`.
 */
export const requireLogOf = async (
  { log }: RestoredProduct,
  { lostPaymentId }: LostHour,
): Promise<void> => {
  const counts = [
    await countOf(log, `events WHERE type = 'RefundRequested'`),
    await countOf(log, `events WHERE type = 'RefundObserved'`),
    await countOf(log, `events WHERE stream_id = '${lostPaymentId}'`),
  ].join();
  if (counts !== '2,0,0') throw new Error(`the restored log has unexpected events: ${counts}`);
};

/**
 * The facts without the payment that the restore has lost. Only the provider has a record of this
 * payment, and the reconciliation reports its payout line, as the runbook says.
 */
export const withoutLostPayment = (facts: Facts, lostPaymentId: string): Facts => {
  const lost = new Set(
    facts.intents.filter(({ orderId }) => orderId === lostPaymentId).map(({ id }) => id),
  );
  const lostAttempts = new Set(
    facts.attempts.filter(({ intentId }) => lost.has(intentId)).map(({ id }) => id),
  );
  const { ledger } = facts;
  return {
    ...facts,
    intents: facts.intents.filter(({ id }) => !lost.has(id)),
    attempts: facts.attempts.filter(({ id }) => !lostAttempts.has(id)),
    providerEvents: facts.providerEvents.filter(({ intentId }) => !lost.has(intentId)),
    ledger: ledger && {
      ...ledger,
      breaks: ledger.breaks.filter(
        ({ kind, objectId }) => kind !== 'unknown' || !lostAttempts.has(objectId),
      ),
    },
  };
};

/**
 * Whether the provider captured the lost payment once, and the reconciliation reports its payout
 * line.
 */
export const isLostPaymentReported = (facts: Facts, lostPaymentId: string): boolean => {
  const intents = facts.intents.filter(({ orderId }) => orderId === lostPaymentId);
  const attempts = facts.attempts.filter(({ intentId }) =>
    intents.some(({ id }) => id === intentId),
  );
  const breaks = facts.ledger?.breaks.filter(({ objectId }) =>
    attempts.some(({ id }) => id === objectId),
  );
  return intents.length === 1 && attempts.length === 1 && breaks?.length === 1;
};
