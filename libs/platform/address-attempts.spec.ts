import { createServer } from 'node:http';
import {
  type AddressInfo,
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { createLogger, GuardedPost, startHttpApp } from './index.js';

@Module({})
class NothingModule {}

/** Node's own time limit for one address, which other specs of this process may have changed. */
const NODES_OWN_MS = 250;
const before = getDefaultAutoSelectFamilyAttemptTimeout();
beforeEach(() => setDefaultAutoSelectFamilyAttemptTimeout(NODES_OWN_MS));
afterEach(() => setDefaultAutoSelectFamilyAttemptTimeout(before));

const blockFor = (ms: number): void => {
  for (const startedMs = performance.now(); performance.now() - startedMs < ms;);
};

test('an app whose process is blocked for half a second while it connects to a host with two addresses still sends its request', async () => {
  // The name localhost has the addresses 127.0.0.1 and ::1; the receiver listens on the first one.
  const receiver = createServer((_request, response) => response.end());
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const url = `http://localhost:${(receiver.address() as AddressInfo).port}/`;
  const app = await startHttpApp({
    name: 'pauses',
    module: NothingModule,
    port: 0,
    ownsProcess: false,
    logger: createLogger('pauses', { level: 'silent' }),
  });
  const post = new GuardedPost({ timeoutMs: 10_000, allowsLoopback: true, allowsHttp: true });
  const sent = post.send(url, {}, '{}');
  await nextTurn();
  blockFor(500);
  expect(await sent).toEqual({ kind: 'http', status: 200, body: '' });
  await post.close();
  await app.close();
  receiver.close();
});
