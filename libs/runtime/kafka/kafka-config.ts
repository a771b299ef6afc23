import { readFileSync } from 'node:fs';
import { Kafka, type KafkaConfig, type LogEntry, logLevel, type SASLOptions } from 'kafkajs';
import {
  ConfigError,
  envFlag,
  envInt,
  envOptional,
  envSecret,
  envText,
  type Logger,
  refuseKnownSecret,
  requireTls,
} from '#platform';
import { brokerSocket } from './broker-socket.js';
import './idle-requests.js';
import { respondingBroker } from './responding-broker.js';
import type { TopicSettings } from './topics.js';

/**
 * How long a broker may take to accept a connection, and to respond to the first request, before
 * the next broker is tried.
 */
const PROBE_TIMEOUT_MS = 2_000;

/** The settings for connecting to the brokers and for creating our topics. */
export interface KafkaSettings {
  readonly brokers: readonly string[];
  readonly topics: TopicSettings;
  /**
   * The TLS settings; null for plain text. `ca` is the PEM of the trusted certificate authorities;
   * null for those of the system.
   */
  readonly tls: { readonly ca: string | null } | null;
  readonly sasl: SASLOptions | null;
}

const saslPassword = (): string =>
  refuseKnownSecret('KAFKA_SASL_PASSWORD', envSecret('KAFKA_SASL_PASSWORD'));

const saslFromEnv = (): SASLOptions | null => {
  const mechanism = envOptional('KAFKA_SASL_MECHANISM');
  if (mechanism === undefined) return null;
  const [username, password] = [envText('KAFKA_SASL_USERNAME'), saslPassword()];
  switch (mechanism.toLowerCase()) {
    case 'plain':
      return { mechanism: 'plain', username, password };
    case 'scram-sha-256':
      return { mechanism: 'scram-sha-256', username, password };
    case 'scram-sha-512':
      return { mechanism: 'scram-sha-512', username, password };
    default:
      throw new ConfigError(
        `KAFKA_SASL_MECHANISM must be plain, scram-sha-256 or scram-sha-512, not '${mechanism}'`,
      );
  }
};

const tlsFromEnv = (): KafkaSettings['tls'] => {
  const isTls = envFlag('KAFKA_TLS');
  requireTls('kafka', isTls, 'set KAFKA_TLS=1');
  if (!isTls) return null;
  const caFile = envOptional('KAFKA_CA_FILE');
  return { ca: caFile === undefined ? null : readFileSync(caFile, 'utf8') };
};

/**
 * Reads `KAFKA_BROKERS` (host:port, comma-separated), `KAFKA_PARTITIONS` (6), `KAFKA_REPLICATION`
 * (1), `TOPIC_PREFIX` (none), `KAFKA_TLS`, `KAFKA_CA_FILE`, `KAFKA_SASL_MECHANISM`,
 * `KAFKA_SASL_USERNAME` and `KAFKA_SASL_PASSWORD` (or `…_FILE`). In production TLS is required.
 *
 * @throws ConfigError
 */
export const kafkaSettingsFromEnv = (): KafkaSettings => ({
  brokers: envText('KAFKA_BROKERS')
    .split(',')
    .map((broker) => broker.trim()),
  topics: {
    prefix: envText('TOPIC_PREFIX', ''),
    partitions: envInt('KAFKA_PARTITIONS', 6, { min: 1, max: 10_000 }),
    replication: envInt('KAFKA_REPLICATION', 1, { min: 1, max: 100 }),
  },
  tls: tlsFromEnv(),
  sasl: saslFromEnv(),
});

/**
 * Writes the log lines of kafkajs at the level debug, because kafkajs logs an error at each attempt
 * to reach an unavailable broker. Our own code logs the beginning and the end of an outage.
 */
const logThrough =
  (logger: Logger) =>
  () =>
  (entry: LogEntry): void => {
    const { message, timestamp: _timestamp, logger: _source, ...details } = entry.log;
    const level = entry.level === logLevel.DEBUG ? 'trace' : 'debug';
    logger[level]({ namespace: entry.namespace, details }, message);
  };

/**
 * Creates a Kafka client whose requests have time limits. Its callers retry, with a new connection:
 * kafkajs would retry with the broker that did not respond.
 */
export const createKafka = (settings: KafkaSettings, clientId: string, logger: Logger): Kafka => {
  const { brokers, tls, sasl } = settings;
  const config: Omit<KafkaConfig, 'brokers'> = {
    clientId,
    connectionTimeout: 3_000,
    authenticationTimeout: 5_000,
    requestTimeout: 10_000,
    enforceRequestTimeout: true,
    retry: { retries: 0 },
    logLevel: logLevel.INFO,
    logCreator: logThrough(logger),
    socketFactory: brokerSocket,
  };
  if (tls !== null) config.ssl = tls.ca === null ? true : { ca: [tls.ca] };
  if (sasl !== null) config.sasl = sasl;
  const probeOf = (broker: string): Kafka =>
    new Kafka({ ...config, brokers: [broker], connectionTimeout: PROBE_TIMEOUT_MS });
  return new Kafka({ ...config, brokers: () => respondingBroker(brokers, probeOf) });
};
