import type pg from 'pg';
import { programFile } from '../infra/programs.mjs';
import { freshDatabase } from '../stack/databases.js';
import { Platform } from '../stack/platform.js';
import {
  type Servers,
  type Shape,
  type Stack,
  type StackOptions,
  startStack,
} from '../stack/stack.js';
import { readTopics, type ReadEvent } from '../stack/topics.js';
import { type FalsifiedWebhooks, WebhookGate } from '../stack/webhook-gate.js';
import { type AcknowledgementFacts, compareWithLog } from './acknowledged.js';
import { commitFacts, plantRaces, recordCommits } from './commit-record.js';
import { complete, ledgerOf, openOf } from './complete.js';
import {
  type AcceptedFact,
  type Facts,
  fulfilmentFacts,
  orchestratorFacts,
  type ReactionFaultFacts,
  type TroubleFacts,
} from './facts.js';
import { secondsSince } from './figures.js';
import { droppedMessages, fulfilmentAtRest, type FulfilmentMetrics } from './fulfilment.js';
import { KillPoints } from './kill-points.js';
import { providerFacts } from './provider-facts.js';
import { type LedgerFacts, payOut } from './payouts.js';
import { ordersPhase, refundsPhase } from './phases.js';
import { type PlatformWebhookFacts, PlatformWebhooks } from './platform-webhooks.js';
import { ReactionFaults } from './reaction-faults.js';
import type { Refunds } from './refunds.js';
import { recordRepeats } from './repeats.js';
import type { RepairFacts } from './repairs.js';
import { type OrderPlan, planWebhooks } from './scenario.js';
import type { KillableServers, Planted } from './trouble.js';
import { startUnfollowedClock, type UnfollowedClock } from './unfollowed-clock.js';

export interface ChaosOptions {
  readonly servers: Servers;
  /** The servers PostgreSQL and Kafka if the run also kills them; null if it kills only apps. */
  readonly killable: KillableServers | null;
  /**
   * The folder for the logs of the apps; by default a temporary folder that is deleted at the end.
   */
  readonly logDir?: string;
  readonly plans: readonly OrderPlan[];
  /** The seed that determines all kills, faults, and losses of webhooks. */
  readonly seed: number;
  /**
   * `apart` (the default): two apis and two workers. `one`: two processes, each of which is api and
   * worker.
   */
  readonly shape?: Shape;
  /**
   * Whether the run also refunds paid orders during kills and faults, and then waits for all
   * payouts.
   */
  readonly refunds: boolean;
  /** Starts an app; by default as a separate process. The run never kills the sandbox. */
  readonly startApp?: StackOptions['startApp'];
  readonly say: (line: string) => void;
}

/** The results of a run whose work has ended. */
export interface ChaosEnd {
  readonly stack: Stack;
  readonly accepted: readonly AcceptedFact[];
  readonly acknowledged: AcknowledgementFacts;
  readonly repairs: RepairFacts;
  readonly published: readonly ReadEvent[];
  readonly reactionFaults: ReactionFaultFacts;
  readonly troubles: readonly TroubleFacts[];
  /**
   * The comparison of our ledger with the provider's books; null if the run requested no refunds.
   */
  readonly ledger: LedgerFacts | null;
  /** How many events the relay publishes again because its cursor was moved back; null if never. */
  readonly relaySetBack: number | null;
  readonly fulfilment: {
    readonly metrics: FulfilmentMetrics;
    readonly dropped: readonly string[];
  };
  readonly platformWebhooks: PlatformWebhookFacts;
  readonly falsifiedWebhooks: FalsifiedWebhooks;
  /** The requested refunds; null if the run requested none. */
  readonly refunds: Refunds | null;
  stop(): Promise<void>;
}

const REACTION_FAULT_RATE = 0.1;
/** The minimum number of orders of a run in which some reactions certainly fail. */
const ENOUGH_ORDERS = 60;
/**
 * The time after which payers have disputed captured payments (one day) and polling has found the
 * disputes (one more day).
 */
const UNTIL_DISPUTED = 'P2D';

/** Creates the databases. The orchestrator's database records every commit for the checks. */
const recordedDatabase =
  ({ databaseUrl, makeDatabase }: Servers): NonNullable<Servers['makeDatabase']> =>
  async (kind) => {
    const url = await (makeDatabase?.(kind) ?? freshDatabase(databaseUrl, kind));
    if (kind === 'orchestrator') await recordCommits(url);
    return url;
  };

/** The metrics of the fulfilment example after it has handled every message. */
const theOtherService = async (
  { fulfilment }: Stack,
  say: (line: string) => void,
): Promise<ChaosEnd['fulfilment']> => {
  if (fulfilment === null) throw new Error('the fulfilment example was not started');
  const sinceMs = Date.now();
  const metrics = await fulfilmentAtRest(fulfilment);
  say(`the fulfilment example: ${metrics.lag} unread messages after ${secondsSince(sinceMs)}`);
  return { metrics, dropped: droppedMessages(fulfilment) };
};

const factsOfReactions = (reactions: ReactionFaults, orders: number): ReactionFaultFacts => ({
  failed: reactions.failed(),
  succeeded: reactions.succeeded(),
  atLeast: orders >= ENOUGH_ORDERS ? 1 : 0,
});

/** Starts all processes. `clockFor` returns the URL at which apis and workers read the clock. */
const startUnderTest = (
  { servers, logDir, shape = 'apart', startApp }: ChaosOptions,
  gate: WebhookGate,
  { reactions, points }: Planted,
  clockFor: (clockUrl: string) => Promise<string>,
): Promise<Stack> =>
  startStack({
    ...servers,
    makeDatabase: recordedDatabase(servers),
    name: 'chaos',
    shape,
    apis: 2,
    workers: 2,
    gate,
    fulfilment: true,
    ...(logDir === undefined ? {} : { logDir }),
    ...(startApp === undefined ? {} : { startApp }),
    env: { API_REQUESTS_PER_SECOND: '1000000', ...reactions.env, ...points.env },
    preload: programFile('chaos-in-apps'),
    reroute: async (env) => ({ ...env, CLOCK_URL: await clockFor(env['CLOCK_URL'] ?? '') }),
  });

/**
 * Starts everything, injects kills and faults while orders run, then ends the faults and advances
 * business time until all work has ended.
 */
export const makeChaos = async (options: ChaosOptions): Promise<ChaosEnd> => {
  const { seed, say } = options;
  const gate = await WebhookGate.start(options.servers.tls, planWebhooks(seed));
  const reactions = ReactionFaults.begin(REACTION_FAULT_RATE, seed);
  const planted = { reactions, points: new KillPoints() };
  let clock: UnfollowedClock | undefined;
  let webhooks: PlatformWebhooks | undefined;
  const stack = await startUnderTest(options, gate, planted, async (clockUrl) => {
    clock = await startUnfollowedClock(clockUrl);
    return clock.url;
  });
  const stop = async (): Promise<void> => {
    await stack.stop();
    await webhooks?.close();
    await gate.close();
    await clock?.close();
  };
  try {
    if (stack.databases.fulfilment !== null) await recordRepeats(stack.databases.fulfilment);
    webhooks = await PlatformWebhooks.begin(Platform.of(stack), seed);
    const parts = { ...options, stack, planted };
    const { trouble, ...met } = await ordersPhase(parts, gate);
    const refunding = options.refunds ? await refundsPhase(parts, met.accepted) : null;
    const refunds = refunding?.refunds ?? null;
    const troubles = [trouble, ...(refunding === null ? [] : [refunding.trouble])];
    const { orchestrator } = stack.databases;
    await plantRaces(orchestrator, false);
    const promised = [...met.acknowledged, ...(refunds?.acknowledged ?? [])];
    const acknowledged = await compareWithLog(orchestrator, promised);
    gate.setFate(() => 'through');
    const healedMs = Date.now();
    const { left, repairs } = await complete(stack, refunds, say);
    await stack.sandbox.advance(UNTIL_DISPUTED);
    const kept = options.refunds ? await payOut(stack, seed) : [];
    const accepted = [...met.accepted, ...kept];
    const ledger = options.refunds ? await ledgerOf(stack) : null;
    say(`  all work done after ${secondsSince(healedMs)}: ${openOf(left)}`);
    const platformWebhooks = await webhooks.atRest(stack);
    const published = await readTopics(stack);
    const fulfilment = await theOtherService(stack, (line) => say(`  ${line}`));
    const reactionFaults = factsOfReactions(reactions, options.plans.length);
    return {
      stack,
      ...met,
      accepted,
      acknowledged,
      repairs,
      ledger,
      troubles,
      refunds,
      published,
      reactionFaults,
      fulfilment,
      platformWebhooks,
      falsifiedWebhooks: gate.falsified,
      stop,
    };
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
  acknowledged: rest.acknowledged ?? null,
  repairs: rest.repairs ?? null,
  reactionFaults: rest.reactionFaults ?? null,
  troubles: rest.troubles ?? null,
  ledger: rest.ledger ?? null,
  relaySetBack: rest.relaySetBack ?? null,
  refundsRequested: rest.refunds?.requested ?? null,
  platformWebhooks: rest.platformWebhooks ?? null,
  falsifiedWebhooks: rest.falsifiedWebhooks ?? null,
  fulfilment:
    fulfilment === null || rest.fulfilment === undefined
      ? null
      : { ...rest.fulfilment, ...(await fulfilmentFacts(fulfilment)) },
  commits: await commitFacts(orchestrator),
  ...(await orchestratorFacts(orchestrator)),
  ...(await providerFacts(sandbox)),
});
