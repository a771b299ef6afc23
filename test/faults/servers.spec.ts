import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentCertificate, freePort, uniqueName } from '#testing';
import { killEveryProcess } from '../../tools/chaos/postgres-kills.js';
import { type RunningKafka, startKafka } from '../../tools/infra/kafka.mjs';
import { type RunningPostgres, startPostgres } from '../../tools/infra/postgres.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';
import { CARDS } from '../../tools/stack/payer.js';
import type { OrderRequest } from '../../tools/stack/platform.js';
import { readTopics } from '../../tools/stack/topics.js';
import type { Flow } from '../support/flow.js';
import { brokenAtRest } from '../support/holds.js';
import { OnboardingFlow } from '../support/onboarding-flow.js';

/**
 * Kafka and PostgreSQL, which this spec starts for itself, are killed while two workers process
 * orders, refunds and onboardings.
 */

const POLICIES: readonly OrderRequest['capture'][] = [
  { policy: 'automatic' },
  { policy: 'manual' },
  { policy: 'delayed', delay: 'P2D' },
];

let postgres: RunningPostgres;
let kafka: RunningKafka;
let onboarding: OnboardingFlow;
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
  onboarding = await OnboardingFlow.start(
    { workers: 2 },
    {
      databaseUrl: `${postgres.url}/postgres`,
      brokers: kafka.brokers,
      tls: { certFile, keyFile, caFile },
    },
  );
  ({ flow } = onboarding);
});
afterAll(async () => {
  await onboarding.stop();
  await Promise.all([postgres.stop(), kafka.stop()]);
});

const place = async (): Promise<string> => (await flow.place()).id;

const completePage = async (id: string): Promise<void> => {
  const { payer, paymentId } = await flow.page(id);
  await payer.pay(CARDS.plain);
  await flow.platform.pageCompleted(paymentId);
};

const pay = async (id: string): Promise<void> => {
  await completePage(id);
  await flow.orderIs(id, 'paid');
};

const authorize = async (capture: OrderRequest['capture']): Promise<string> => {
  const { id } = await flow.place({ capture });
  await completePage(id);
  if (capture.policy !== 'automatic') await flow.orderIs(id, 'authorized');
  return id;
};

test('two workers that run concurrently send each provider request once', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, place));
  await Promise.all(ids.map(pay));
  for (const id of ids) {
    const types = await flow.types(id);
    expect(types.filter((type) => type === 'CaptureAccepted')).toHaveLength(1);
    expect(types).not.toContain('RequestResultUnknown');
  }
});

/** The event types of each stream (an order, a payment or a merchant) in order. */
const streams = new Map<string, readonly string[]>();

const recordOrder = async (orderId: string): Promise<void> => {
  const entries = (await flow.timeline(orderId)).toSorted((a, b) => a.version - b.version);
  const { id: paymentId } = (await flow.read(orderId)).payment ?? {};
  const ids = new Set(entries.map(({ subjectId }) => subjectId));
  expect(ids).toEqual(new Set([orderId, paymentId]));
  for (const id of ids) {
    const events = entries.filter(({ subjectId }) => subjectId === id);
    expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
    streams.set(
      id,
      events.map(({ type }) => type),
    );
  }
};

test('orders of each capture policy, a refund and an onboarding complete after Kafka was killed', async () => {
  const paidBefore = await authorize({ policy: 'automatic' });
  await flow.orderIs(paidBefore, 'paid');
  // The broker has acknowledged these messages, so the relay does not publish them again: they
  // survive the restart only if the broker has written them to disk.
  expect(await readTopics(flow.stack)).not.toEqual([]);
  await kafka.kill9();

  const merchantId = await onboarding.draft();
  const ids: string[] = [];
  for (const capture of [...POLICIES, ...POLICIES]) {
    const id = await authorize(capture);
    if (capture.policy === 'manual') expect((await flow.platform.capture(id)).status).toBe(202);
    ids.push(id);
  }
  const { companyId } = await onboarding.registered(merchantId);
  await onboarding.setStatus(companyId, 'available');
  // Business time advances by three days while Kafka is unavailable.
  await flow.stack.sandbox.advance('P3D');
  for (const id of ids) {
    await flow.orderIs(id, 'paid');
    await flow.paymentIs(id, 'captured');
  }
  const [refunded = ''] = ids;
  expect((await flow.platform.refund(refunded)).status).toBe(202);
  await flow.stack.sandbox.advance('P2D');
  expect((await flow.read(refunded)).refundedMinor).toBe(4_250);
  expect(await onboarding.merchant(merchantId)).toMatchObject({ ordersEnabled: true });
  for (const id of [paidBefore, ...ids]) await recordOrder(id);
  streams.set(merchantId, await onboarding.types(merchantId));
});

test('while Kafka is down, every process stays ready and its health response lists what is degraded', async () => {
  const answers = await Promise.all(
    flow.stack.workers.map(async ({ internalUrl }) => {
      const answer = await fetch(`${internalUrl}/health/ready`);
      return { status: answer.status, body: (await answer.json()) as object };
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  // Only the worker with the relay's lease reports that the relay is degraded.
  expect(answers.map(({ body }) => body)).toContainEqual(
    expect.objectContaining({
      status: 'degraded',
      checks: expect.objectContaining({
        relay: expect.objectContaining({
          status: 'degraded',
          reason: expect.stringContaining('published'),
        }),
      }),
    }),
  );
});

test('each stream is published completely and in order after Kafka was restarted', async () => {
  await kafka.restart();
  const published = new Map<string, string[]>();
  for (const { event } of await readTopics(flow.stack)) {
    if (!streams.has(event.metadata.correlationId) && !streams.has(event.streamId)) continue;
    const known = published.get(event.streamId) ?? [];
    // A message is either the next version of its stream or repeats an earlier version.
    expect(event.version).toBeLessThanOrEqual(known.length + 1);
    if (event.version > known.length) published.set(event.streamId, [...known, event.type]);
  }
  expect(streams.size).toBe(1 + 2 * (1 + 2 * POLICIES.length));
  expect(Object.fromEntries(published)).toEqual(Object.fromEntries(streams));
});

test('no order is lost when PostgreSQL restarts under load', async () => {
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
});

test('all invariants hold at the end, after PostgreSQL and Kafka were killed', async () => {
  expect(await brokenAtRest(flow)).toEqual([]);
});
