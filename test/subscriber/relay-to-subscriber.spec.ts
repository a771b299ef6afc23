import { PostgresStore, Subscriber } from 'payment-orchestrator-subscriber';
import { waitFor } from '#testing';
import { type Harness as Relaying, startHarness as startRelaying } from '../messaging/harness.js';
import { type Harness, startHarness, upTo } from './harness.js';

/** Runs the orchestrator's relay together with a subscriber of another service. */

let orchestrator: Relaying;
let service: Harness;
beforeEach(async () => {
  orchestrator = await startRelaying();
  service = await startHarness();
});
afterEach(async () => {
  await service.end();
  await orchestrator.end();
});

test('a subscriber of another service receives every committed event, in order', async () => {
  orchestrator.relay(orchestrator.publisher()).start();
  const { prefix } = orchestrator.settings.topics;
  const subscriber = new Subscriber({
    kafka: service.kafka,
    streams: ['order'],
    handlers: {},
    logger: service.logger,
    topicPrefix: prefix,
    store: new PostgresStore(service.pool, 'reader'),
  });
  service.onEnd(() => subscriber.stop());
  subscriber.start();
  const streams = upTo(8).map(() => orchestrator.newStream());
  await Promise.all(
    streams.map(async (id) => {
      for (let round = 0; round < 10; round += 1) {
        await orchestrator.note(id, `a${round}`, `b${round}`);
        await orchestrator.hum(id);
      }
    }),
  );
  // All 240 events count as unknown, because the subscriber knows none of this test's event types.
  await waitFor(() => subscriber.counts.unknown === 240);
  const { rows } = await service.pool.query('SELECT version FROM subscriber_streams');
  expect(rows).toEqual(streams.map(() => ({ version: 30 })));
  expect(subscriber.counts).toMatchObject({ undecodable: 0, blocked: 0, kept: 0 });
  await waitFor(async () => (await subscriber.lag()) === 0);
});
