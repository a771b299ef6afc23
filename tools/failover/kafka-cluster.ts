import { join } from 'node:path';
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
}

/** Starts a cluster of three brokers, which are deleted when this process ends. */
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
        throwaway: true,
        settings: REPLICATED,
        member: { id, voters, clusterId },
      }),
    ),
  );
  return { brokers: members.map(({ brokers }) => brokers).join(','), members };
};
