import { join } from 'node:path';
import { waitFor } from '#testing';
import { Kafka, logLevel } from 'kafkajs';
import { newClusterId, type RunningKafka, startKafka } from '../infra/kafka.mjs';
import { freePort } from '../infra/processes.mjs';

const IDS = [1, 2, 3];
const CONTROLLER_ID = 9;

/** Three brokers store each message, and two of them must acknowledge it. */
const REPLICATED = {
  'offsets.topic.replication.factor': '3',
  'transaction.state.log.replication.factor': '3',
  'transaction.state.log.min.isr': '2',
  'default.replication.factor': '3',
  'min.insync.replicas': '2',
};

export interface KafkaCluster {
  /** The addresses (host:port) of all brokers, separated by commas. */
  readonly brokers: string;
  readonly members: readonly RunningKafka[];
  /** Waits until every broker has all messages of every partition. */
  untilInSync(): Promise<void>;
  /**
   * Waits until the first broker leads every partition and is the only broker in sync. The first
   * broker then responds to all requests, and it refuses messages only because of
   * `min.insync.replicas`.
   */
  untilFirstIsAlone(): Promise<void>;
  stop(): Promise<void>;
}

const WITHIN_MS = 120_000;

interface Partition {
  readonly leader: number;
  readonly isr: readonly number[];
}

/** Whether the brokers report for each partition of each topic that `isSo` is true. */
const everyPartition = async (
  brokers: readonly string[],
  isSo: (partition: Partition) => boolean,
): Promise<boolean> => {
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
    return partitions.every(isSo);
  } catch {
    return false; // A broker does not respond yet; the caller decides how long to retry.
  } finally {
    await admin.disconnect();
  }
};

/**
 * Starts a cluster of three brokers with their data below `dir`. The controller is a separate
 * process that is never killed. If the brokers were the controllers, two missing brokers would
 * leave no quorum, and this would stop all writes regardless of `min.insync.replicas`.
 */
export const startKafkaCluster = async (dir: string, logDir: string): Promise<KafkaCluster> => {
  const clusterId = newClusterId();
  const controllerPort = await freePort();
  const cluster = { clusterId, voters: `${CONTROLLER_ID}@127.0.0.1:${controllerPort}` };
  const controller = await startKafka({
    dir: join(dir, 'controller'),
    port: controllerPort,
    controllerPort,
    logFile: join(logDir, 'kafka-controller.log'),
    settings: REPLICATED,
    member: { ...cluster, id: CONTROLLER_ID, role: 'controller' },
  });
  const places = [];
  for (const id of IDS) places.push({ id, port: await freePort() });
  const members = await Promise.all(
    places.map(({ id, port }) =>
      startKafka({
        dir: join(dir, `broker-${id}`),
        port,
        controllerPort,
        logFile: join(logDir, `kafka-${id}.log`),
        settings: REPLICATED,
        member: { ...cluster, id, role: 'broker' },
      }),
    ),
  );
  const brokers = members.map((member) => member.brokers);
  return {
    brokers: brokers.join(','),
    members,
    untilInSync: async () => {
      const isInSync = ({ isr }: Partition): boolean => isr.length === IDS.length;
      await waitFor(() => everyPartition(brokers, isInSync), {
        timeoutMs: WITHIN_MS,
        everyMs: 500,
      });
    },
    untilFirstIsAlone: async () => {
      const [first = ''] = brokers;
      const isAlone = ({ leader, isr }: Partition): boolean =>
        leader === IDS[0] && isr.length === 1;
      await waitFor(() => everyPartition([first], isAlone), {
        timeoutMs: WITHIN_MS,
        everyMs: 500,
      });
    },
    stop: async () => {
      await Promise.all(members.map((member) => member.stop()));
      await controller.stop();
    },
  };
};
