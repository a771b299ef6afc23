import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Pool } from 'pg';
import { randomText } from '#kernel';
import { ApiKeyStore, type Scope, SCOPES } from '#platform';
import { environmentFor } from '../infra/app-environment.mjs';
import { type RunningApp, startApp } from '../infra/apps.mjs';
import { environmentOf } from '../infra/environment.mjs';
import { freePort, scratchDir } from '../infra/processes.mjs';
import { registerAccount } from '../infra/provider-account.mjs';
import { dropDatabase, freshDatabase, ownedDatabase } from './databases.js';
import { Sandbox } from './sandbox.js';
import type { WebhookGate } from './webhook-gate.js';

export interface Servers {
  /** The URL of a PostgreSQL server, with a user who may create databases. */
  readonly databaseUrl: string;
  /** host:port of each Kafka broker, separated by commas. */
  readonly brokers: string;
  readonly tls: { readonly certFile: string; readonly keyFile: string; readonly caFile: string };
  /**
   * Creates a migrated database and returns its URL. By default, all migrations run on a new
   * database; specs copy a template, which is quicker.
   */
  readonly makeDatabase?: (kind: 'orchestrator' | 'sandbox') => Promise<string>;
}

/** `one`: each process is both api and worker. `apart`: each process is either api or worker. */
export type Shape = 'one' | 'apart';

export interface StackOptions extends Servers {
  /** The name of the stack. The names of its topics and of its platform begin with it. */
  readonly name: string;
  /** Default: `one`, or `apart` if another number of apis or workers than 1 is given. */
  readonly shape?: Shape;
  /**
   * How many apis and workers to start; 1 by default. With shape `one`, the larger of both numbers
   * is the number of processes.
   */
  readonly apis?: number;
  readonly workers?: number;
  /** Whether the admin app, which serves the console, is started. */
  readonly console?: boolean;
  readonly fulfilment?: boolean;
  /**
   * A proxy through which the sandbox sends webhooks; by default the sandbox sends them to the
   * first api.
   */
  readonly gate?: WebhookGate;
  /**
   * The folder for the logs of the apps; by default a temporary folder that is deleted when this
   * process ends.
   */
  readonly logDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A module that Node imports before the program of every app except the sandbox. */
  readonly preload?: string;
  /** Starts an app; by default as a separate process. */
  readonly startApp?: typeof startApp;
  /**
   * Changes the environment variables of apis and workers, e.g. so that they connect through
   * proxies.
   */
  readonly reroute?: (env: Environment) => Promise<Environment>;
}

type Environment = Readonly<Record<string, string>>;

/** The whole product on this machine, with new databases and topics. */
export interface Stack {
  /** The URLs of the databases, with the server's administrator as the user. */
  readonly databases: {
    readonly orchestrator: string;
    readonly sandbox: string;
    /** The url of the fulfilment example's database; null unless the example was requested. */
    readonly fulfilment: string | null;
  };
  readonly brokers: readonly string[];
  readonly topicPrefix: string;
  /**
   * The environment variables of all apps. Their database URLs have the administrator as the user.
   */
  readonly env: Environment;
  readonly sandbox: Sandbox;
  readonly shape: Shape;
  /** The apis; with shape `one` the same processes as in `workers`. */
  readonly apis: readonly RunningApp[];
  readonly workers: readonly RunningApp[];
  /** The admin app; null unless it was requested. */
  readonly admin: RunningApp | null;
  /** The fulfilment example: null unless it was requested. */
  readonly fulfilment: RunningApp | null;
  /** All started processes, each once, the sandbox last. */
  readonly apps: readonly RunningApp[];
  readonly apiKey: string;
  readonly merchantId: string;
  readonly shopUrl: string;
  stop(): Promise<void>;
}

type Ports = Readonly<Record<string, number>>;

const freePorts = async (names: readonly string[]): Promise<Ports> => {
  const ports = new Set<number>();
  while (ports.size < names.length) ports.add(await freePort());
  return Object.fromEntries(names.map((name, index) => [name, [...ports][index] ?? 0]));
};

/**
 * Creates the platform's API key before any process starts, because the demo shop reads the key
 * when it starts.
 */
export const createKey = async (
  databaseUrl: string,
  platformId: string,
  scopes: readonly Scope[] = SCOPES,
): Promise<string> => {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  try {
    return await new ApiKeyStore(pool).create(platformId, scopes);
  } finally {
    await pool.end();
  }
};

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

/**
 * Starts one process of an app. `own` maps the names of port settings to ports. The first port is
 * that of the app's HTTP server.
 */
type Start = (name: string, own: Readonly<Record<string, number>>) => Promise<RunningApp>;

const starter =
  (
    start: typeof startApp,
    env: Readonly<Record<string, string>>,
    logs: string,
    args: readonly string[] = [],
  ): Start =>
  (name, own) => {
    const app = name.replace(/\d+$/, '');
    const ports = Object.entries(own).map(([key, port]) => [key, String(port)]);
    const [port = 0] = Object.values(own);
    const internalPort = own['API_INTERNAL_PORT'] ?? own['WORKER_PORT'] ?? port;
    return start({
      app,
      port,
      internalPort,
      env: { ...environmentFor(app, env), ...Object.fromEntries(ports) },
      logFile: join(logs, `${name}.log`),
      timeoutMs: 60_000,
      args,
    });
  };

const shapeOf = ({ shape, apis = 1, workers = 1 }: StackOptions): Shape =>
  shape ?? (apis === 1 && workers === 1 ? 'one' : 'apart');

/** The orchestrator's processes, in the requested shape. */
const startOrchestrator = async (
  start: Start,
  shape: Shape,
  apiNames: readonly string[],
  workerNames: readonly string[],
  at: (port: string) => number,
): Promise<Pick<Stack, 'apis' | 'workers'>> => {
  const ofApi = (api: string) => ({ API_PORT: at(api), API_TLS_PORT: at(`${api}Tls`) });
  const ofWorker = (worker: string) => ({ WORKER_PORT: at(worker) });
  if (shape === 'one') {
    const both = await Promise.all(
      apiNames.map((api, index) =>
        start(`all${index}`, { ...ofApi(api), ...ofWorker(workerNames[index] ?? '') }),
      ),
    );
    return { apis: both, workers: both };
  }
  const [apis, workers] = await Promise.all([
    Promise.all(
      apiNames.map((api) => start(api, { ...ofApi(api), API_INTERNAL_PORT: at(`${api}Internal`) })),
    ),
    Promise.all(workerNames.map((worker) => start(worker, ofWorker(worker)))),
  ]);
  return { apis, workers };
};

interface FulfilmentPlan {
  /** The URL of the orchestrator's database. */
  readonly orchestrator: string;
  readonly platformId: string;
  readonly apiUrl: string;
  readonly env: Environment;
  readonly logs: string;
}

/** Starts the fulfilment example, which has its own database and API key. */
const startFulfilment = async (
  { databaseUrl }: Servers,
  plan: FulfilmentPlan,
): Promise<{ readonly app: RunningApp; readonly database: string }> => {
  const { orchestrator, platformId, apiUrl, env, logs } = plan;
  const database = await ownedDatabase(databaseUrl, 'fulfilment');
  const port = await freePort();
  const app = await startApp({
    app: 'fulfilment',
    port,
    logFile: join(logs, 'fulfilment.log'),
    timeoutMs: 60_000,
    env: environmentFor('fulfilment', {
      ...env,
      FULFILMENT_DATABASE_URL: database,
      FULFILMENT_PORT: String(port),
      ORCHESTRATOR_URL: apiUrl,
      ORCHESTRATOR_API_KEY: await createKey(orchestrator, platformId, ['orders:read']),
    }),
  });
  return { app, database };
};

const newSecrets = (name: string) => ({
  secretsKey: `${name}:${randomBytes(32).toString('base64')}`,
  sandboxSecretsKey: `${name}:${randomBytes(32).toString('base64')}`,
  sandboxTestKey: `stest_${randomText(24)}`,
  sandboxLiveKey: `sprod_${randomText(24)}`,
  partnerTestKey: `spart_test_${randomText(24)}`,
  partnerLiveKey: `spart_live_${randomText(24)}`,
});

/** The planned processes of a stack by name, each with free ports. */
interface Plan {
  readonly shape: Shape;
  readonly apiNames: readonly string[];
  readonly workerNames: readonly string[];
  readonly ports: Ports;
}

const planOf = async (options: StackOptions): Promise<Plan> => {
  const shape = shapeOf(options);
  const { apis = 1, workers = 1 } = options;
  const ofBoth = Math.max(apis, workers);
  const apiNames = numbered('api', shape === 'one' ? ofBoth : apis);
  const workerNames = numbered('worker', shape === 'one' ? ofBoth : workers);
  const ports = await freePorts([
    'sandbox',
    'sandboxTls',
    'shop',
    'admin',
    ...workerNames,
    ...apiNames,
    ...apiNames.flatMap((api) => [`${api}Tls`, `${api}Internal`]),
  ]);
  return { shape, apiNames, workerNames, ports };
};

interface Prepared {
  readonly databases: { readonly orchestrator: string; readonly sandbox: string };
  readonly providerKey: string;
  readonly apiKey: string;
  readonly apiUrl: string;
  readonly merchantId: string;
  readonly topicPrefix: string;
  readonly env: Environment;
}

/** Creates databases, secrets and the platform's key, and the environment of all apps. */
const prepare = async (
  { databaseUrl, brokers, tls, name, gate, ...options }: StackOptions,
  { ports }: Plan,
): Promise<Prepared> => {
  const { makeDatabase = (kind) => freshDatabase(databaseUrl, kind) } = options;
  const databases = {
    orchestrator: await makeDatabase('orchestrator'),
    sandbox: await makeDatabase('sandbox'),
  };
  const secrets = newSecrets(name);
  const topicPrefix = `${name}_${randomBytes(6).toString('hex')}.`;
  const merchantId = `${name}-merchant`;
  const apiKey = await createKey(databases.orchestrator, name);
  const { api0 = 0, api0Tls = 0 } = ports;
  const apiUrl = `http://127.0.0.1:${api0}`;
  const env = {
    ...environmentOf({
      ports: { ...ports, api: api0, apiTls: api0Tls },
      databases,
      brokers,
      secrets,
      tls,
    }),
    TOPIC_PREFIX: topicPrefix,
    SHOP_API_URL: apiUrl,
    SHOP_API_KEY: apiKey,
    SHOP_MERCHANT_ID: merchantId,
    ...(gate === undefined ? {} : { PUBLIC_WEBHOOK_URL: gate.url }),
    ...options.env,
  };
  const providerKey = secrets.sandboxTestKey;
  return { databases, providerKey, apiKey, apiUrl, merchantId, topicPrefix, env };
};

/**
 * Starts all processes, and registers the provider account of one merchant, for whom the demo shop
 * sells.
 */
export const startStack = async (options: StackOptions): Promise<Stack> => {
  const { databaseUrl, brokers, name, gate, preload, startApp: startOne = startApp } = options;
  const plan = await planOf(options);
  const { shape, apiNames, workerNames, ports } = plan;
  const at = (port: string): number => ports[port] ?? 0;
  const prepared = await prepare(options, plan);
  const { databases, providerKey, apiKey, apiUrl, merchantId, topicPrefix, env } = prepared;
  const logs = options.logDir ?? scratchDir(mkdtempSync(join(tmpdir(), `${name}-logs-`)));
  const startProvider = starter(startOne, env, logs);
  const start = starter(
    startOne,
    (await options.reroute?.(env)) ?? env,
    logs,
    preload === undefined ? [] : ['--import', pathToFileURL(preload).href],
  );

  const sandboxApp = await startProvider('sandbox', { SANDBOX_PORT: at('sandbox') });
  const [{ apis, workers }, admin] = await Promise.all([
    startOrchestrator(start, shape, apiNames, workerNames, at),
    options.console === true ? start('admin', { ADMIN_PORT: at('admin') }) : null,
  ]);
  gate?.forwardTo(apiNames.map((api) => `https://127.0.0.1:${at(`${api}Tls`)}`));
  await registerAccount({ apiUrl, apiKey, merchantId, providerKey });
  const { orchestrator } = databases;
  const other =
    options.fulfilment === true
      ? await startFulfilment(options, { orchestrator, platformId: name, apiUrl, env, logs })
      : null;
  const apps = [...new Set([...apis, ...workers]), ...(admin === null ? [] : [admin]), sandboxApp];
  return {
    databases: { ...databases, fulfilment: other?.database ?? null },
    topicPrefix,
    env,
    shape,
    apis,
    workers,
    admin,
    apps,
    apiKey,
    merchantId,
    fulfilment: other?.app ?? null,
    brokers: brokers.split(','),
    sandbox: new Sandbox(sandboxApp.url, providerKey),
    shopUrl: `http://127.0.0.1:${at('shop')}`,
    stop: async () => {
      await Promise.all([...apps, ...(other ? [other.app] : [])].map((app) => app.stop()));
      const made = [...Object.values(databases), ...(other ? [other.database] : [])];
      for (const url of made) await dropDatabase(databaseUrl, url);
    },
  };
};
