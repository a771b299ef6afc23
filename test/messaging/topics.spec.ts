import kafkajs from 'kafkajs';
import { ensureTopics, TOPIC_NAMES, topicOf, UnsafeTopic } from '#kafka';
import { type Harness, lendHarnessDatabases, startHarness } from './harness.js';

const databases = lendHarnessDatabases();
let harness: Harness;
beforeEach(async () => {
  harness = await startHarness({}, databases);
});
afterEach(() => harness.end());

const withAdmin = async <T>(work: (admin: kafkajs.Admin) => Promise<T>): Promise<T> => {
  const admin = harness.kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};

test('missing topics are created with unlimited retention and the configured number of partitions', async () => {
  await Promise.all([harness.prepare(), harness.prepare()]);
  await harness.prepare();
  const { topics } = harness.settings;
  const names = Object.values(TOPIC_NAMES).map((name) => `${topics.prefix}${name}`);
  await withAdmin(async (admin) => {
    const metadata = await admin.fetchTopicMetadata({ topics: names });
    expect(metadata.topics.map(({ partitions }) => partitions.length)).toEqual(names.map(() => 3));
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
    });
    for (const { configEntries } of resources) {
      const config = new Map(configEntries.map((entry) => [entry.configName, entry.configValue]));
      expect(config.get('retention.ms')).toBe('-1');
      expect(config.get('retention.bytes')).toBe('-1');
      expect(config.get('cleanup.policy')).toBe('delete');
    }
  });
});

test('every partition of a new topic accepts messages immediately', async () => {
  const { topics } = harness.settings;
  const many = { ...topics, partitions: 30 };
  await ensureTopics(harness.kafka, many, harness.logger);
  const producer = harness.kafka.producer({ retry: { retries: 0 } });
  harness.onEnd(() => producer.disconnect());
  await producer.connect();
  await producer.sendBatch({
    acks: -1,
    topicMessages: Object.values(TOPIC_NAMES).map((name) => ({
      topic: `${many.prefix}${name}`,
      messages: Array.from({ length: many.partitions }, (_, partition) => ({
        partition,
        value: 'first',
      })),
    })),
  });
});

test.each([
  ['retention.ms', '60000'],
  ['retention.bytes', '1000'],
])(
  'a topic with limited retention (%s) is refused, and the error contains the command that corrects the retention',
  async (name, value) => {
    const topic = topicOf('order', harness.settings.topics);
    const configEntries = Object.entries({ 'retention.ms': '-1', [name]: value }).map(
      ([key, set]) => ({ name: key, value: set }),
    );
    await withAdmin((admin) =>
      admin.createTopics({
        topics: [{ topic, configEntries }],
        waitForLeaders: false,
      }),
    );
    const refused = ensureTopics(harness.kafka, harness.settings.topics, harness.logger);
    await expect(refused).rejects.toThrow(UnsafeTopic);
    await expect(refused).rejects.toThrow(`${name}=${value}`);
    await expect(refused).rejects.toThrow(`--add-config ${name}=-1`);
  },
);
