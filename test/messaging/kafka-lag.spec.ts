import { BrokersAway, GroupLag, topicOf } from '#messaging';
import { uniqueName } from '#testing';
import { brokerAddress, type Harness, kafkaThrough, startHarness } from './harness.js';
import { TcpProxy } from './tcp-proxy.js';

const REQUEST_TIMEOUT_MS = 1_000;

let harness: Harness;
let proxy: TcpProxy;
let groupLag: GroupLag;
beforeEach(async () => {
  harness = await startHarness();
  await harness.prepare();
  proxy = await TcpProxy.start(brokerAddress());
  groupLag = new GroupLag(kafkaThrough(proxy, REQUEST_TIMEOUT_MS));
});
afterEach(async () => {
  await groupLag.close();
  await proxy.end();
  await harness.end();
});

const lag = (groupId = uniqueName('group')): Promise<number> =>
  groupLag.lag(groupId, [topicOf('order', harness.settings.topics)]);

test('while the brokers cannot be reached, or go away, it says so; then it counts again', async () => {
  proxy.cut();
  await expect(lag()).rejects.toBeInstanceOf(BrokersAway);
  proxy.mend();
  expect(await lag()).toBe(0);
  proxy.cut();
  await expect(lag()).rejects.toBeInstanceOf(BrokersAway);
  proxy.mend();
  expect(await lag()).toBe(0);
});

test('a question that makes no sense is our mistake, not an absence of the brokers', async () => {
  const asked = await lag('').catch((error: unknown) => error);
  expect(asked).toBeInstanceOf(Error);
  expect(asked).not.toBeInstanceOf(BrokersAway);
  expect(await lag()).toBe(0);
});
