import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseTraceparent } from '#platform';
import { waitFor } from '#testing';
import { WebhookReceiver } from '../../apps/worker/webhooks/deliveries.fixture.js';
import { CARDS } from '../../tools/stack/payer.js';
import { Flow } from '../support/flow.js';
import { startWithSandboxHere } from '../support/sandbox-here.js';
import { drawn, foundIn, STORY } from './order-story.js';
import { OtlpReceiver } from './otlp-receiver.js';
import { type DrawnSpan, traceSvg } from './trace-picture.js';

/** Api and worker, each as a process that exports its spans to a receiver of OTLP. */

let receiver: OtlpReceiver;
let hook: WebhookReceiver;
let flow: Flow;
/** The spans of the first test's order. */
let pictured: readonly DrawnSpan[] = [];

const PICTURE = fileURLToPath(new URL('../../docs/pictures/order-trace.svg', import.meta.url));
const TITLE = 'The spans of one order, from the request to the capture (not to scale)';
/** The resolution of a span's start time, one millisecond, in nanoseconds. */
const CLOCK_NS = 1_000_000n;
const SOON = { timeoutMs: 20_000, everyMs: 100 };

beforeAll(async () => {
  [receiver, hook] = await Promise.all([OtlpReceiver.start(), WebhookReceiver.start()]);
  flow = await Flow.start({
    shape: 'apart',
    startApp: startWithSandboxHere,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      LOG_LEVEL: 'debug',
    },
  });
  await flow.platform.surely('POST', '/v1/webhook-endpoints', { url: hook.url });
});
afterAll(async () => {
  await flow.stop();
  await Promise.all([receiver.close(), hook.close()]);
});

/** Places an order with this header; returns the order's id. */
const place = async (reference: string, traceparent: string): Promise<string> => {
  const { apis, apiKey, merchantId } = flow.stack;
  const answer = await fetch(`${apis[0]?.url}/v1/orders`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      traceparent,
    },
    body: JSON.stringify({
      merchantId,
      reference,
      amountMinor: 4_250,
      currency: 'eur',
      methods: ['card'],
      capture: { policy: 'automatic' },
      description: 'for Camille Martin',
    }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
};

/** The fields of an event of the feed that this spec reads. */
interface FeedEvent {
  readonly type: string;
  readonly correlationid: string;
  readonly traceparent?: string;
}

/**
 * Advances the clock by more than 15 seconds, because the provider sends a webhook 15 seconds after
 * its event.
 */
const webhooksSent = (): Promise<void> => flow.stack.sandbox.advance('PT20S');

/**
 * The trace ids in the events of a paid order and its payments. The feed contains an event only
 * after all older transactions on the server have ended, including those of other specs.
 */
const traceIdsOf = async (orderId: string): Promise<readonly (string | undefined)[]> => {
  const own = await waitFor(async () => {
    const { body } = await flow.platform.surely('GET', '/v1/events?limit=500');
    const events = body['items'] as readonly FeedEvent[];
    const found = events.filter(({ correlationid }) => correlationid === orderId);
    return found.some(({ type }) => type.endsWith('.OrderPaid')) ? found : null;
  }, SOON);
  return [...new Set(own.map(({ traceparent }) => parseTraceparent(traceparent)?.traceId))];
};

test('an order is one trace from its request to its capture, through log, jobs, provider requests, webhooks and topics', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const id = await place('traced', `00-${traceId}-b7ad6b7169203331-01`);
  const { payer } = await flow.page(id);
  await payer.pay(CARDS.threeDSecure);
  await webhooksSent();
  await flow.orderIs(id, 'paid');
  await flow.stack.sandbox.advance('P1D');
  await flow.paymentIs(id, 'captured');
  const spans = await waitFor(() => foundIn(receiver.ofTrace(traceId)), SOON);
  pictured = drawn(spans);
  expect(spans[0]?.parentId).toBe('b7ad6b7169203331');
  for (const [index, { parent, isInside }] of STORY.entries()) {
    const [span, cause] = [spans[index], parent === null ? spans[0] : spans[parent]];
    if (span === undefined || cause === undefined) throw new Error('all spans were found');
    expect(span.isFailed).toBe(false);
    expect(span.startNs).toBeGreaterThanOrEqual(cause.startNs - CLOCK_NS);
    if (isInside) expect(span.endNs).toBeLessThanOrEqual(cause.endNs + CLOCK_NS);
  }
  expect(await traceIdsOf(id)).toEqual([traceId]);
  const sent = hook.received.map(({ headers, body }) => [headers['traceparent'], body] as const);
  const ofOrder = sent.filter(([, body]) => body.includes(id));
  expect(ofOrder.length).toBeGreaterThan(5);
  for (const [header] of ofOrder) expect(parseTraceparent(header)?.traceId).toBe(traceId);
  for (const { logTail } of [...flow.stack.apis, ...flow.stack.workers]) {
    expect(logTail(10_000).includes(`"traceId":"${traceId}"`)).toBe(true);
  }
});

test('the documentation shows the spans that were received for an order', () => {
  const svg = traceSvg(TITLE, pictured);
  if (process.env['UPDATE_GENERATED'] === '1') writeFileSync(PICTURE, svg);
  expect(readFileSync(PICTURE, 'utf8')).toBe(svg);
});

test('an order whose authorization is found by a refresh stays in the trace of the order’s request, and an invalid traceparent is ignored', async () => {
  const id = await place('refreshed', '00-4bf92f3577b34da6-b7ad6b7169203331-01');
  const { payer, paymentId } = await flow.page(id);
  flow.gate.setFate(() => 'lost');
  await payer.pay(CARDS.plain);
  await flow.platform.pageCompleted(paymentId);
  flow.gate.setFate(() => 'through');
  await flow.orderIs(id, 'paid');
  const [traceId = '', ...others] = await traceIdsOf(id);
  expect(others).toEqual([]);
  await waitFor(() => {
    const refresh = receiver.spans.find(({ name }) => name === 'POST /v1/payments/:id/refresh');
    const links = receiver.ofTrace(traceId).flatMap((span) => span.links);
    return links.includes(refresh?.traceId ?? '');
  }, SOON);
});

test('the trace of a caller that records no spans continues in the events, and no span of this trace is exported', async () => {
  const traceId = 'a3ce929d0e0e47364bf92f3577b34da6';
  const id = await place('unsampled', `00-${traceId}-b7ad6b7169203331-00`);
  const { payer } = await flow.page(id);
  await payer.pay(CARDS.plain);
  await webhooksSent();
  await flow.orderIs(id, 'paid');
  expect(await traceIdsOf(id)).toEqual([traceId]);
  const known = receiver.spans.length;
  await flow.place();
  await waitFor(() => receiver.spans.length > known, SOON);
  expect(receiver.ofTrace(traceId)).toEqual([]);
});

test('exported spans contain no key, no card, no name and no text of a request', () => {
  const { apiKey, env } = flow.stack;
  const secrets = Object.entries(env).filter(([name]) => /KEY|SECRET|PASSWORD/.test(name));
  const texts = [
    apiKey,
    ...secrets.map(([, secret]) => secret).filter((secret) => secret.length > 8),
    ...Object.values(CARDS),
    'Camille',
    'traced',
    'whsec_',
    hook.url,
  ];
  expect(receiver.texts.join('\n')).toContain('POST /v1/orders');
  expect(texts.filter((text) => receiver.texts.some((one) => one.includes(text)))).toEqual([]);
});
