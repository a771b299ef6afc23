import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureTopics, KafkaPublisher } from '#kafka';
import { createLogger } from '#platform';
import { freePort, waitFor } from '#testing';
import kafkajs, { type Admin, Kafka, logLevel } from 'kafkajs';
import { parse } from 'yaml';
import { programFile } from '../../tools/infra/programs.mjs';
import { type RunningKafka, startKafka } from '../../tools/infra/kafka.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';

/**
 * Checks who may write to a topic, on a broker with the settings of docker-compose.yml; only paths
 * and ports differ.
 */

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

const PASSWORD = 'development';
const TOPIC = 'orders.v1';
const RULE = {
  resourceType: AclResourceTypes.TOPIC,
  resourceName: TOPIC,
  resourcePatternType: ResourcePatternTypes.LITERAL,
} as const;
const quiet = createLogger('spec', { level: 'silent' });
const topics = { prefix: '', partitions: 1, replication: 1 };

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  readonly services: { readonly kafka: { readonly environment: Readonly<Record<string, string>> } };
};

/**
 * The broker properties that the Kafka image derives from its environment variables, except the
 * properties in `places`, which contain paths and ports that differ on this machine.
 */
const settingsOf = (places: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(compose.services.kafka.environment)
      .filter(([name]) => /^KAFKA_(?!HEAP_OPTS)/.test(name))
      .map(
        ([name, value]) =>
          [
            name.replace('KAFKA_', '').toLowerCase().replaceAll('_', '.'),
            String(value).replaceAll(/\$\{\w+:-(\w*)\}/g, '$1'),
          ] as const,
      )
      .filter(([name]) => !places.includes(name)),
  );

let kafka: RunningKafka;
beforeAll(async () => {
  const dir = scratchDir(mkdtempSync(join(tmpdir(), 'kafka-access-')));
  const [port, controllerPort] = [await freePort(), await freePort()];
  kafka = await startKafka({
    dir: join(dir, 'kafka'),
    port,
    controllerPort,
    logFile: join(dir, 'kafka.log'),
    throwaway: true,
    sasl: { mechanism: 'plain', username: 'admin', password: PASSWORD },
    settings: {
      ...settingsOf(['log.dirs', 'listeners', 'advertised.listeners', 'controller.quorum.voters']),
      listeners: `CLIENT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
      'advertised.listeners': `CLIENT://127.0.0.1:${port}`,
    },
  });
  await grant({});
}, 300_000);
afterAll(() => kafka.stop());

/** Runs the program that sets the ACLs, as the brokers' administrator. */
const grant = (settings: Readonly<Record<string, string>>) =>
  promisify(execFile)(process.execPath, [programFile('kafka-access')], {
    env: {
      PATH: process.env['PATH'],
      KAFKA_BROKERS: kafka.brokers,
      KAFKA_SASL_MECHANISM: 'plain',
      KAFKA_SASL_USERNAME: 'admin',
      KAFKA_SASL_PASSWORD: PASSWORD,
      ...settings,
    },
  });

const as = (username: string, password = PASSWORD): Kafka =>
  new Kafka({
    clientId: username,
    brokers: [kafka.brokers],
    logLevel: logLevel.NOTHING,
    retry: { retries: 1 },
    sasl: { mechanism: 'plain', username, password },
  });

/** The name that the brokers use for an operation, such as `WRITE`. */
const nameOf = (operation: number): string | undefined =>
  Object.entries(AclOperationTypes).find(([, value]) => Number(value) === operation)?.[0];

const asAdminOf = async <T>(client: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = client.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};

const forge = async (client: Kafka): Promise<void> => {
  const producer = client.producer({ retry: { retries: 0 } });
  await producer.connect();
  try {
    await producer.send({ topic: TOPIC, acks: -1, messages: [{ key: 'ord_1', value: 'paid' }] });
  } finally {
    await producer.disconnect();
  }
};

/** Does what the worker does: creates its topics and publishes a message. */
const publish = async (value: string, prefix = ''): Promise<void> => {
  const client = as('worker');
  const publisher = new KafkaPublisher(client, () =>
    ensureTopics(client, { ...topics, prefix }, quiet),
  );
  await publisher.publish([
    {
      topic: `${prefix}${TOPIC}`,
      key: 'ord_1',
      value,
      headers: {},
    },
  ]);
  await publisher.close();
};

/** Reads a topic as the user `subscriber` until it contains the message. */
const readUntil = async (value: string, topic: string, groupId: string): Promise<void> => {
  const seen: string[] = [];
  const consumer = as('subscriber').consumer({ groupId, retry: { retries: 0 } });
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ message }) => {
        seen.push(String(message.value));
      },
    });
    await waitFor(() => seen.includes(value), { timeoutMs: 60_000 });
  } finally {
    await consumer.disconnect();
  }
};

test('the worker can create and write the topics, and another service can read the topics', async () => {
  await publish('first');
  await readUntil('first', TOPIC, 'fulfilment');
});

test('topics with the prefix of a platform are read only by the reader of this prefix', async () => {
  await grant({ TOPIC_PREFIX: 'acme.', KAFKA_READER: 'acme' });
  await grant({ TOPIC_PREFIX: 'shop.' });
  await publish('of acme', 'acme.');
  await publish('of shop', 'shop.');
  await readUntil('of shop', `shop.${TOPIC}`, 'shop.fulfilment');
  await expect(readUntil('of acme', `acme.${TOPIC}`, 'shop.fulfilment')).rejects.toThrow(
    /authoriz/i,
  );
});

test('the rights on topics with a prefix include only consumer groups with this prefix', async () => {
  await grant({ TOPIC_PREFIX: 'acme.', KAFKA_READER: 'acme' });
  const { resources } = await asAdminOf(as('admin'), (admin) =>
    admin.describeAcls({
      resourceType: AclResourceTypes.GROUP,
      resourcePatternType: ResourcePatternTypes.ANY,
      principal: 'User:acme',
      permissionType: AclPermissionTypes.ANY,
      operation: AclOperationTypes.ANY,
    }),
  );
  const groups = resources.map(({ resourceName, resourcePatternType }) => [
    resourceName,
    resourcePatternType,
  ]);
  expect(groups).toEqual([['acme.', ResourcePatternTypes.PREFIXED]]);
});

test('a service that reads the topics can neither write, create nor delete a topic, nor grant rights', async () => {
  await publish('second');
  const subscriber = as('subscriber');
  await expect(forge(subscriber)).rejects.toThrow(/authoriz/i);
  await asAdminOf(subscriber, async (admin) => {
    await expect(admin.createTopics({ topics: [{ topic: 'mine' }] })).rejects.toThrow();
    await expect(admin.deleteTopics({ topics: [TOPIC] })).rejects.toThrow();
    await expect(
      admin.createAcls({
        acl: [
          {
            ...RULE,
            principal: 'User:subscriber',
            host: '*',
            operation: AclOperationTypes.WRITE,
            permissionType: AclPermissionTypes.ALLOW,
          },
        ],
      }),
    ).rejects.toThrow(/authoriz/i);
  });
});

test('among the product’s Kafka users, only the worker may write to topics, and the worker may neither read nor delete topics', async () => {
  const { resources } = await asAdminOf(as('admin'), (admin) =>
    admin.describeAcls({
      ...RULE,
      permissionType: AclPermissionTypes.ANY,
      operation: AclOperationTypes.ANY,
    }),
  );
  const rights = resources
    .flatMap(({ acls }) => acls)
    .map(({ principal, operation }) => `${principal} ${nameOf(operation)}`);
  expect(rights.sort()).toEqual([
    'User:subscriber DESCRIBE',
    'User:subscriber READ',
    'User:worker CREATE',
    'User:worker DESCRIBE',
    'User:worker DESCRIBE_CONFIGS',
    'User:worker WRITE',
  ]);
  await asAdminOf(as('worker'), async (admin) => {
    await expect(admin.deleteTopics({ topics: [TOPIC] })).rejects.toThrow(/authoriz/i);
  });
});

test('a Kafka client without a user, or with another user’s password, cannot connect', async () => {
  const nameless = new Kafka({
    brokers: [kafka.brokers],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 2_000,
    requestTimeout: 2_000,
    retry: { retries: 0 },
  });
  await expect(forge(nameless)).rejects.toThrow();
  await expect(forge(as('worker', 'wrong'))).rejects.toThrow(/SASL|auth/i);
});
