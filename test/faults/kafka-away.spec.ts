import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#testing';
import { type RunningKafka, startKafka } from '../../tools/infra/kafka.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';
import { CARDS } from '../../tools/stack/payer.js';
import type { OrderRequest } from '../../tools/stack/platform.js';
import type { Shape } from '../../tools/stack/stack.js';
import { readTopics } from '../../tools/stack/topics.js';
import { OnboardingFlow } from '../support/onboarding-flow.js';
import { runnersServers } from '../support/servers.js';

/**
 * Kafka is unavailable: orders are paid, merchants onboarded, and every event is published
 * afterwards. Both shapes of api and worker run through the same outage.
 */

const POLICIES: readonly OrderRequest['capture'][] = [
  { policy: 'automatic' },
  { policy: 'manual' },
  { policy: 'delayed', delay: 'P2D' },
];

let kafka: RunningKafka;
let sides: readonly Side[] = [];

/** A whole product in one shape, and its recorded events. */
class Side {
  /** By stream of an order, a payment or a merchant: the types of its events in order. */
  readonly streams = new Map<string, string[]>();

  constructor(
    readonly shape: Shape,
    readonly onboarding: OnboardingFlow,
  ) {}

  get flow() {
    return this.onboarding.flow;
  }

  async authorize(capture: OrderRequest['capture']): Promise<string> {
    const { id } = await this.flow.place({ capture });
    const { payer, paymentId } = await this.flow.page(id);
    await payer.pay(CARDS.plain);
    await this.flow.platform.pageCompleted(paymentId);
    if (capture.policy !== 'automatic') await this.flow.orderIs(id, 'authorized');
    return id;
  }

  async recordOrder(orderId: string): Promise<void> {
    const entries = (await this.flow.timeline(orderId)).toSorted((a, b) => a.version - b.version);
    const { id: paymentId } = (await this.flow.read(orderId)).payment ?? {};
    const ids = new Set(entries.map(({ subjectId }) => subjectId));
    expect(ids).toEqual(new Set([orderId, paymentId]));
    for (const id of ids) {
      const events = entries.filter(({ subjectId }) => subjectId === id);
      expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
      this.streams.set(
        id,
        events.map(({ type }) => type),
      );
    }
  }
}

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
  const servers = { ...runnersServers(), brokers: kafka.brokers };
  sides = await Promise.all(
    (['one', 'apart'] as const).map(
      async (shape) => new Side(shape, await OnboardingFlow.start({ shape }, servers)),
    ),
  );
}, 120_000);
afterAll(async () => {
  for (const { onboarding } of sides) await onboarding.stop();
  await kafka.stop();
}, 60_000);

/** Runs the same in both shapes at once; a failure names the shape. */
const inBoth = async (live: (side: Side) => Promise<void>): Promise<void> => {
  await Promise.all(
    sides.map((side) =>
      live(side).catch((cause: unknown) => {
        throw new Error(`in shape ${side.shape}: ${String(cause)}`, { cause });
      }),
    ),
  );
};

test('completes orders of each capture policy, a refund and an onboarding during the outage', async () => {
  const before = new Map<Side, string>();
  await inBoth(async (side) => {
    const id = await side.authorize({ policy: 'automatic' });
    await side.flow.orderIs(id, 'paid');
    before.set(side, id);
  });
  await kafka.stop();

  await inBoth(async (side) => {
    const { flow, onboarding, streams } = side;
    const merchantId = await onboarding.draft();
    const ids: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      const capture = POLICIES[index % POLICIES.length] ?? { policy: 'automatic' };
      const id = await side.authorize(capture);
      if (capture.policy === 'manual') expect((await flow.platform.capture(id)).status).toBe(202);
      ids.push(id);
    }
    const { companyId } = await onboarding.registered(merchantId);
    await onboarding.setStatus(companyId, 'available');
    // More than an hour of business time.
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
    for (const id of [before.get(side) ?? '', ...ids]) await side.recordOrder(id);
    streams.set(merchantId, await onboarding.types(merchantId));
  });
}, 240_000);

test('health names what is degraded, and every process stays ready', async () => {
  await inBoth(async ({ flow }) => {
    const { apis, workers } = flow.stack;
    for (const app of new Set([...apis, ...workers])) {
      const answer = await fetch(`${app.internalUrl}/health/ready`);
      expect(answer.status).toBe(200);
    }
    const [worker] = workers;
    const report = await (await fetch(`${worker?.internalUrl}/health/ready`)).json();
    expect(report).toMatchObject({
      status: 'degraded',
      checks: { relay: { status: 'degraded', reason: expect.stringContaining('published') } },
    });
  });
}, 30_000);

test('publishes each stream whole and in order after the outage', async () => {
  await kafka.restart();
  await inBoth(async ({ flow, streams }) => {
    const published = new Map<string, string[]>();
    for (const { event } of await readTopics(flow.stack)) {
      if (!streams.has(event.metadata.correlationId) && !streams.has(event.streamId)) continue;
      const known = published.get(event.streamId) ?? [];
      // First occurrences are in version order; repeats may follow.
      expect(event.version).toBeLessThanOrEqual(known.length + 1);
      if (event.version > known.length) published.set(event.streamId, [...known, event.type]);
    }
    expect(streams.size).toBe(1 + 2 * 11);
    expect(Object.fromEntries(published)).toEqual(Object.fromEntries(streams));
  });
}, 120_000);
