import { setTimeout as sleep } from 'node:timers/promises';
import { type Acknowledgement, addTo } from './acknowledged.js';
import { DAY_MS, SECOND_MS } from '#kernel';
import { waitFor } from '#testing';
import type { Sandbox } from '../stack/sandbox.js';
import type { WebhookGate } from '../stack/webhook-gate.js';
import { Platform } from '../stack/platform.js';
import type { Stack } from '../stack/stack.js';
import { type KillDeed, tally, targetOf } from './deeds.js';
import type { AcceptedFact, TroubleFacts } from './facts.js';
import { countsOf, secondsSince } from './figures.js';
import { runLoad } from './load.js';
import { planRefund } from './refund-plan.js';
import { type OrderToRefund, Refunds } from './refunds.js';
import type { OrderPlan } from './scenario.js';
import { type PhaseName, planSchedule, type Schedule } from './schedule.js';
import { type KillableServers, type Planted, Trouble } from './trouble.js';

/** The common input of the phases of a run. */
export interface PhaseParts {
  readonly stack: Stack;
  readonly killable: KillableServers | null;
  readonly planted: Planted;
  readonly plans: readonly OrderPlan[];
  readonly seed: number;
  readonly say: (line: string) => void;
}

/**
 * How many orders run concurrently. A short run has fewer, so that it lasts long enough for kills.
 */
const widthOf = (orders: number): number => Math.min(16, Math.ceil(orders / 6));
/** The speed of business time during the faults: one minute takes three seconds. */
const RATE = 20;
/**
 * The number of days until payments are captured, even if they include a weekend. After more days,
 * authorizations with a delayed capture would expire.
 */
const DAYS_UNTIL_SETTLED = 4;
/** The number of rounds of refund requests on each of these days. */
const ROUNDS_PER_DAY = 3;
const REFUND_EVERY_MS = 700;
const FURTHER_PER_ROUND = 2;
/** The time limit for an advance of the clock, which a killed database server may delay. */
const ADVANCED_WITHIN_MS = 120_000;

/**
 * The number of rounds of refund requests during the kills and faults. It is high enough for each
 * kill point.
 */
const refundRounds = (orders: number): number => Math.max(24, Math.ceil(orders / 4));

const begin = (
  { stack, killable, planted, seed }: PhaseParts,
  phase: PhaseName,
  steps: number,
): { readonly trouble: Trouble; readonly schedule: Schedule } => {
  const { shape } = stack;
  const schedule = planSchedule(seed, steps, { shape, servers: killable !== null, phase });
  const trouble = new Trouble(stack, killable, planted, schedule);
  planted.reactions.resume();
  trouble.start();
  return { trouble, schedule };
};

const namesOf = (kills: readonly KillDeed[], isDone: boolean): readonly string[] =>
  kills.filter((deed) => deed.isDone === isDone).map(({ plan }) => targetOf(plan));

/** The kills and faults that happened in a phase, as lines of the report. */
const deedLines = ({ kills, faults: { deeds } }: Trouble): readonly string[] => {
  const hits = deeds.filter((deed) => deed.hits > 0);
  const missed = countsOf(tally(namesOf(kills, false)));
  return [
    `kill -9: ${countsOf(tally(namesOf(kills, true)))}${missed === '' ? '' : `; missed: ${missed}`}`,
    `faults of the provider: ${hits.length} of ${deeds.length} hit a request: ` +
      countsOf(tally(hits.map(({ plan }) => plan.kind))),
  ];
};

/**
 * Runs the work while kills and faults happen. Then ends the kills and faults, and prints what
 * happened.
 */
const whileTroubled = async (
  { say }: PhaseParts,
  trouble: Trouble,
  work: () => Promise<void>,
): Promise<void> => {
  try {
    await work();
    await trouble.ended();
  } finally {
    await trouble.stop();
    for (const line of deedLines(trouble)) say(`  ${line}`);
  }
};

export interface OrdersPhase {
  readonly accepted: readonly AcceptedFact[];
  /** The captures and cancellations that an api acknowledged with 202. */
  readonly acknowledged: readonly Acknowledgement[];
  /** How many events the relay publishes again because its cursor was moved back; null if never. */
  readonly relaySetBack: number | null;
  readonly trouble: TroubleFacts;
}

/**
 * Runs the orders and their payers while kills and faults happen; returns when all payers have
 * finished.
 */
export const ordersPhase = async (parts: PhaseParts, gate: WebhookGate): Promise<OrdersPhase> => {
  const { stack, planted, plans, say } = parts;
  const { sandbox } = stack;
  const { length: orders } = plans;
  await sandbox.setRate(RATE);
  const startedMs = Date.now();
  const { trouble, schedule } = begin(parts, 'orders', orders);
  let accepted: readonly AcceptedFact[] = [];
  const acknowledged: Acknowledgement[] = [];
  await whileTroubled(parts, trouble, async () => {
    const onPlaced = async (done: number): Promise<void> => {
      if (done === Math.ceil(orders / 2)) trouble.halfway();
      if (done % 50 === 0) say(`  ${done} orders placed, ${secondsSince(startedMs)}`);
      await trouble.step(done);
    };
    const load = { platform: Platform.of(stack), sandbox, width: widthOf(orders) };
    accepted = await runLoad({ ...load, onPlaced, onAnswer: addTo(acknowledged) }, plans);
    say(`  ${orders} orders took ${secondsSince(startedMs)}`);
  });
  // At the normal speed, the sandbox sends webhooks without waiting until all processes are idle.
  await sandbox.setRate(1);
  say(`  relay cursor reset to the beginning: ${trouble.setBack === null ? 'never' : 'once'}`);
  say(`  webhooks: ${countsOf(Object.entries(gate.count))}`);
  say(`  failed reactions of sagas: ${planted.reactions.failed().length}`);
  return {
    accepted,
    acknowledged,
    // The relay's cursor may be moved back at any time until the kills and faults have ended.
    relaySetBack: trouble.setBack,
    trouble: { schedule, kills: trouble.kills, faults: trouble.faults.deeds },
  };
};

/**
 * The accepted orders that are to be refunded once they are paid, with the plans of their refunds.
 */
const refundable = (
  { plans, seed }: PhaseParts,
  accepted: readonly AcceptedFact[],
): readonly OrderToRefund[] => {
  const planOf = new Map(plans.map((plan) => [plan.reference, planRefund(seed, plan)]));
  return accepted.flatMap(({ reference, orderIds: [orderId] }) => {
    const plan = planOf.get(reference) ?? null;
    return plan === null || orderId === undefined ? [] : [{ orderId, plan }];
  });
};

/**
 * Advances business time to an instant. Repeats this if the sandbox's database server was killed
 * meanwhile.
 */
const advanceTo = (sandbox: Sandbox, atMs: number): Promise<boolean> =>
  waitFor(
    async () => {
      const leftMs = atMs - Date.parse(await sandbox.now());
      if (leftMs > 0) await sandbox.advance(`PT${Math.ceil(leftMs / SECOND_MS)}S`);
      return true;
    },
    { timeoutMs: ADVANCED_WITHIN_MS, everyMs: 300 },
  );

export interface RefundsPhase {
  readonly refunds: Refunds;
  readonly trouble: TroubleFacts;
}

/**
 * Requests refunds while kills and faults happen. First it requests refunds of payments whose
 * capture is not sent to clearing yet, so that these refunds are queued. Then business time
 * advances, and it requests refunds of captured payments. Meanwhile the processes do not follow the
 * sandbox's clock, so they find a day's changes all at once, as after a downtime.
 */
export const refundsPhase = async (
  parts: PhaseParts,
  accepted: readonly AcceptedFact[],
): Promise<RefundsPhase> => {
  const { stack, plans, say } = parts;
  const { sandbox } = stack;
  const refunds = new Refunds(Platform.of(stack));
  refunds.add(refundable(parts, accepted));
  const rounds = refundRounds(plans.length);
  const startMs = Date.parse(await sandbox.now());
  const { trouble, schedule } = begin(parts, 'refunds', rounds);
  await whileTroubled(parts, trouble, async () => {
    await refunds.request(Infinity);
    for (let round = 1; round <= rounds; round += 1) {
      await trouble.step(round);
      const days = Math.min(Math.floor(round / ROUNDS_PER_DAY), DAYS_UNTIL_SETTLED);
      await advanceTo(sandbox, startMs + days * DAY_MS);
      const made = await refunds.request(Math.ceil(refunds.left / Math.max(1, rounds - round)));
      // Kill points before and after a request are reached only if a request is sent.
      if (made === 0) await refunds.request(1, { isFurther: true });
      await sleep(REFUND_EVERY_MS);
    }
    // Requests further refunds, because the last kills must interrupt some work.
    while (!trouble.isOver()) {
      await refunds.request(FURTHER_PER_ROUND, { isFurther: true });
      await sleep(REFUND_EVERY_MS);
    }
  });
  const { requested, queued, refused, left } = refunds;
  say(
    `  ${requested.length} refunds requested, ${queued} of them queued, ${left} not possible; ` +
      `refused: ${countsOf(refused)}`,
  );
  return { refunds, trouble: { schedule, kills: trouble.kills, faults: trouble.faults.deeds } };
};
