import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { checkAll } from '../chaos/checks/index.js';
import type { AcceptedFact } from '../chaos/facts.js';
import { runLoad } from '../chaos/load.js';
import { reportOf } from '../chaos/report.js';
import { runToCompletion } from '../chaos/rest.js';
import { factsOf } from '../chaos/run.js';
import { planOrders } from '../chaos/scenario.js';
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
/** How long a killed broker is down. */
const DOWN_MS = 3_000;

interface Parts {
  readonly postgres: ReplicatedPostgres;
  readonly kafka: KafkaCluster;
}

/** A failure of servers while orders run. */
interface Stage {
  readonly title: string;
  readonly fail: (parts: Parts) => Promise<void>;
  /** Ends the failure after the orders of the stage. */
  readonly heal?: (parts: Parts) => Promise<void>;
}

const STAGES: readonly Stage[] = [
  {
    title: 'PostgreSQL: the primary is killed, its synchronous standby is promoted',
    fail: ({ postgres }) => postgres.failOver(),
  },
  {
    title: 'Kafka: each of three brokers is killed in turn',
    fail: async ({ kafka }) => {
      for (const broker of kafka.members) {
        await broker.kill9();
        await sleep(DOWN_MS);
        await broker.restart();
      }
    },
  },
  {
    title: 'Kafka: each broker is restarted in turn',
    fail: async ({ kafka }) => {
      for (const broker of kafka.members) await broker.restart();
    },
  },
  {
    title: 'Kafka: two of three brokers are down for all orders',
    fail: async ({ kafka }) => {
      await Promise.all(kafka.members.slice(1).map((broker) => broker.kill9()));
    },
    heal: async ({ kafka }) => {
      await Promise.all(kafka.members.slice(1).map((broker) => broker.restart()));
    },
  },
];

/** The seconds from a time until the first later event of a type; null if there is none. */
const secondsUntil = async (pool: pg.Pool, type: string, from: Date): Promise<string> => {
  const { rows } = await pool.query<{ seconds: string | null }>(
    `SELECT round(extract(epoch FROM min(recorded_at) - $2), 1)::text AS seconds
       FROM events WHERE type = $1 AND recorded_at > $2`,
    [type, from],
  );
  return rows[0]?.seconds ?? '–';
};

class Run {
  readonly accepted: AcceptedFact[] = [];

  constructor(
    private readonly options: FailoverOptions,
    private readonly parts: Parts,
    private readonly stack: Stack,
    private readonly log: pg.Pool,
  ) {}

  /** Runs the orders of a stage. The failure begins when a third of them are placed. */
  async stage({ title, fail, heal }: Stage, index: number): Promise<void> {
    const { orders, seed, say } = this.options;
    const { apis, apiKey, merchantId, sandbox } = this.stack;
    const urls = apis.map(({ url }) => url);
    let failing: Promise<Date> | undefined;
    const onPlaced = (done: number): void => {
      if (done < orders / 3 || failing !== undefined) return;
      const at = new Date();
      failing = fail(this.parts).then(() => at);
      failing.catch(() => undefined); // Awaited below.
    };
    const plans = planOrders(seed, orders).map((plan) => ({
      ...plan,
      reference: `${plan.reference}-${index}`,
      idempotencyKey: `${plan.idempotencyKey}-${index}`,
    }));
    const platform = new Platform(urls, apiKey, merchantId);
    const accepted = await runLoad({ platform, sandbox, width: WIDTH, onPlaced }, plans);
    this.accepted.push(...accepted);
    if (failing === undefined) throw new Error(`no failure happened: ${title}`);
    const at = await failing;
    await heal?.(this.parts);
    const [placed, paid] = await Promise.all([
      secondsUntil(this.log, 'OrderPlaced', at),
      secondsUntil(this.log, 'OrderPaid', at),
    ]);
    say(`  ${title}: ${accepted.length} orders accepted`);
    say(`    next order accepted after ${placed} s, next order paid after ${paid} s`);
  }
}

const report = async (
  { say, seed }: FailoverOptions,
  stack: Stack,
  accepted: readonly AcceptedFact[],
): Promise<boolean> => {
  const { databases } = stack;
  const orchestrator = new pg.Pool({ connectionString: databases.orchestrator, max: 1 });
  const sandbox = new pg.Pool({ connectionString: databases.sandbox, max: 1 });
  try {
    const published = await readTopics(stack);
    const facts = await factsOf({ accepted, published }, orchestrator, sandbox);
    const { lines, holds } = reportOf(checkAll(facts), seed);
    say('');
    for (const line of lines) say(line);
    return holds;
  } finally {
    await Promise.all([orchestrator.end(), sandbox.end()]);
  }
};

/**
 * Runs orders while servers fail over, then advances business time until all work has ended, and
 * checks the invariants. Returns whether all of them hold.
 */
export const runFailover = async (options: FailoverOptions): Promise<boolean> => {
  const { tls, dir, logDir, password, say } = options;
  const [postgres, kafka] = await Promise.all([
    ReplicatedPostgres.start('failover', password, `${logDir}/postgres.log`),
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
    const run = new Run(options, { postgres, kafka }, stack, log);
    for (const [index, stage] of STAGES.entries()) await run.stage(stage, index);
    await runToCompletion(stack, () => undefined);
    return await report(options, stack, run.accepted);
  } finally {
    await log.end();
    await stack.stop();
    await postgres.stop();
  }
};
