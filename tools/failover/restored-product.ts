import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TOPIC_NAMES } from '#kafka';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { programFile } from '../infra/programs.mjs';
import { onServer } from '../infra/databases.mjs';
import { startKafka } from '../infra/kafka.mjs';
import { ROOT } from '../infra/paths.mjs';
import { freePort } from '../infra/processes.mjs';
import { DATABASE_ROLES, roleUrl } from '../infra/roles.mjs';
import { freshDatabase } from '../stack/databases.js';
import { type Servers, type Stack, startStack } from '../stack/stack.js';
import { ArchivedPostgres } from './archived-postgres.js';
import { startProviderPostgres } from './servers.js';

export interface RestoreOptions {
  readonly tls: Servers['tls'];
  /** A folder for Kafka's data. It is deleted when this process ends. */
  readonly dir: string;
  readonly logDir: string;
  readonly password: string;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** The product on separate servers, whose database can be restored. */
export interface RestoredProduct {
  readonly postgres: ArchivedPostgres;
  readonly stack: Stack;
  readonly log: pg.Pool;
  stop(): Promise<void>;
}

const REASON = ['--reason', 'restored to a point in time'];

/**
 * Starts business time long ago, far from the time of the database server. Otherwise a mistake
 * between the two clocks could stay unnoticed when the lost time is determined.
 */
const START_CLOCK = `
  INSERT INTO sandbox_clock (sandbox_at, wall_at, rate)
  VALUES (now() - interval '60 days', now(), 1)`;

const makeDatabase = async (
  kind: 'orchestrator' | 'sandbox',
  serverUrl: string,
): Promise<string> => {
  const url = await freshDatabase(serverUrl, kind);
  if (kind === 'sandbox') await onServer(url, (client) => client.query(START_CLOCK));
  return url;
};

/** Starts the product; the provider's database is on another server, which is never restored. */
export const startRestored = async (options: RestoreOptions): Promise<RestoredProduct> => {
  const { tls, dir, logDir, password } = options;
  const postgres = await ArchivedPostgres.start(
    `restore-${process.pid}`,
    password,
    join(logDir, 'restore.log'),
  );
  const ofProvider = await startProviderPostgres(`restore-${process.pid}`, password, logDir);
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
      makeDatabase(kind, kind === 'sandbox' ? `${ofProvider.url}/postgres` : postgres.url),
  });
  const log = new pg.Pool({ connectionString: stack.databases.orchestrator, max: 1 });
  // The connection breaks at the restore, and the next query opens another one.
  log.on('error', () => undefined);
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

/** Runs one of our command line tools as an operator would. */
const runCommand = async (
  { env }: Stack,
  ...[name = '', ...args]: readonly string[]
): Promise<void> => {
  const url = roleUrl(env['DATABASE_URL'] ?? '', DATABASE_ROLES.orchestrator.apps.ops);
  await promisify(execFile)(process.execPath, [programFile(name), ...args, ...REASON], {
    cwd: ROOT,
    env: { ...process.env, ...env, DATABASE_URL: url },
  });
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

/**
 * Ends the apps, restores the database to `time` (by the clock of its server), executes the
 * runbook's steps after a restore that lost events, and starts the apps again. `onRestored` is
 * called directly after the restore.
 */
export const restoreTo = async (
  { postgres, stack }: RestoredProduct,
  time: string,
  onRestored: () => Promise<void>,
): Promise<void> => {
  for (const app of new Set(stack.apis)) await app.kill9();
  await postgres.restoreTo(time);
  await onRestored();
  await deleteTopics(stack);
  for (const type of Object.keys(TOPIC_NAMES)) {
    await runCommand(stack, 'relay', 'republish', type);
  }
  await runCommand(stack, 'ops', 'console', 'reset-after-restore');
  for (const app of new Set(stack.apis)) await app.restart();
};

/** Resolves a stuck refund request with the refund found at the provider, as an operator would. */
export const resolveAsOurs = (stack: Stack, jobId: string): Promise<void> =>
  runCommand(stack, 'ops', 'requests', 'resolve', jobId, '--apply');
