import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assert } from '#kernel';
import { migrateDatabase } from '../../migrations/migrate-database.js';
import { type Acknowledgement, addTo, compareWithLog } from '../chaos/acknowledged.js';
import { plantRaces, recordCommits } from '../chaos/commit-record.js';
import { complete, ledgerOf } from '../chaos/complete.js';
import type { AcceptedFact } from '../chaos/facts.js';
import { runLoad } from '../chaos/load.js';
import { payOut } from '../chaos/payouts.js';
import { PlatformWebhooks } from '../chaos/platform-webhooks.js';
import { printReport } from '../chaos/print-report.js';
import { Refunds, smallRefundsOf } from '../chaos/refunds.js';
import { planOrders, planWebhooks, withSuffix } from '../chaos/scenario.js';
import { startApp } from '../infra/apps.mjs';
import { DATABASE_ROLES, roleUrl } from '../infra/roles.mjs';
import { freshDatabase, ownedDatabase } from '../stack/databases.js';
import { Platform } from '../stack/platform.js';
import { type Servers, type Stack, startStack } from '../stack/stack.js';
import { readTopics } from '../stack/topics.js';
import { WebhookGate } from '../stack/webhook-gate.js';
import { jobsEndedBy } from './jobs-ended.js';
import { NewerEvents } from './newer-events.js';
import { ReplaceableApp } from './replaceable-app.js';

export interface UpgradeOptions {
  readonly servers: Servers;
  /** The root of the built checkout of the last release. */
  readonly lastRelease: string;
  readonly orders: number;
  readonly seed: number;
  readonly logDir: string;
  readonly say: (line: string) => void;
}

/** The apps that the run replaces, by the last release or by this checkout. */
const REPLACED = new Set(['api', 'worker']);
/** The speed of business time: one minute takes three seconds. */
const RATE = 20;
const WIDTH = 6;

/** One phase of the upgrade. Orders run during each phase. */
interface Phase {
  readonly title: string;
  /** The change of release in this phase. It starts together with the phase's first orders. */
  readonly change: (run: Run) => Promise<void>;
  /** Further actions and checks after the phase's orders have ended. */
  readonly after?: (run: Run) => Promise<void>;
}

const NEW = undefined;

const PHASES: readonly Phase[] = [
  { title: 'only the last release runs', change: () => Promise.resolve() },
  {
    title: 'the last release runs on the migrated database',
    change: async ({ stack }) => {
      await migrateDatabase('orchestrator', stack.databases.orchestrator);
      // Commits are recorded from now on, because the migrations replace the function
      // `commit_steps`, which the recording changes.
      await recordCommits(stack.databases.orchestrator);
    },
  },
  {
    title: 'an api and a worker of each release run together',
    change: (run) => run.replace([1], NEW),
    after: (run) => run.meetNewerEvents(),
  },
  {
    title: 'only the new release runs',
    change: (run) => run.replace([0], NEW, 'kill9'),
    after: (run) => run.queueBeforeRollback(),
  },
  {
    title: 'after a rollback only the last release runs',
    change: async (run) => {
      await run.replace([0, 1], run.options.lastRelease, 'kill9');
      await run.noteWaiting();
    },
    after: (run) => run.requireWaiting(),
  },
  {
    title: 'all processes are upgraded again in one step',
    change: (run) => run.replace([0, 1], NEW),
  },
];

/** Creates a database with the migrations of the last release. */
const databaseOfLastRelease = async ({ servers, lastRelease }: UpgradeOptions): Promise<string> => {
  const url = await ownedDatabase(servers.databaseUrl, 'orchestrator');
  const tool = join(lastRelease, 'dist', 'tools', 'migrate.js');
  await promisify(execFile)(process.execPath, [tool, 'orchestrator'], {
    cwd: lastRelease,
    env: { ...process.env, DATABASE_URL: roleUrl(url, DATABASE_ROLES.orchestrator.owner) },
  });
  return url;
};

class Run {
  readonly accepted: AcceptedFact[] = [];
  /** The captures and cancellations that an api acknowledged with 202. */
  readonly acknowledged: Acknowledgement[] = [];
  readonly refunds: Refunds;
  readonly newer: NewerEvents;
  /** The platform's webhook endpoint; null until an api of this checkout has created it. */
  webhooks: PlatformWebhooks | null = null;
  private readonly platform: Platform;
  /** The payment with a queued refund, and the number of its events after the roll-back. */
  private waiting = { paymentId: '', events: 0 };

  constructor(
    readonly options: UpgradeOptions,
    readonly stack: Stack,
  ) {
    this.platform = Platform.of(stack);
    this.refunds = new Refunds(this.platform);
    this.newer = new NewerEvents(stack, this.refunds, options.seed);
  }

  /** Replaces the apis and workers with these indexes one by one, the worker first. */
  async replace(
    indexes: readonly number[],
    checkout: string | undefined,
    end: 'stop' | 'kill9' = 'stop',
  ): Promise<void> {
    const { apis, workers } = this.stack;
    for (const index of indexes) {
      for (const app of [workers[index], apis[index]]) {
        assert(app instanceof ReplaceableApp, 'each api and worker can be replaced');
        await app.replaceBy(checkout, end);
      }
    }
  }

  /**
   * Kills the worker of the new release, and commits events that the last release does not know.
   * The worker of the last release must block the streams of these events and continue with all
   * other streams. Until that worker is replaced, its relay may remain the only one that publishes.
   */
  async meetNewerEvents(): Promise<void> {
    const { newer, stack, options } = this;
    const [last, next] = stack.workers;
    assert(last !== undefined && next !== undefined, 'there is a worker of each release');
    await next.kill9();
    this.webhooks = await PlatformWebhooks.begin(this.platform.only(1), options.seed);
    const { accepted } = await newer.queueRefund(1);
    this.accepted.push(...accepted, ...(await newer.untilBlocked(last)));
    options.say('    streams with newer events blocked by the last release, and later ones passed');
    await next.restart();
  }

  /**
   * Queues a refund that the last release cannot read. Waits until everything is published,
   * including events that the last release has blocked.
   */
  async queueBeforeRollback(): Promise<void> {
    const { accepted, paymentId } = await this.newer.queueRefund(0);
    this.accepted.push(...accepted);
    await this.newer.untilNothingBlocked();
    this.options.say('    blocked streams continued, everything published');
    this.waiting = { paymentId, events: 0 };
  }

  /**
   * Stores the number of the payment's events, once all processes of the new release are replaced.
   */
  async noteWaiting(): Promise<void> {
    const { paymentId } = this.waiting;
    this.waiting = { paymentId, events: (await this.newer.eventsOf(paymentId)).length };
  }

  /** Throws if the payment with the queued refund has changed, or has no open work. */
  async requireWaiting(): Promise<void> {
    const { paymentId, events } = this.waiting;
    const found = (await this.newer.eventsOf(paymentId)).length;
    assert(
      found === events,
      `the last release has written ${found - events} events of a newer one`,
    );
    const jobs = await this.newer.openJobsOf(paymentId);
    assert(jobs.length > 0, 'the payment with newer events waits for an upgrade');
    this.options.say(`    a payment with a queued refund waits: ${jobs.join(', ')}`);
  }

  /**
   * Runs the orders of a phase. Throws if a worker ended no jobs in the second half of the phase.
   */
  async phase({ title, change, after: finish }: Phase, index: number): Promise<void> {
    const { orders, seed, say } = this.options;
    const { sandbox, workers } = this.stack;
    const plans = withSuffix(planOrders(seed, orders), `-${index}`);
    const half = Math.ceil(plans.length / 2);
    const load = {
      platform: this.platform,
      sandbox,
      width: WIDTH,
      onPlaced: () => undefined,
      onAnswer: addTo(this.acknowledged),
    };
    const run = async (some: typeof plans): Promise<void> => {
      this.accepted.push(...(await runLoad(load, some)));
    };
    // The first half of the orders runs while processes are replaced, the second half afterwards.
    await Promise.all([change(this), run(plans.slice(0, half))]);
    const before = await Promise.all(workers.map(jobsEndedBy));
    await run(plans.slice(half));
    await sandbox.advance('P1D');
    this.refunds.add(smallRefundsOf(plans, this.accepted.slice(-plans.length)));
    const refunds = await this.refunds.request(Infinity);
    const after = await Promise.all(workers.map(jobsEndedBy));
    const ended = after.map((count, worker) => count - (before[worker] ?? 0));
    say(`  ${title}: ${orders} orders, ${refunds} refunds; jobs by worker: ${ended.join(', ')}`);
    assert(
      ended.every((count) => count > 0),
      `each worker has ended jobs: ${title}`,
    );
    await finish?.(this);
  }
}

const startLastRelease = async (options: UpgradeOptions, gate: WebhookGate): Promise<Stack> => {
  const { servers, lastRelease, logDir } = options;
  return startStack({
    ...servers,
    name: 'upgrade',
    shape: 'apart',
    apis: 2,
    workers: 2,
    gate,
    logDir,
    env: { API_REQUESTS_PER_SECOND: '1000000' },
    makeDatabase: (kind) =>
      kind === 'orchestrator'
        ? databaseOfLastRelease(options)
        : freshDatabase(servers.databaseUrl, kind),
    startApp: (app) =>
      REPLACED.has(app.app)
        ? ReplaceableApp.start({ ...app, checkout: lastRelease })
        : startApp(app),
  });
};

/** Waits until all work has ended and all money is paid out; then checks the invariants. */
const check = async (
  { stack, refunds, webhooks, ...run }: Run,
  options: UpgradeOptions,
): Promise<boolean> => {
  const { orchestrator } = stack.databases;
  await plantRaces(orchestrator, false);
  const promised = [...run.acknowledged, ...refunds.acknowledged];
  const acknowledged = await compareWithLog(orchestrator, promised);
  const { repairs } = await complete(stack, refunds, options.say);
  const kept = await payOut(stack, options.seed);
  const ledger = await ledgerOf(stack);
  assert(webhooks !== null, 'a webhook endpoint was created');
  const platformWebhooks = await webhooks.atRest(stack);
  const published = await readTopics(stack);
  const accepted = [...run.accepted, ...kept];
  return printReport(
    { stack, accepted, acknowledged, repairs, published, refunds, ledger, platformWebhooks },
    options,
  );
};

/**
 * Upgrades the last release to this checkout while orders run, rolls back, and upgrades again. Then
 * it advances business time until all work has ended, and checks the invariants. Returns whether
 * all invariants hold.
 */
export const runUpgrade = async (options: UpgradeOptions): Promise<boolean> => {
  const gate = await WebhookGate.start(options.servers.tls, planWebhooks(options.seed));
  const stack = await startLastRelease(options, gate);
  const run = new Run(options, stack);
  try {
    await stack.sandbox.setRate(RATE);
    for (const [index, phase] of PHASES.entries()) await run.phase(phase, index);
    gate.setFate(() => 'through');
    return await check(run, options);
  } finally {
    await run.newer.close();
    await stack.stop();
    await run.webhooks?.close();
    await gate.close();
  }
};
