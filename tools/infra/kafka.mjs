import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';

import { lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { java } from './java.mjs';
import { KAFKA_LIB } from './kafka-jars.mjs';
import { stateDir } from './paths.mjs';
import { scratchDir, supervise, waitReady } from './processes.mjs';
import { KAFKA_HEAP, KAFKA_SETTINGS, KAFKA_VERSION } from './settings.mjs';

/**
 * The Kafka properties that depend on the role of the process: its listeners, and the controllers.
 * @param {{ port: number, controllerPort: number, member?: import('./kafka.d.mts').ClusterMember }}
 * where
 */
const roleProperties = ({ port, controllerPort, member }) => {
  const broker = `PLAINTEXT://127.0.0.1:${port}`;
  const controller = `CONTROLLER://127.0.0.1:${controllerPort}`;
  const {
    id = 1,
    voters = `1@127.0.0.1:${controllerPort}`,
    role = 'broker,controller',
  } = member ?? {};
  const isBroker = role !== 'controller';
  const listeners = [...(isBroker ? [broker] : []), ...(role !== 'broker' ? [controller] : [])];
  return {
    'process.roles': role,
    'node.id': String(id),
    'controller.quorum.voters': voters,
    listeners: listeners.join(','),
    ...(isBroker
      ? { 'advertised.listeners': broker, 'inter.broker.listener.name': 'PLAINTEXT' }
      : {}),
  };
};

/**
 * @param {{ dir: string, port: number, controllerPort: number, settings: Record<string, string>,
 *   member?: import('./kafka.d.mts').ClusterMember }} where
 */
const serverProperties = ({ dir, settings, ...where }) =>
  Object.entries({
    ...roleProperties(where),
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': join(dir, 'data'),
    ...KAFKA_SETTINGS,
    ...settings,
  })
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

/**
 * Java flags for a broker that runs only for one test run: they shorten the broker's start, but
 * limit the optimisation of the broker's code.
 */
const QUICK_START = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'];

const javaFlags = (jvm = 'quick start') => [
  KAFKA_HEAP,
  ...(jvm === 'ordinary' ? [] : QUICK_START),
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
  '-cp',
  [join(KAFKA_LIB, '*')].join(delimiter),
];

/** @type {typeof import('./kafka.mjs').newClusterId} */
export const newClusterId = () => {
  const random = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
  return random.replace(/^-/, 'A'); // A leading dash would be read as an option.
};

/** @param {string} dir @param {string} properties @param {string} clusterId */
const format = async (dir, properties, clusterId) => {
  if (existsSync(join(dir, 'data', 'meta.properties'))) return;
  const args = ['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', properties];
  const { code, output } = await run(java(), [...javaFlags(), ...args]);
  if (code !== 0) {
    throw new Failure(
      'Kafka could not create its data folder: see its output above.',
      lastLines(output),
    );
  }
};

/**
 * Creates the data folder of a single throwaway broker as a copy of the first one that was
 * formatted: Java takes a CPU second to write the same few files, which contain no path or port.
 * All these brokers have the same cluster id.
 * @param {string} dir @param {string} properties
 */
const copyFormatted = async (dir, properties) => {
  const kept = join(stateDir('kafka-formatted'), KAFKA_VERSION);
  if (existsSync(kept)) {
    cpSync(kept, join(dir, 'data'), { recursive: true });
    return;
  }
  await format(dir, properties, newClusterId());
  const unfinished = `${kept}.${process.pid}`;
  cpSync(join(dir, 'data'), unfinished, { recursive: true });
  try {
    renameSync(unfinished, kept);
  } catch {
    rmSync(unfinished, { recursive: true }); // Another process was faster.
  }
};

/**
 * Whether the broker and its group coordinator respond: a consumer could not join while the
 * coordinator is still loading.
 * @param {string} brokers comma-separated host:port
 * @param {import('kafkajs').SASLOptions} [sasl]
 */
export const answersConsumers = async (brokers, sasl) => {
  const { Kafka, logLevel } = await import('./kafkajs.mjs');
  const kafka = new Kafka({
    clientId: 'readiness',
    brokers: brokers.split(','),
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    retry: { retries: 0 },
    ...(sasl === undefined ? {} : { sasl }),
  });
  const admin = kafka.admin();
  try {
    await admin.connect();
    await admin.listTopics(); // Makes the client load the list of brokers, which the next call needs.
    await admin.fetchOffsets({ groupId: 'readiness' });
    return true;
  } catch {
    return false; // The broker is not ready yet; the caller decides how long to retry.
  } finally {
    await admin.disconnect();
  }
};

/** @param {number} port */
const listens = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (found) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });

/**
 * Starts Apache Kafka as one process, which by default is both broker and controller (KRaft).
 * @param {{ dir: string, port: number, controllerPort: number, logFile: string, throwaway?:
 * boolean, settings?: Record<string, string>, sasl?: import('kafkajs').SASLOptions, jvm?: 'quick
 * start' | 'ordinary', member?: import('./kafka.d.mts').ClusterMember }} options a throwaway `dir`
 * is deleted at the end
 * @returns {Promise<{ brokers: string, restart: () => Promise<void>, kill9: () => Promise<void>,
 * stop: () => Promise<void> }>}
 */
export const startKafka = async ({
  dir,
  port,
  controllerPort,
  logFile,
  throwaway = false,
  settings = {},
  sasl,
  jvm,
  member,
}) => {
  mkdirSync(dir, { recursive: true });
  if (throwaway) scratchDir(dir);
  const properties = join(dir, 'server.properties');
  writeFileSync(properties, serverProperties({ dir, port, controllerPort, settings, member }));
  if (throwaway && member === undefined) await copyFormatted(dir, properties);
  else await format(dir, properties, member?.clusterId ?? newClusterId());
  const brokers = `127.0.0.1:${port}`;
  const isReady = () =>
    member?.role === 'controller' ? listens(controllerPort) : answersConsumers(brokers, sasl);
  const launch = async () => {
    const server = supervise(java(), [...javaFlags(jvm), 'kafka.Kafka', properties], {
      name: 'Kafka',
      logFile,
      cwd: dir,
      stopSignal: throwaway ? 'SIGKILL' : 'SIGTERM',
      stopTimeoutMs: 20_000,
    });
    await waitReady(server, isReady, { timeoutMs: 60_000 });
    return server;
  };
  let server = await launch();
  return {
    brokers,
    get pid() {
      return server.pid;
    },
    restart: async () => {
      await server.stop();
      server = await launch();
    },
    kill9: () => server.kill9(),
    stop: () => server.stop(),
  };
};
