import { join } from 'node:path';
import { waitFor } from '#testing';
import { Kafka, logLevel } from 'kafkajs';
import { newClusterId, type RunningKafka, startKafka } from '../infra/kafka.mjs';
import { freePort } from '../infra/processes.mjs';

const IDS = [1, 2, 3];

/** Each message is stored by three brokers, two of which acknowledge it. */
const REPLICATED = {
  'offsets.topic.replication.factor': '3',
  'transaction.state.log.replication.factor': '3',
  'transaction.state.log.min.isr': '2',
  'default.replication.factor': '3',
  'min.insync.replicas': '2',
};

export interface KafkaCluster {
  /** host:port of each broker, comma-separated. */
  readonly brokers: string;
  readonly members: readonly RunningKafka[];
  /** Waits until every broker has all messages of every partition. */
  untilInSync(): Promise<void>;
  stop(): Promise<void>;
}

const IN_SYNC_WITHIN_MS = 120_000;

/** Whether each partition has as many replicas in sync as the cluster has brokers. */
const isInSync = async (brokers: readonly string[]): Promise<boolean> => {
  const kafka = new Kafka({
    clientId: 'in-sync',
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
  });
  const admin = kafka.admin();
  try {
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata();
    const partitions = topics.flatMap((topic) => topic.partitions);
    return partitions.every(({ isr }) => isr.length === IDS.length);
  } catch {
    return false; // A broker does not respond yet; the caller decides how long to retry.
  } finally {
    await admin.disconnect();
  }
};

/** Starts a cluster of three brokers with their data below `dir`. */
export const startKafkaCluster = async (dir: string, logDir: string): Promise<KafkaCluster> => {
  const clusterId = newClusterId();
  const places = [];
  for (const id of IDS) {
    places.push({ id, port: await freePort(), controllerPort: await freePort() });
  }
  const voters = places
    .map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`)
    .join(',');
  const members = await Promise.all(
    places.map(({ id, port, controllerPort }) =>
      startKafka({
        dir: join(dir, `broker-${id}`),
        port,
        controllerPort,
        logFile: join(logDir, `kafka-${id}.log`),
        settings: REPLICATED,
        member: { id, voters, clusterId },
      }),
    ),
  );
  const brokers = members.map((member) => member.brokers);
  return {
    brokers: brokers.join(','),
    members,
    untilInSync: async () => {
      await waitFor(() => isInSync(brokers), { timeoutMs: IN_SYNC_WITHIN_MS, everyMs: 500 });
    },
    stop: async () => {
      await Promise.all(members.map((member) => member.stop()));
    },
  };
};
