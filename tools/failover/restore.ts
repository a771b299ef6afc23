import { waitFor } from '#testing';
import type { AcceptedFact, Facts } from '../chaos/facts.js';
import { placeOrder, runLoad } from '../chaos/load.js';
import { ledgerFacts, payOut } from '../chaos/payouts.js';
import { printReport } from '../chaos/print-report.js';
import { runToCompletion } from '../chaos/rest.js';
import { paidPlans } from '../chaos/scenario.js';
import { readTopics } from '../stack/topics.js';
import {
  isLostPaymentReported,
  loadOf,
  type LostHour,
  requireLogOf,
  runLostHour,
  withoutLostPayment,
} from './lost-hour.js';
import {
  resolveAsOurs,
  type RestoredProduct,
  type RestoreOptions,
  restoreTo,
  startRestored,
} from './restored-product.js';

const WITHIN_MS = 180_000;

/** Selects the refund requests that are neither made nor stuck. */
const OPEN_REFUNDS = `SELECT FROM jobs WHERE kind = 'refund' AND state NOT IN ('done', 'stuck')`;
const STUCK_REFUNDS = `SELECT key FROM jobs WHERE kind = 'refund' AND state = 'stuck'`;

/** Waits until each refund has ended or is stuck, and resolves the stuck ones; returns their number. */
const resolveRefunds = async ({ stack, log }: RestoredProduct): Promise<number> => {
  await waitFor(async () => (await log.query(OPEN_REFUNDS)).rowCount === 0, {
    timeoutMs: WITHIN_MS,
    everyMs: 500,
  });
  const { rows } = await log.query<{ key: string }>(STUCK_REFUNDS);
  for (const { key } of rows) await resolveAsOurs(stack, key);
  return rows.length;
};

/**
 * Repeats the requests that the restore has lost, like a platform that does not know about the
 * restore. These are a refund, and an order that is already paid, so that no payer returns to it.
 * Then a new order is paid.
 */
const repeatLostRequests = async (
  product: RestoredProduct,
  { refundedOrderId, refunds, lostPlan }: LostHour,
  seed: number,
): Promise<readonly AcceptedFact[]> => {
  const load = loadOf(product);
  await refunds.repeat(refundedOrderId);
  const placedAgain = await placeOrder(load, lostPlan);
  const later = await runLoad(load, paidPlans(seed + 2, 1, 'after'));
  return [{ ...placedAgain, refusedCaptures: [] }, ...later];
};

/**
 * Runs an hour of business time, loses it by a restore of the database, repeats the requests of
 * that hour, and lets all work end. Then checks the invariants: no refund and no payment is made
 * twice, all orders end, each event is published, and the ledger equals the provider's books.
 */
const runOn = async (product: RestoredProduct, { seed, say }: RestoreOptions): Promise<boolean> => {
  const { stack, log } = product;
  const lost = await runLostHour(product, seed);
  await restoreTo(product, lost.time, () => requireLogOf(product, lost));
  say('\n  restored; the log has lost a refund, the results of two more, and a paid order');
  const repeated = await repeatLostRequests(product, lost, seed);
  say(`  ${await resolveRefunds(product)} refunds resolved by the operator`);
  await runToCompletion(stack, () => undefined);
  const kept = await payOut(stack, seed);
  const { lostPaymentId, refunds } = lost;
  let isReported = false;
  const of = (facts: Facts): Facts => {
    isReported = isLostPaymentReported(facts, lostPaymentId);
    return withoutLostPayment(facts, lostPaymentId);
  };
  const accepted = [...lost.accepted, ...repeated, ...kept];
  const ledger = await ledgerFacts(log, stack);
  const published = await readTopics(stack);
  const holds = await printReport(
    { stack, accepted, published, refunds, ledger },
    { seed, say, of },
  );
  say(`  ${isReported ? '✓' : '✗'} the payment of the lost order is captured once, and reported`);
  return holds && isReported;
};

/**
 * Restores a database to a time at which one refund was not requested yet, and two others were
 * requested but not executed by the provider. Returns whether all invariants hold.
 */
export const runRestore = async (options: RestoreOptions): Promise<boolean> => {
  const product = await startRestored(options);
  try {
    return await runOn(product, options);
  } finally {
    await product.stop();
  }
};
