import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#testing';
import { type RunningKafka, startKafka } from '../../tools/infra/kafka.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';
import { CARDS } from '../../tools/stack/payer.js';
import type { OrderRequest } from '../../tools/stack/platform.js';
import { readTopics } from '../../tools/stack/topics.js';
import type { Flow } from '../support/flow.js';
import { OnboardingFlow } from '../support/onboarding-flow.js';
import { runnersServers } from '../support/servers.js';

/**
 * Kafka is unavailable: orders are paid, merchants onboarded, and every event is published
 * afterwards.
 */

const POLICIES: readonly OrderRequest['capture'][] = [
  { policy: 'automatic' },
  { policy: 'manual' },
  { policy: 'delayed', delay: 'P2D' },
];

let kafka: RunningKafka;
let onboarding: OnboardingFlow;
let flow: Flow;

/** The event types of each stream (an order, a payment or a merchant) in order. */
const streams = new Map<string, readonly string[]>();

const authorize = async (capture: OrderRequest['capture']): Promise<string> => {
  const { id } = await flow.place({ capture });
  const { payer, paymentId } = await flow.page(id);
  await payer.pay(CARDS.plain);
  await flow.platform.pageCompleted(paymentId);
  if (capture.policy !== 'automatic') await flow.orderIs(id, 'authorized');
  return id;
};

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

beforeAll(async () => {
  const dir = scratchDir(mkdtempSync(join(tmpdir(), 'kafka-away-')));
  const [port, controllerPort] = [await freePort(), await freePort()];
  kafka = await startKafka({
    dir,
    port,
    controllerPort,
    logFile: join(dir, 'kafka.log'),
    throwaway: true,
  });
  onboarding = await OnboardingFlow.start({}, { ...runnersServers(), brokers: kafka.brokers });
  ({ flow } = onboarding);
}, 120_000);
afterAll(async () => {
  await onboarding.stop();
  await kafka.stop();
}, 60_000);

test('completes orders of each capture policy, a refund and an onboarding during the outage', async () => {
  const paidBefore = await authorize({ policy: 'automatic' });
  await flow.orderIs(paidBefore, 'paid');
  await kafka.stop();

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
}, 240_000);

test('during the outage, health responses list what is degraded, and every process stays ready', async () => {
  const [app] = flow.stack.workers;
  const answer = await fetch(`${app?.internalUrl}/health/ready`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    status: 'degraded',
    checks: { relay: { status: 'degraded', reason: expect.stringContaining('published') } },
  });
}, 30_000);

test('publishes each stream completely and in order after the outage', async () => {
  await kafka.restart();
  const published = new Map<string, string[]>();
  for (const { event } of await readTopics(flow.stack)) {
    if (!streams.has(event.metadata.correlationId) && !streams.has(event.streamId)) continue;
    const known = published.get(event.streamId) ?? [];
    // A message is either the next version of its stream or a repeat of an earlier one.
    expect(event.version).toBeLessThanOrEqual(known.length + 1);
    if (event.version > known.length) published.set(event.streamId, [...known, event.type]);
  }
  expect(streams.size).toBe(1 + 2 * (1 + 2 * POLICIES.length));
  expect(Object.fromEntries(published)).toEqual(Object.fromEntries(streams));
}, 120_000);
