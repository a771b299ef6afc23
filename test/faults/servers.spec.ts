import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentCertificate, freePort, uniqueName } from '#testing';
import { killEveryProcess } from '../../tools/chaos/postgres-kills.js';
import { startApp } from '../../tools/infra/apps.mjs';
import { type RunningKafka, startKafka } from '../../tools/infra/kafka.mjs';
import { type RunningPostgres, startPostgres } from '../../tools/infra/postgres.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';
import { CARDS } from '../../tools/stack/payer.js';
import { Flow } from '../support/flow.js';
import { brokenAtRest } from '../support/holds.js';

/**
 * PostgreSQL and Kafka are killed while two workers process orders; this spec starts its own
 * servers for that.
 */

let postgres: RunningPostgres;
let kafka: RunningKafka;
let flow: Flow;

beforeAll(async () => {
  const dir = scratchDir(mkdtempSync(join(tmpdir(), 'faults-')));
  [postgres, kafka] = await Promise.all([
    freePort().then((port) =>
      startPostgres({
        folder: uniqueName('faults'),
        port,
        password: 'only-here',
        logFile: join(dir, 'postgres.log'),
        throwaway: true,
      }),
    ),
    Promise.all([freePort(), freePort()]).then(([port, controllerPort]) =>
      startKafka({
        dir: join(dir, 'kafka'),
        port,
        controllerPort,
        logFile: join(dir, 'kafka.log'),
        throwaway: true,
      }),
    ),
  ]);
  const { certFile, keyFile, caFile } = developmentCertificate();
  flow = await Flow.start(
    { workers: 2, startApp },
    {
      databaseUrl: `${postgres.url}/postgres`,
      brokers: kafka.brokers,
      tls: { certFile, keyFile, caFile },
    },
  );
}, 120_000);
afterAll(async () => {
  await flow.stop();
  await Promise.all([postgres.stop(), kafka.stop()]);
}, 60_000);

const place = async (): Promise<string> => (await flow.place()).id;

const pay = async (id: string): Promise<void> => {
  const { payer, paymentId } = await flow.page(id);
  await payer.pay(CARDS.plain);
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(id, 'paid');
};

test('two workers that run concurrently send each provider request once', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, place));
  await Promise.all(ids.map(pay));
  for (const id of ids) {
    const types = await flow.types(id);
    expect(types.filter((type) => type === 'CaptureAccepted')).toHaveLength(1);
    expect(types).not.toContain('RequestResultUnknown');
  }
}, 90_000);

test('accepts orders while Kafka is down, and publishes them later in order', async () => {
  await kafka.kill9();
  const ids = await Promise.all(Array.from({ length: 10 }, place));
  for (const id of ids) expect((await flow.read(id)).status).toBe('open');
  await kafka.restart();
  await Promise.all(ids.map(pay));
}, 120_000);

test('loses no order when PostgreSQL restarts under load', async () => {
  const ids: string[] = [];
  const load = (async () => {
    for (let round = 0; round < 8; round += 1) {
      ids.push(...(await Promise.all([place(), place(), place()])));
    }
  })();
  await postgres.restart();
  await killEveryProcess(postgres, `${postgres.url}/postgres`);
  await postgres.restart();
  await load;
  expect(new Set(ids).size).toBe(24);
  await Promise.all(ids.slice(0, 5).map(pay));
}, 120_000);

test('all checks pass at the end of the run', async () => {
  expect(await brokenAtRest(flow)).toEqual([]);
}, 120_000);
