import { BrokersUnavailable } from 'payment-orchestrator-subscriber';
import { uniqueName, waitFor } from '#testing';
import { GroupLag } from '../../packages/subscriber/group-lag.js';
import { TcpProxy } from '../messaging/tcp-proxy.js';
import {
  brokerAddress,
  type Harness,
  history,
  kafkaThrough,
  lendServiceDatabases,
  startHarness,
} from './harness.js';

const REQUEST_TIMEOUT_MS = 1_000;

const databases = lendServiceDatabases();
let harness: Harness;
let proxy: TcpProxy;
let groupLag: GroupLag;
beforeEach(async () => {
  harness = await startHarness(databases);
  await harness.createTopics();
  proxy = await TcpProxy.start(brokerAddress());
  groupLag = new GroupLag(kafkaThrough(proxy, REQUEST_TIMEOUT_MS));
});
afterEach(async () => {
  await groupLag.close();
  await proxy.end();
  await harness.end();
});

const lag = (groupId = uniqueName('group')): Promise<number> =>
  groupLag.lag(groupId, [harness.topicOf()]);

/** A new partition may have no leader for a moment. */
const lagIs = (count: number): Promise<boolean> => waitFor(async () => (await lag()) === count);

test('the lag of a consumer group that has not started is the number of all messages', async () => {
  await harness.send(history('1', '2', '3').map(harness.encode));
  await lagIs(3);
});

test('the lag cannot be read while the brokers are unreachable, and can be read when they are back', async () => {
  proxy.cut();
  await expect(lag()).rejects.toBeInstanceOf(BrokersUnavailable);
  proxy.restore();
  await lagIs(0);
  proxy.cut();
  await expect(lag()).rejects.toBeInstanceOf(BrokersUnavailable);
  proxy.restore();
  await lagIs(0);
});

test('an invalid lag request is reported as a bug, not as an outage of the brokers', async () => {
  const error = await lag('').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(BrokersUnavailable);
  await lagIs(0);
});
