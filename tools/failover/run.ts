import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Acknowledgement, addTo, compareWithLog } from '../chaos/acknowledged.js';
import { plantRaces, recordCommits } from '../chaos/commit-record.js';
import { complete, ledgerOf } from '../chaos/complete.js';
import type { AcceptedFact } from '../chaos/facts.js';
import { placeOrder, runLoad } from '../chaos/load.js';
import { payOut } from '../chaos/payouts.js';
import { printReport } from '../chaos/print-report.js';
import { Refunds, smallRefundsOf } from '../chaos/refunds.js';
import { type OrderPlan, planOrders, plansOfRun, withSuffix } from '../chaos/scenario.js';
import { freshDatabase } from '../stack/databases.js';
import { Platform } from '../stack/platform.js';
import { type Servers, type Stack, startStack } from '../stack/stack.js';
import { readTopics } from '../stack/topics.js';
import { startKafkaCluster } from './kafka-cluster.js';
import { ReplicatedPostgres } from './replicated-postgres.js';
import { startProviderPostgres } from './servers.js';
import { type Parts, type Stage, STAGES } from './stages.js';

export interface FailoverOptions {
  readonly tls: Servers['tls'];
  /** A folder for Kafka's data. It is deleted when this process ends. */
  readonly dir: string;
  readonly logDir: string;
  readonly password: string;
  readonly orders: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** The speed of business time: one minute takes three seconds. */
const RATE = 20;
const WIDTH = 6;
/** The interval at which orders that are never paid are placed. */
const PLACED_EVERY_MS = 500;
/**
 * The number of refunds that each stage requests. It is low, because few orders are captured; all
 * other refunds are requested after the stages.
 */
const REFUNDS_PER_STAGE = 1;
/** The time after which captured payments are settled, so that they can be refunded. */
const UNTIL_SETTLED = 'P4D';

class Run {
  readonly accepted: AcceptedFact[] = [];
  /** The captures and cancellations that an api acknowledged with 202. */
  readonly acknowledged: Acknowledgement[] = [];
  readonly refunds: Refunds;
  readonly platform: Platform;
  private unpaid = 0;

  constructor(
    private readonly options: FailoverOptions,
    private readonly servers: Omit<Parts, 'place'>,
    private readonly stack: Stack,
  ) {
    this.platform = Platform.of(stack);
    this.refunds = new Refunds(this.platform);
  }

  /** Runs orders before the first failure. These orders are refunded during the failures. */
  async prepare(): Promise<void> {
    const plans = await this.orders(() => undefined);
    const { sandbox } = this.stack;
    await sandbox.advance(UNTIL_SETTLED);
    await sandbox.setRate(RATE);
    this.refunds.add(smallRefundsOf(plans, this.accepted));
  }

  /**
   * Runs the orders of a stage, and further orders until the failure has ended. The failure begins
   * when a third of the stage's orders are placed. During the failure, earlier orders are refunded.
   * Also, unpaid orders are placed at a steady interval, so that the measured time to the next
   * accepted order does not depend on the payers.
   */
  async stage({ title, fail, heal }: Stage): Promise<void> {
    const { orders, say } = this.options;
    const before = this.accepted.length;
    const parts: Parts = { ...this.servers, place: () => this.placeUnpaid() };
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let isOver = false;
    const failing = begun
      .then(() => fail(parts))
      .finally(() => {
        isOver = true;
      });
    const onPlaced = (done: number): void => {
      if (done >= orders / 3) begin();
    };
    const run = async (): Promise<void> => {
      do await this.orders(onPlaced);
      while (!isOver);
    };
    const steady = begun.then(() => this.placeSteadily(() => isOver));
    const refunding = begun.then(() => this.refunds.request(REFUNDS_PER_STAGE));
    const [measured, refunds] = await Promise.all([failing, refunding, run(), steady]);
    const healed = heal === undefined ? '' : `, ${await heal(parts)}`;
    say(`  ${title}: ${this.accepted.length - before} orders accepted, ${refunds} refunds`);
    say(`    ${measured}${healed}`);
  }

  /** Requests the refunds that no stage has requested. */
  async refundRest(): Promise<void> {
    await this.refunds.request(Infinity);
  }

  /** Places orders that are never paid, one after another, until the failure has ended. */
  private async placeSteadily(isOver: () => boolean): Promise<void> {
    for (; !isOver(); await sleep(PLACED_EVERY_MS)) await this.placeUnpaid();
  }

  private async placeUnpaid(): Promise<void> {
    const plans = withSuffix(planOrders(this.options.seed, 1), `-unpaid-${this.unpaid}`);
    this.unpaid += 1;
    for (const plan of plans) {
      const placed = await placeOrder(this, { ...plan, canceledAtProvider: false });
      this.accepted.push({ ...placed, refusedCaptures: [] });
    }
  }

  private async orders(onPlaced: (done: number) => void): Promise<readonly OrderPlan[]> {
    const { orders, seed } = this.options;
    const { sandbox } = this.stack;
    const count = this.accepted.length;
    // Each call has a different seed, so that the references of its orders are different.
    const plans = plansOfRun(seed + count, orders);
    const onAnswer = addTo(this.acknowledged);
    const load = { platform: this.platform, sandbox, width: WIDTH, onPlaced, onAnswer };
    this.accepted.push(...(await runLoad(load, plans)));
    return plans;
  }
}

/** Waits until all work has ended and all money is paid out; then checks the invariants. */
const check = async (run: Run, stack: Stack, options: FailoverOptions): Promise<boolean> => {
  const { seed, say } = options;
  const { refunds } = run;
  const { orchestrator } = stack.databases;
  await plantRaces(orchestrator, false);
  const promised = [...run.acknowledged, ...refunds.acknowledged];
  const acknowledged = await compareWithLog(orchestrator, promised);
  const { repairs } = await complete(stack, refunds, say);
  const accepted = [...run.accepted, ...(await payOut(stack, seed))];
  const ledger = await ledgerOf(stack);
  const published = await readTopics(stack);
  return printReport(
    { stack, accepted, acknowledged, repairs, published, refunds, ledger },
    options,
  );
};

/**
 * Runs orders and refunds while servers fail over, then advances business time until all work has
 * ended, and checks the invariants. Returns whether all of them hold.
 */
export const runFailover = async (options: FailoverOptions): Promise<boolean> => {
  const { tls, dir, logDir, password, say } = options;
  const name = `failover-${process.pid}`;
  const [postgres, ofProvider, kafka] = await Promise.all([
    ReplicatedPostgres.start(name, password, join(logDir, 'postgres.log')),
    startProviderPostgres(name, password, logDir),
    startKafkaCluster(dir, logDir),
  ]);
  say('  a PostgreSQL with a synchronous standby and three Kafka brokers run\n');
  const stack = await startStack({
    databaseUrl: postgres.url,
    brokers: kafka.brokers,
    tls,
    name: 'failover',
    shape: 'one',
    apis: 2,
    workers: 2,
    logDir,
    env: { API_REQUESTS_PER_SECOND: '1000000', KAFKA_REPLICATION: '3' },
    makeDatabase: async (kind) => {
      if (kind === 'sandbox') return freshDatabase(`${ofProvider.url}/postgres`, kind);
      const url = await freshDatabase(postgres.url, kind);
      await recordCommits(url);
      return url;
    },
  });
  const log = new pg.Pool({ connectionString: stack.databases.orchestrator, max: 1 });
  // The connection breaks when the primary is killed, and the next query opens another one.
  log.on('error', () => undefined);
  try {
    const run = new Run(options, { postgres, kafka, log }, stack);
    await run.prepare();
    for (const stage of STAGES) await run.stage(stage);
    await run.refundRest();
    return await check(run, stack, options);
  } finally {
    await log.end();
    await stack.stop();
    await Promise.all([postgres.stop(), ofProvider.stop(), kafka.stop()]);
  }
};
