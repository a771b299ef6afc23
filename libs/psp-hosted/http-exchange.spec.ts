import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { exchange, type HttpAnswer, type HttpFailure } from './http-exchange.js';
import { json, MisbehavingServer, silence } from './misbehaving-server.fixture.js';

describe('a request that waits for the only connection to the provider', () => {
  let server: MisbehavingServer;
  let agent: Agent;

  const post = (timeoutMs: number): Promise<HttpAnswer | HttpFailure> =>
    exchange(
      agent,
      { origin: server.url, path: '/', method: 'POST', body: '{}' },
      { timeoutMs, maxBodyBytes: 1_000 },
    );

  beforeEach(async () => {
    server = await MisbehavingServer.start();
    agent = new Agent({ connections: 1, pipelining: 1 });
  });
  afterEach(async () => {
    await agent.destroy();
    await server.stop();
  });

  test('fails as not sent if its time limit ends before the connection is free, and is not sent later', async () => {
    server.always((response, request) => {
      setTimeout(() => json(200, {})(response, request), 1_000);
    });
    const occupying = post(10_000);
    await sleep(200);
    expect(await post(100)).toMatchObject({ type: 'failure', sent: false, reason: 'timeout' });
    expect(await occupying).toMatchObject({ type: 'answer', status: 200 });
    await sleep(100);
    expect(server.requests).toHaveLength(1);
    server.always(json(200, {}));
    expect(await post(10_000)).toMatchObject({ type: 'answer', status: 200 });
  });

  test('is sent after the previous request has timed out; the timed-out request counts as sent', async () => {
    server.always(json(200, {}));
    server.first(silence);
    const first = post(500);
    const second = post(10_000);
    expect(await first).toMatchObject({ type: 'failure', sent: true, reason: 'timeout' });
    expect(await second).toMatchObject({ type: 'answer', status: 200 });
  });
});
