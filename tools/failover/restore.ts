import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TOPIC_NAMES } from '#kafka';
import { assert } from '#kernel';
import { waitFor } from '#testing';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { runLoad } from '../chaos/load.js';
import { runToCompletion } from '../chaos/rest.js';
import { type OrderPlan, planOrders } from '../chaos/scenario.js';
import { programFile } from '../infra/bundles.mjs';
import { startKafka } from '../infra/kafka.mjs';
import { startPostgres } from '../infra/postgres.mjs';
import { ROOT } from '../infra/paths.mjs';
import { freePort } from '../infra/processes.mjs';
import { DATABASE_ROLES, roleUrl } from '../infra/roles.mjs';
import { freshDatabase } from '../stack/databases.js';
import { Platform } from '../stack/platform.js';
import { type Servers, type Stack, startStack } from '../stack/stack.js';
import { ArchivedPostgres } from './archived-postgres.js';

export interface RestoreOptions {
  readonly tls: Servers['tls'];
  /** A folder for the data of Kafka, which is deleted at the end of this process. */
  readonly dir: string;
  readonly logDir: string;
  readonly password: string;
  readonly seed: number;
  readonly say: (line: string) => void;
}

const ORDERS = 4;
/** The amount of the refund, which is less than that of any order. */
const REFUND_MINOR = 50;
const REASON = ['--reason', 'restored to a point in time'];
const WITHIN_MS = 120_000;

/** Orders that are captured immediately. */
const paidPlans = (seed: number): readonly OrderPlan[] =>
  planOrders(seed, ORDERS).map((plan) => ({
    ...plan,
    capture: { policy: 'automatic' },
    cancels: 'never',
    payer: 'pays_without_3ds',
    canceledAtProvider: false,
    expiresIn: 'P1D',
  }));

/** Runs one of our command line tools as an operator would; returns what it prints. */
const runCommand = async (
  { env }: Stack,
  ...[name, ...args]: readonly string[]
): Promise<string> => {
  const url = roleUrl(env['DATABASE_URL'] ?? '', DATABASE_ROLES.orchestrator.apps.ops);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [programFile(`tools/${name}`), ...args],
    { cwd: ROOT, env: { ...process.env, ...env, DATABASE_URL: url } },
  );
  return stdout;
};

const deleteTopics = async ({ brokers, topicPrefix }: Stack): Promise<void> => {
  const kafka = new Kafka({
    clientId: 'restore',
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
  });
  const admin = kafka.admin();
  await admin.connect();
  await admin.deleteTopics({
    topics: Object.values(TOPIC_NAMES).map((topic) => `${topicPrefix}${topic}`),
  });
  await admin.disconnect();
};

/** The steps of the runbook after a restore that lost seconds, before any app starts. */
const followRunbook = async (stack: Stack): Promise<void> => {
  await deleteTopics(stack);
  for (const type of Object.keys(TOPIC_NAMES)) {
    await runCommand(stack, 'relay', 'republish', type, ...REASON);
  }
  await runCommand(stack, 'ops', 'console', 'reset-after-restore', ...REASON);
};

/** Waits until the refund needs attention, and resolves it as the refund that was found. */
const resolveRefund = async (stack: Stack, log: pg.Pool): Promise<void> => {
  const jobId = await waitFor(
    async () => {
      const { rows } = await log.query<{ key: string }>(
        `SELECT key FROM jobs WHERE state = 'stuck' AND kind = 'refund'`,
      );
      return rows[0]?.key;
    },
    { timeoutMs: WITHIN_MS, everyMs: 500 },
  );
  await runCommand(stack, 'ops', 'requests', 'resolve', jobId, '--apply', ...REASON);
};

/** The refunds that the provider has made. */
const refundsMade = async ({ databases }: Stack): Promise<readonly number[]> => {
  const pool = new pg.Pool({ connectionString: databases.sandbox, max: 1 });
  const { rows } = await pool.query<{ amount: number }>(
    `SELECT amount::int FROM refunds WHERE status IN ('to_refund', 'refund_sent', 'refunded')`,
  );
  await pool.end();
  return rows.map(({ amount }) => amount);
};

interface Parts {
  readonly postgres: ArchivedPostgres;
  readonly stack: Stack;
  /** A connection to the orchestrator's database. */
  readonly log: pg.Pool;
  stop(): Promise<void>;
}

/** Starts the product on servers of its own. */
const start = async ({ tls, dir, logDir, password }: RestoreOptions): Promise<Parts> => {
  const postgres = await ArchivedPostgres.start(
    `restore-${process.pid}`,
    password,
    join(logDir, 'restore.log'),
  );
  // The provider has a server of its own, which keeps what the provider did in the lost time.
  const ofProvider = await startPostgres({
    folder: `restore-provider-${process.pid}`,
    port: await freePort(),
    password,
    logFile: join(logDir, 'provider-postgres.log'),
    throwaway: true,
  });
  const kafka = await startKafka({
    dir: join(dir, 'single-broker'),
    port: await freePort(),
    controllerPort: await freePort(),
    logFile: join(logDir, 'kafka.log'),
    throwaway: true,
  });
  const stack = await startStack({
    databaseUrl: postgres.url,
    brokers: kafka.brokers,
    tls,
    name: 'restore',
    logDir,
    makeDatabase: (kind) =>
      freshDatabase(kind === 'sandbox' ? `${ofProvider.url}/postgres` : postgres.url, kind),
  });
  const log = new pg.Pool({ connectionString: stack.databases.orchestrator, max: 1 });
  log.on('error', () => undefined); // The connection breaks at the restore; the next query opens another.
  return {
    postgres,
    stack,
    log,
    stop: async () => {
      await log.end();
      await stack.stop();
      await Promise.all([postgres.stop(), ofProvider.stop(), kafka.stop()]);
    },
  };
};

/** Ends the apps, restores the database as the runbook says, and starts the apps again. */
const restore = async ({ postgres, stack, log }: Parts, time: string): Promise<void> => {
  for (const app of new Set(stack.apis)) await app.kill9();
  await postgres.restoreTo(time);
  const { rowCount } = await log.query(`SELECT FROM events WHERE type = 'RefundRequested'`);
  assert(rowCount === 0, 'the restored database lacks the refund');
  await followRunbook(stack);
  for (const app of new Set(stack.apis)) await app.restart();
};

/** Returns the refunds that the provider has made, and the refunded amount of the order. */
const refundAcrossRestore = async (
  parts: Parts,
  seed: number,
): Promise<{ readonly made: string; readonly shown: number }> => {
  const { postgres, stack, log } = parts;
  const { sandbox } = stack;
  const platform = Platform.of(stack);
  const load = { platform, sandbox, width: ORDERS, onPlaced: () => undefined };
  const [{ orderIds: [orderId = ''] } = { orderIds: [] }] = await runLoad(load, paidPlans(seed));
  const made = async () => (await refundsMade(stack)).join();
  const isMadeOnce = async () => (await made()) === String(REFUND_MINOR);
  const refund = async (): Promise<void> => {
    const { status, body } = await platform.refund(orderId, { amountMinor: REFUND_MINOR });
    assert(status === 202, `the refund is accepted: ${status} ${JSON.stringify(body)}`);
  };
  await sandbox.advance('P1D');
  const time = await postgres.now();
  await refund();
  await waitFor(isMadeOnce, { timeoutMs: WITHIN_MS });
  await restore(parts, time);
  assert(await isMadeOnce(), 'the provider has made the refund');
  await refund();
  await resolveRefund(stack, log);
  await runToCompletion(stack, () => undefined);
  // The refund reaches the payer a day later, and polls find that on the next day.
  await sandbox.advance('P2D');
  return { made: await made(), shown: (await platform.read(orderId)).refundedMinor };
};

/**
 * Refunds an order, restores the database to a time before the refund, and requests the refund
 * again. Returns whether the payer has received it once, and our order shows it.
 */
export const runRestore = async (options: RestoreOptions): Promise<boolean> => {
  const parts = await start(options);
  try {
    const { made, shown } = await refundAcrossRestore(parts, options.seed);
    const holds = made === String(REFUND_MINOR) && shown === REFUND_MINOR;
    options.say(
      `\n  ${holds ? '✓' : '✗'} restored to a time before a refund of ${REFUND_MINOR}, which was ` +
        `requested again: ${made} at the provider, ${shown} in the order`,
    );
    return holds;
  } finally {
    await parts.stop();
  }
};
