import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { programFile } from '../infra/bundles.mjs';
import { onServer } from '../infra/databases.mjs';
import { Platform } from '../stack/platform.js';
import { freshDatabase } from '../stack/databases.js';
import { type Servers, type Shape, type Stack, startStack } from '../stack/stack.js';
import { resolveStuckRefunds } from '../stack/stuck-refunds.js';
import { readTopics, type ReadEvent } from '../stack/topics.js';
import { WebhookGate } from '../stack/webhook-gate.js';
import { commitFacts, plantRaces, recordCommits } from './commit-record.js';
import {
  type AcceptedFact,
  type Facts,
  fulfilmentFacts,
  orchestratorFacts,
  providerFacts,
  type ReactionFaultFacts,
} from './facts.js';
import { droppedMessages, fulfilmentAtRest, type FulfilmentMetrics } from './fulfilment.js';
import { runLoad } from './load.js';
import { ReactionFaults } from './reaction-faults.js';
import { Refunds } from './refunds.js';
import { followAll, runToCompletion, type OpenWork } from './rest.js';
import { type OrderPlan, planWebhooks } from './scenario.js';
import { type KillableServers, Trouble } from './trouble.js';

export interface ChaosOptions {
  readonly servers: Servers;
  /** PostgreSQL and Kafka if the run also kills these servers; null if it kills only apps. */
  readonly killable: KillableServers | null;
  /**
   * The folder for the logs of the apps; by default a temporary folder that is deleted at the end.
   */
  readonly logDir?: string;
  readonly plans: readonly OrderPlan[];
  /** Determines the kills, the faults, and what happens to each webhook. */
  readonly seed: number;
  /**
   * `apart` (the default): two apis and two workers. `one`: two processes, each of which is api and
   * worker.
   */
  readonly shape?: Shape;
  /** Whether paid orders are refunded under kills and faults, too. */
  readonly refunds: boolean;
  readonly say: (line: string) => void;
}

/** A run whose work has ended, so that its facts can be read. */
export interface ChaosEnd {
  readonly stack: Stack;
  readonly accepted: readonly AcceptedFact[];
  readonly published: readonly ReadEvent[];
  readonly reactionFaults: ReactionFaultFacts;
  /** How many events the relay's cursor had passed when it was moved back; null if it was not. */
  readonly relaySetBack: number | null;
  /** The metrics of the fulfilment example. */
  readonly fulfilment: {
    readonly metrics: FulfilmentMetrics;
    readonly dropped: readonly string[];
  };
  /** Null when the run requested no refunds. */
  readonly refunds: Refunds | null;
  stop(): Promise<void>;
}

/**
 * How many orders run concurrently: fewer in a short run, so that the run lasts long enough for
 * kills.
 */
const widthOf = (orders: number): number => Math.min(16, Math.ceil(orders / 6));
/** The speed of business time during the faults: one minute takes three seconds. */
const RATE = 20;
/** The probability that a saga's reaction fails. */
const REACTION_FAULT_RATE = 0.1;
/** With at least this many orders some reactions certainly fail; with fewer orders perhaps none. */
const ENOUGH_ORDERS = 60;
/**
 * After this time payers have disputed captured payments (one day), and polling has found the
 * disputes (one more day).
 */
const UNTIL_DISPUTED = 'P2D';

/** After this time captured payments are settled, so that they can be refunded. */
const UNTIL_SETTLED = 'P4D';
/** How long kills and faults hit the refunds. */
const REFUNDING_MS = 20_000;
const REFUND_EVERY_MS = 1_000;

const seconds = (sinceMs: number): string => `${((Date.now() - sinceMs) / 1_000).toFixed(1)} s`;

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

/** Creates the databases; the orchestrator's records every commit. */
const recordedDatabase =
  ({ databaseUrl, makeDatabase }: Servers): NonNullable<Servers['makeDatabase']> =>
  async (kind) => {
    const url = await (makeDatabase?.(kind) ?? freshDatabase(databaseUrl, kind));
    if (kind === 'orchestrator') await recordCommits(url);
    return url;
  };

const countsOf = (counts: Iterable<readonly [string, number]>): string =>
  [...counts].map(([name, count]) => `${name} ${count}`).join(', ');

const openOf = (open: OpenWork): string => {
  const left = Object.entries(open).filter(([, count]) => count > 0);
  return left.length === 0 ? 'nothing is open' : `open: ${countsOf(left)}`;
};

/**
 * Runs the orders and their payers while kills and faults happen; returns when all payers have
 * finished.
 */
const underTrouble = async (
  stack: Stack,
  gate: WebhookGate,
  reactions: ReactionFaults,
  { killable, plans, seed, say }: ChaosOptions,
): Promise<Pick<ChaosEnd, 'accepted' | 'relaySetBack'>> => {
  const { sandbox } = stack;
  const platform = Platform.of(stack);
  const trouble = new Trouble(stack, killable, reactions, seed);
  const startedMs = Date.now();
  await sandbox.setRate(RATE);
  trouble.start();
  let accepted: readonly AcceptedFact[];
  try {
    const onPlaced = (done: number): void => {
      if (done === Math.ceil(plans.length / 2)) trouble.halfway();
      if (done % 50 === 0) say(`  ${done} orders placed, ${seconds(startedMs)}`);
    };
    accepted = await runLoad({ platform, sandbox, width: widthOf(plans.length), onPlaced }, plans);
    await trouble.wasMet();
  } finally {
    say(`  ${plans.length} orders took ${seconds(startedMs)}`);
    await trouble.stop();
    say(`  kill -9: ${countsOf(trouble.kills)}; ${trouble.faults} faults of the provider`);
    say(`  relay cursor reset to the beginning: ${trouble.setBack === null ? 'never' : 'once'}`);
    say(`  webhooks: ${countsOf(Object.entries(gate.count))}`);
    say(`  failed reactions of sagas: ${reactions.failed().length}`);
  }
  // Read only now: the cursor may be moved back until the trouble has stopped.
  return { accepted, relaySetBack: trouble.setBack };
};

/**
 * Requests refunds of the orders, as soon as each is possible, while kills and faults happen. The
 * captures are settled before, while all processes run.
 */
const refundUnderTrouble = async (
  stack: Stack,
  accepted: readonly AcceptedFact[],
  reactions: ReactionFaults,
  { killable, plans, seed, say }: ChaosOptions,
): Promise<Refunds> => {
  const refunds = new Refunds(Platform.of(stack));
  const orderIds = refundable(accepted, plans);
  const { orchestrator } = stack.databases;
  await plantRaces(orchestrator, false);
  await followAll(stack);
  await stack.sandbox.advance(UNTIL_SETTLED);
  await plantRaces(orchestrator, true);
  // Another seed plans other kills than before.
  const trouble = new Trouble(stack, killable, reactions, seed + 1);
  trouble.start();
  try {
    const untilMs = Date.now() + REFUNDING_MS;
    while (Date.now() < untilMs) {
      await refunds.request(orderIds);
      await sleep(REFUND_EVERY_MS);
    }
    await trouble.wasMet();
    return refunds;
  } finally {
    await trouble.stop();
    say(`  ${refunds.requested.length} refunds requested; kill -9: ${countsOf(trouble.kills)}`);
  }
};

/** The metrics of the fulfilment example after it has handled every message. */
const theOtherService = async (
  { fulfilment }: Stack,
  say: (line: string) => void,
): Promise<ChaosEnd['fulfilment']> => {
  if (fulfilment === null) throw new Error('the fulfilment example was not started');
  const sinceMs = Date.now();
  const metrics = await fulfilmentAtRest(fulfilment);
  say(`the fulfilment example: ${metrics.lag} unread messages after ${seconds(sinceMs)}`);
  return { metrics, dropped: droppedMessages(fulfilment) };
};

/**
 * Starts everything, injects kills and faults while orders run, then ends the faults and advances
 * business time until all work has ended.
 */
export const makeChaos = async (options: ChaosOptions): Promise<ChaosEnd> => {
  const { servers, seed, say, logDir, shape = 'apart' } = options;
  const gate = await WebhookGate.start(servers.tls, planWebhooks(seed));
  const reactions = ReactionFaults.begin(REACTION_FAULT_RATE);
  const stack = await startStack({
    ...servers,
    makeDatabase: recordedDatabase(servers),
    name: 'chaos',
    shape,
    apis: 2,
    workers: 2,
    gate,
    fulfilment: true,
    ...(logDir === undefined ? {} : { logDir }),
    env: { API_REQUESTS_PER_SECOND: '1000000', ...reactions.env },
    preload: programFile('tools/chaos/failing-reactions'),
  });
  const stop = async (): Promise<void> => {
    await stack.stop();
    await gate.close();
  };
  try {
    const met = await underTrouble(stack, gate, reactions, options);
    const refunds = options.refunds
      ? await refundUnderTrouble(stack, met.accepted, reactions, options)
      : null;
    await plantRaces(stack.databases.orchestrator, false);
    gate.setFate(() => 'through');
    const healedMs = Date.now();
    const onTime = (now: string, open: OpenWork) => say(`  ${now}: ${openOf(open)}`);
    let left = await runToCompletion(stack, onTime);
    if (refunds !== null) {
      const resolved = await resolveStuckRefunds(stack);
      const again = await onServer(stack.databases.sandbox, (client) =>
        refunds.requestMissing(client),
      );
      say(`  refunds: ${resolved} resolved by the operator, ${again} requested again`);
      if (again > 0) left = await runToCompletion(stack, onTime);
    }
    await stack.sandbox.advance(UNTIL_DISPUTED);
    say(`  all work done after ${seconds(healedMs)}: ${openOf(left)}`);
    const published = await readTopics(stack);
    const fulfilment = await theOtherService(stack, (line) => say(`  ${line}`));
    const atLeast = options.plans.length >= ENOUGH_ORDERS ? 1 : 0;
    const reactionFaults = {
      failed: reactions.failed(),
      succeeded: reactions.succeeded(),
      atLeast,
    };
    return { stack, ...met, refunds, published, reactionFaults, fulfilment, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/**
 * Reads all facts of a finished run; `fulfilment` is the connection to the fulfilment example's
 * database.
 */
export const factsOf = async (
  { accepted, published, ...rest }: Pick<ChaosEnd, 'accepted' | 'published'> & Partial<ChaosEnd>,
  orchestrator: Pick<pg.PoolClient, 'query'>,
  sandbox: Pick<pg.PoolClient, 'query'>,
  fulfilment: Pick<pg.PoolClient, 'query'> | null = null,
): Promise<Facts> => ({
  accepted,
  published,
  reactionFaults: rest.reactionFaults ?? null,
  relaySetBack: rest.relaySetBack ?? null,
  refundsRequested: rest.refunds?.requested ?? null,
  fulfilment:
    fulfilment === null || rest.fulfilment === undefined
      ? null
      : { ...rest.fulfilment, ...(await fulfilmentFacts(fulfilment)) },
  commits: await commitFacts(orchestrator),
  ...(await orchestratorFacts(orchestrator)),
  ...(await providerFacts(sandbox)),
});
