import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorkerBench, quiet, specSecretsKey, START } from './worker.fixture.js';
import { startWorker } from './worker-app.js';

/** An address at which nobody listens any more. */
const deadAddress = async (): Promise<string> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
};

test('while Kafka is away the followed clock hears that we cannot tell, and why', async () => {
  const bench = await WorkerBench.open('http://127.0.0.1:9');
  process.env['CLOCK_URL'] = 'http://127.0.0.1:9/sandbox/clock';
  process.env['KAFKA_BROKERS'] = await deadAddress();
  const worker = await startWorker(
    {
      databaseUrl: bench.database.url, port: 0, providerUrl: 'http://127.0.0.1:9',
      partnersUrl: 'http://127.0.0.1:9', manageUrl: 'http://127.0.0.1:9',
      partnerKeys: { test: null, live: null },
      readsPerMinute: 1_000_000, publicWebhookUrl: 'https://127.0.0.1', secretsKey: specSecretsKey,
    },
    { logger: quiet, ownsProcess: false },
  );
  try {
    const answer = await fetch(`${worker.url}/clock`, {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ now: START }),
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(await answer.json()).toMatchObject({
      code: 'kafka_away', detail: expect.stringContaining('Kafka'),
    });
  } finally {
    delete process.env['CLOCK_URL'];
    await worker.close();
    await bench.close();
  }
});
