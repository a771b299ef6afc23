import { setTimeout as sleep } from 'node:timers/promises';
import type { Acknowledgement } from './acknowledged.js';
import type { WebhookGate } from '../stack/webhook-gate.js';
import { Platform } from '../stack/platform.js';
import type { Stack } from '../stack/stack.js';
import { plantRaces } from './commit-record.js';
import type { AcceptedFact, TroubleFacts } from './facts.js';
import { countsOf, secondsSince } from './figures.js';
import { runLoad } from './load.js';
import { Refunds } from './refunds.js';
import { followAll } from './rest.js';
import type { OrderPlan } from './scenario.js';
import { planSchedule, type Schedule } from './schedule.js';
import { type KillableServers, type Planted, Trouble } from './trouble.js';

/** What the phases of a run need, besides the processes. */
export interface PhaseParts {
  readonly stack: Stack;
  readonly killable: KillableServers | null;
  readonly planted: Planted;
  readonly plans: readonly OrderPlan[];
  readonly seed: number;
  readonly say: (line: string) => void;
}

/**
 * How many orders run concurrently: fewer in a short run, so that the run lasts long enough for
 * kills.
 */
const widthOf = (orders: number): number => Math.min(16, Math.ceil(orders / 6));
/** The speed of business time during the faults: one minute takes three seconds. */
const RATE = 20;
/** After this time captured payments are settled, so that they can be refunded. */
const UNTIL_SETTLED = 'P4D';
/** How many rounds of refund requests kills and faults hit, and the pause between them. */
const REFUND_ROUNDS = 12;
const REFUND_EVERY_MS = 1_000;

/** Starts the kills and faults of a phase. */
const begin = (
  { stack, killable, planted }: PhaseParts,
  seed: number,
  steps: number,
): { readonly trouble: Trouble; readonly schedule: Schedule } => {
  const { shape } = stack;
  const schedule = planSchedule(seed, steps, { shape, servers: killable !== null });
  const trouble = new Trouble(stack, killable, planted, schedule);
  trouble.start();
  return { trouble, schedule };
};

/** Runs the work; afterwards ends the kills and faults, and says what happened. */
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
    say(`  kill -9: ${countsOf(trouble.kills)}; ${trouble.faults} faults of the provider`);
  }
};

export interface OrdersPhase {
  readonly accepted: readonly AcceptedFact[];
  /** The captures and cancellations that were answered with 202. */
  readonly acknowledged: readonly Acknowledgement[];
  /** How many events the relay's cursor had passed when it was moved back; null if it was not. */
  readonly relaySetBack: number | null;
  readonly trouble: TroubleFacts;
}

/**
 * Runs the orders and their payers while kills and faults happen; returns when all payers have
 * finished.
 */
export const ordersPhase = async (parts: PhaseParts, gate: WebhookGate): Promise<OrdersPhase> => {
  const { stack, planted, plans, seed, say } = parts;
  const { sandbox } = stack;
  const { length: orders } = plans;
  await sandbox.setRate(RATE);
  const startedMs = Date.now();
  const { trouble, schedule } = begin(parts, seed, orders);
  let accepted: readonly AcceptedFact[] = [];
  const acknowledged: Acknowledgement[] = [];
  await whileTroubled(parts, trouble, async () => {
    const onPlaced = async (done: number): Promise<void> => {
      if (done === Math.ceil(orders / 2)) trouble.halfway();
      if (done % 50 === 0) say(`  ${done} orders placed, ${secondsSince(startedMs)}`);
      await trouble.step(done);
    };
    const onAnswer = (one: Acknowledgement | null) => {
      if (one !== null) acknowledged.push(one);
    };
    const load = { platform: Platform.of(stack), sandbox, width: widthOf(orders) };
    accepted = await runLoad({ ...load, onPlaced, onAnswer }, plans);
    say(`  ${orders} orders took ${secondsSince(startedMs)}`);
  });
  // At the normal speed, the sandbox sends webhooks without waiting for the followers of its clock.
  await sandbox.setRate(1);
  say(`  relay cursor reset to the beginning: ${trouble.setBack === null ? 'never' : 'once'}`);
  say(`  webhooks: ${countsOf(Object.entries(gate.count))}`);
  say(`  failed reactions of sagas: ${planted.reactions.failed().length}`);
  return {
    accepted,
    acknowledged,
    // Read only now: the cursor may be moved back until the trouble has stopped.
    relaySetBack: trouble.setBack,
    trouble: { schedule, unreached: trouble.unreached() },
  };
};

/**
 * The orders to refund, if they are paid: not those that the payer disputes, because a disputed
 * payment is not refunded.
 */
const refundable = (
  accepted: readonly AcceptedFact[],
  plans: readonly OrderPlan[],
): readonly string[] => {
  const disputed = new Set(
    plans.filter(({ payer }) => payer === 'disputes').map(({ reference }) => reference),
  );
  return accepted.flatMap(({ reference, orderIds }) => (disputed.has(reference) ? [] : orderIds));
};

export interface RefundsPhase {
  readonly refunds: Refunds;
  readonly trouble: TroubleFacts;
}

/**
 * Requests refunds of the orders, as soon as each is possible, while kills and faults happen. The
 * captures are settled before, while all processes run.
 */
export const refundsPhase = async (
  parts: PhaseParts,
  accepted: readonly AcceptedFact[],
): Promise<RefundsPhase> => {
  const { stack, plans, seed, say } = parts;
  const refunds = new Refunds(Platform.of(stack));
  const orderIds = refundable(accepted, plans);
  const { orchestrator } = stack.databases;
  await plantRaces(orchestrator, false);
  await followAll(stack);
  await stack.sandbox.advance(UNTIL_SETTLED);
  await plantRaces(orchestrator, true);
  // Another seed plans other kills than before.
  const { trouble, schedule } = begin(parts, seed + 1, REFUND_ROUNDS);
  const most = Math.ceil(orderIds.length / REFUND_ROUNDS);
  await whileTroubled(parts, trouble, async () => {
    for (let round = 1; round <= REFUND_ROUNDS; round += 1) {
      await trouble.step(round);
      await refunds.request(orderIds, most);
      await sleep(REFUND_EVERY_MS);
    }
    await refunds.request(orderIds);
  });
  say(`  ${refunds.requested.length} refunds requested`);
  return { refunds, trouble: { schedule, unreached: trouble.unreached() } };
};
