import { createHook } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '#platform';
import { createTopics, kafkaBrokers, uniqueName } from '#testing';
import { createKafka } from './kafka-config.js';

const kafka = createKafka(
  {
    brokers: kafkaBrokers(),
    topics: { prefix: '', partitions: 1, replication: 1 },
    tls: null,
    sasl: null,
  },
  'spec',
  createLogger('spec', { level: 'silent' }),
);
const admin = kafka.admin();

beforeAll(() => admin.connect());
afterAll(() => admin.disconnect());

test('a connection to a broker runs no timers while its request queue is empty', async () => {
  await admin.listTopics();
  let timers = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'Timeout') timers += 1;
    },
  });
  hook.enable();
  await sleep(200);
  hook.disable();
  // The maximum includes the timer with which this spec waits.
  expect(timers).toBeLessThan(5);
});

test('requests that are queued behind other requests of a connection are sent', async () => {
  const topic = uniqueName('idle');
  await createTopics(admin, [{ topic, numPartitions: 1 }]);
  const producer = kafka.producer({ maxInFlightRequests: 1 });
  await producer.connect();
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      producer.send({ topic, messages: [{ value: String(n) }] }),
    ),
  );
  await producer.disconnect();
  const [offsets] = await admin.fetchTopicOffsets(topic);
  expect(offsets?.high).toBe('20');
  await admin.deleteTopics({ topics: [topic] });
});
