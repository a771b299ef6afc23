import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assert } from '#kernel';
import { migrateDatabase } from '../../migrations/migrate-database.js';
import type { AcceptedFact } from '../chaos/facts.js';
import { runLoad } from '../chaos/load.js';
import { printReport } from '../chaos/print-report.js';
import { Refunds } from '../chaos/refunds.js';
import { runToCompletion } from '../chaos/rest.js';
import { planOrders, planWebhooks, withSuffix } from '../chaos/scenario.js';
import { startApp } from '../infra/apps.mjs';
import { DATABASE_ROLES, roleUrl } from '../infra/roles.mjs';
import { freshDatabase, ownedDatabase } from '../stack/databases.js';
import { Platform } from '../stack/platform.js';
import { type Servers, type Stack, startStack } from '../stack/stack.js';
import { readTopics } from '../stack/topics.js';
import { WebhookGate } from '../stack/webhook-gate.js';
import { jobsEndedBy } from './jobs-ended.js';
import { ReplaceableApp } from './replaceable-app.js';

export interface UpgradeOptions {
  readonly servers: Servers;
  /** The root of the built checkout of the last release. */
  readonly lastRelease: string;
  /** The number of orders in each phase. */
  readonly orders: number;
  readonly seed: number;
  readonly logDir: string;
  readonly say: (line: string) => void;
}

/** The apps that are replaced in a run, by the same app of the last release or of this checkout. */
const REPLACED = new Set(['api', 'worker']);
/** The speed of business time: one minute takes three seconds. */
const RATE = 20;
/** How many orders run concurrently. */
const WIDTH = 6;

/** One stage of the upgrade, during which orders run. */
interface Phase {
  readonly title: string;
  /**
   * The change of releases in this phase. It starts together with the first orders of the phase.
   */
  readonly change: (run: Run) => Promise<void>;
}

const NEW = undefined;

const PHASES: readonly Phase[] = [
  { title: 'the last release alone', change: () => Promise.resolve() },
  {
    title: 'the last release on the migrated database',
    change: async ({ stack }) => {
      await migrateDatabase('orchestrator', stack.databases.orchestrator);
    },
  },
  {
    title: 'an api and a worker of each release',
    change: (run) => run.replace([1], NEW),
  },
  { title: 'the new release alone', change: (run) => run.replace([0], NEW) },
  {
    title: 'rolled back: the last release alone',
    change: (run) => run.replace([0, 1], run.options.lastRelease),
  },
  { title: 'upgraded again, in one step', change: (run) => run.replace([0, 1], NEW) },
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

/** The refund of each captured order. */
const REFUND = { parts: [50], isEarly: false };

class Run {
  readonly accepted: AcceptedFact[] = [];
  readonly refunds: Refunds;
  private readonly platform: Platform;

  constructor(
    readonly options: UpgradeOptions,
    readonly stack: Stack,
  ) {
    this.platform = Platform.of(stack);
    this.refunds = new Refunds(this.platform);
  }

  /** Replaces the apis and workers with these indexes one by one, the worker first. */
  async replace(indexes: readonly number[], checkout: string | undefined): Promise<void> {
    const { apis, workers } = this.stack;
    for (const index of indexes) {
      for (const app of [workers[index], apis[index]]) {
        assert(app instanceof ReplaceableApp, 'each api and worker can be replaced');
        await app.replaceBy(checkout);
      }
    }
  }

  /**
   * Runs the orders of a phase. Throws if a worker ended no jobs in the second half of the phase.
   */
  async phase({ title, change }: Phase, index: number): Promise<void> {
    const { orders, seed, say } = this.options;
    const { sandbox, workers } = this.stack;
    const plans = withSuffix(planOrders(seed, orders), `-${index}`);
    const half = Math.ceil(plans.length / 2);
    const load = { platform: this.platform, sandbox, width: WIDTH, onPlaced: () => undefined };
    const run = async (some: typeof plans): Promise<void> => {
      this.accepted.push(...(await runLoad(load, some)));
    };
    // The first half of the orders runs while processes are replaced, the second half afterwards.
    await Promise.all([change(this), run(plans.slice(0, half))]);
    const before = await Promise.all(workers.map(jobsEndedBy));
    await run(plans.slice(half));
    await sandbox.advance('P1D');
    const placed = this.accepted.slice(-plans.length).flatMap(({ orderIds }) => orderIds);
    this.refunds.add(placed.map((orderId) => ({ orderId, plan: REFUND })));
    const refunds = await this.refunds.request(Infinity);
    const after = await Promise.all(workers.map(jobsEndedBy));
    const ended = after.map((count, worker) => count - (before[worker] ?? 0));
    say(`  ${title}: ${orders} orders, ${refunds} refunds; jobs by worker: ${ended.join(', ')}`);
    assert(
      ended.every((count) => count > 0),
      `each worker has ended jobs: ${title}`,
    );
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

/**
 * Upgrades the last release to this checkout while orders run, rolls back, and upgrades again. Then
 * it advances business time until all work has ended, and checks the invariants. Returns whether
 * all invariants hold.
 */
export const runUpgrade = async (options: UpgradeOptions): Promise<boolean> => {
  const gate = await WebhookGate.start(options.servers.tls, planWebhooks(options.seed));
  const stack = await startLastRelease(options, gate);
  try {
    const run = new Run(options, stack);
    await stack.sandbox.setRate(RATE);
    for (const [index, phase] of PHASES.entries()) await run.phase(phase, index);
    gate.setFate(() => 'through');
    await runToCompletion(stack, () => undefined);
    return await printReport(
      { stack, accepted: run.accepted, published: await readTopics(stack), refunds: run.refunds },
      options,
    );
  } finally {
    await stack.stop();
    await gate.close();
  }
};
