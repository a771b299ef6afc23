import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { assert } from '#kernel';
import { waitFor } from '#testing';
import type { AcceptedFact } from '../chaos/facts.js';
import { placeOrder, runLoad } from '../chaos/load.js';
import { printReport } from '../chaos/print-report.js';
import { runToCompletion } from '../chaos/rest.js';
import { planOrders, withSuffix } from '../chaos/scenario.js';
import type { RunningKafka } from '../infra/kafka.mjs';
import { Platform } from '../stack/platform.js';
import { type Servers, type Stack, startStack } from '../stack/stack.js';
import { readTopics } from '../stack/topics.js';
import { type KafkaCluster, startKafkaCluster } from './kafka-cluster.js';
import { ReplicatedPostgres } from './replicated-postgres.js';

export interface FailoverOptions {
  readonly tls: Servers['tls'];
  /** A folder for the data of Kafka, which is deleted at the end of this process. */
  readonly dir: string;
  readonly logDir: string;
  readonly password: string;
  /** The number of orders in each stage. */
  readonly orders: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** The speed of business time: one minute takes three seconds. */
const RATE = 20;
/** How many orders run concurrently. */
const WIDTH = 6;
/** The interval of the orders that are placed and never paid, whatever the payers do. */
const PLACED_EVERY_MS = 500;
const WITHIN_MS = 120_000;

interface Parts {
  readonly postgres: ReplicatedPostgres;
  readonly kafka: KafkaCluster;
  /** Connections to the orchestrator's database. */
  readonly log: pg.Pool;
}

/** A failure of servers while orders run. */
interface Stage {
  readonly title: string;
  /** Returns what it has measured. Orders run until it ends. */
  readonly fail: (parts: Parts) => Promise<string>;
  /** Ends the failure after the orders of the stage. */
  readonly heal?: (parts: Parts) => Promise<string>;
}

/** The seconds from a time until the first later event that matches the condition. */
const secondsUntil = (log: pg.Pool, from: Date, condition: string): Promise<string> =>
  waitFor(
    async () => {
      const { rows } = await log.query<{ seconds: string | null }>(
        `SELECT round(extract(epoch FROM min(recorded_at) - $1), 1)::text AS seconds
           FROM events e WHERE recorded_at > $1 AND ${condition}`,
        [from],
      );
      return rows[0]?.seconds ?? null;
    },
    { timeoutMs: WITHIN_MS },
  );

/** The seconds from a time until the relay has published an event that was committed after it. */
const secondsUntilPublished = async (log: pg.Pool, from: Date): Promise<string> => {
  await secondsUntil(
    log,
    from,
    `EXISTS (SELECT FROM log_cursors c WHERE c.name = 'relay'
       AND (c.epoch, c.transaction_id, c.position) >= (e.epoch, e.transaction_id, e.position))`,
  );
  return ((Date.now() - from.getTime()) / 1_000).toFixed(1);
};

/** Executes `fail` for each broker; between them, all brokers have all messages. */
const inTurn = async (
  { kafka, log }: Parts,
  fail: (broker: RunningKafka) => Promise<void>,
  heal: (broker: RunningKafka) => Promise<void>,
): Promise<string> => {
  const waits: string[] = [];
  for (const broker of kafka.members) {
    await fail(broker);
    // Only events that are published after the failure count.
    const at = new Date();
    waits.push(await secondsUntilPublished(log, at));
    await heal(broker);
    await kafka.untilInSync();
  }
  return `next event published after ${waits.join(', ')} s`;
};

const signal = (broker: RunningKafka, name: NodeJS.Signals): Promise<void> => {
  assert(broker.pid !== undefined, 'the broker runs');
  process.kill(broker.pid, name);
  return Promise.resolve();
};

const STAGES: readonly Stage[] = [
  {
    title: 'PostgreSQL: the primary is killed, its synchronous standby is promoted',
    fail: async ({ postgres, log }) => {
      const killedAt = await postgres.failOver();
      const placed = await secondsUntil(log, killedAt, `type = 'OrderPlaced'`);
      const paid = await secondsUntil(log, killedAt, `type = 'OrderPaid'`);
      return `next order accepted after ${placed} s, next order paid after ${paid} s`;
    },
  },
  {
    title: 'Kafka: each of three brokers is killed in turn',
    fail: (parts) =>
      inTurn(
        parts,
        (broker) => broker.kill9(),
        (broker) => broker.restart(),
      ),
  },
  {
    title: 'Kafka: each broker is stopped and started in turn',
    fail: (parts) =>
      inTurn(
        parts,
        (broker) => broker.restart(),
        () => Promise.resolve(),
      ),
  },
  {
    title: 'Kafka: each broker hangs in turn',
    fail: (parts) =>
      inTurn(
        parts,
        (broker) => signal(broker, 'SIGSTOP'),
        (broker) => signal(broker, 'SIGCONT'),
      ),
  },
  {
    title: 'Kafka: two of three brokers are down',
    fail: async ({ kafka, log }) => {
      const at = new Date();
      await Promise.all(kafka.members.slice(1).map((broker) => broker.kill9()));
      const paid = await secondsUntil(log, at, `type = 'OrderPaid'`);
      return `next order paid after ${paid} s`;
    },
    heal: async ({ kafka, log }) => {
      const at = new Date();
      await Promise.all(kafka.members.slice(1).map((broker) => broker.restart()));
      return `events published ${await secondsUntilPublished(log, at)} s after their restart`;
    },
  },
];

class Run {
  readonly accepted: AcceptedFact[] = [];
  readonly platform: Platform;

  constructor(
    private readonly options: FailoverOptions,
    private readonly parts: Parts,
    private readonly stack: Stack,
  ) {
    this.platform = Platform.of(stack);
  }

  /**
   * Runs the orders of a stage, and as many again until the failure has ended. The failure begins
   * when a third of the first are placed. Meanwhile orders are placed at a steady interval, so that
   * the time to the next accepted order does not depend on the payers.
   */
  async stage({ title, fail, heal }: Stage): Promise<void> {
    const { orders, say } = this.options;
    const before = this.accepted.length;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let isOver = false;
    const failing = begun
      .then(() => fail(this.parts))
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
    const [measured] = await Promise.all([failing, run(), steady]);
    const healed = heal === undefined ? '' : `, ${await heal(this.parts)}`;
    say(`  ${title}: ${this.accepted.length - before} orders accepted`);
    say(`    ${measured}${healed}`);
  }

  /** Places orders that are never paid, one after another, until the failure has ended. */
  private async placeSteadily(isOver: () => boolean): Promise<void> {
    const { seed } = this.options;
    for (; !isOver(); await sleep(PLACED_EVERY_MS)) {
      const plans = withSuffix(planOrders(seed, 1), `-unpaid-${this.accepted.length}`);
      for (const plan of plans) {
        const placed = await placeOrder(this, { ...plan, canceledAtProvider: false });
        this.accepted.push({ ...placed, refusedCaptures: [] });
      }
    }
  }

  private async orders(onPlaced: (done: number) => void): Promise<void> {
    const { orders, seed } = this.options;
    const { sandbox } = this.stack;
    const count = this.accepted.length;
    // Another seed gives other references.
    const plans = planOrders(seed + count, orders);
    const load = { platform: this.platform, sandbox, width: WIDTH, onPlaced };
    this.accepted.push(...(await runLoad(load, plans)));
  }
}

/**
 * Runs orders while servers fail over, then advances business time until all work has ended, and
 * checks the invariants. Returns whether all of them hold.
 */
export const runFailover = async (options: FailoverOptions): Promise<boolean> => {
  const { tls, dir, logDir, password, say } = options;
  const [postgres, kafka] = await Promise.all([
    ReplicatedPostgres.start(`failover-${process.pid}`, password, `${logDir}/postgres.log`),
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
  });
  const log = new pg.Pool({ connectionString: stack.databases.orchestrator, max: 1 });
  log.on('error', () => undefined); // The connection breaks when the primary is killed; the next query opens another.
  try {
    await stack.sandbox.setRate(RATE);
    const run = new Run(options, { postgres, kafka, log }, stack);
    for (const stage of STAGES) await run.stage(stage);
    await runToCompletion(stack, () => undefined);
    return await printReport(
      { stack, accepted: run.accepted, published: await readTopics(stack) },
      options,
    );
  } finally {
    await log.end();
    await stack.stop();
    await Promise.all([postgres.stop(), kafka.stop()]);
  }
};
