import { createServer } from 'node:http';
import {
  type AddressInfo,
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { allowForPauses } from './address-attempts.js';
import { GuardedPost } from './guarded-post.js';

const byDefault = getDefaultAutoSelectFamilyAttemptTimeout();
afterEach(() => setDefaultAutoSelectFamilyAttemptTimeout(byDefault));

const blockFor = (ms: number): void => {
  for (const startedMs = performance.now(); performance.now() - startedMs < ms;);
};

test('a process that is blocked for half a second while it connects to a host with two addresses still sends its request', async () => {
  // The name localhost has the addresses 127.0.0.1 and ::1; the receiver listens on the first one.
  const receiver = createServer((_request, response) => response.end());
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const url = `http://localhost:${(receiver.address() as AddressInfo).port}/`;
  allowForPauses();
  const post = new GuardedPost({ timeoutMs: 10_000, allowsLoopback: true, allowsHttp: true });
  const sent = post.send(url, {}, '{}');
  await nextTurn();
  blockFor(500);
  expect(await sent).toEqual({ kind: 'http', status: 200, body: '' });
  await post.close();
  receiver.close();
});
