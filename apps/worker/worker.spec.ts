import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpApp } from '#platform';
import { WaitingSagas } from '#log';
import { assert, DAY_MS, HOUR_MS, type Instant, newId, plusMs } from '#kernel';
import { orderAggregate, type OrderCommand } from '#order';
import { checkoutInStep } from '#sagas';
import { kafkaBrokers, uniqueName, waitFor } from '#testing';
import { TinyProvider } from './tiny-provider.fixture.js';
import { quiet, specSecretBox, specSecretsKey, START, WorkerBench } from './worker.fixture.js';
import { startWorker } from './worker-app.js';

let provider: TinyProvider;
let bench: WorkerBench;
let clock: FollowedClock;
let workers: readonly HttpApp[];
let accountId: string;

/**
 * The business clock of the workers, which the spec moves. Before each move, all due work is
 * completed.
 */
class FollowedClock {
  now: Instant = START;
  readonly followers = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FollowedClock> {
    const server = createServer();
    const clock = new FollowedClock(server);
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (body !== '') clock.followers.add((JSON.parse(body) as { url: string }).url);
        response.end(JSON.stringify({ now: clock.now, rate: 1 }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return clock;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Moves the clock to `at`, with a stop at each instant at which work is due. */
  async moveTo(at: Instant): Promise<readonly Instant[]> {
    const stops: Instant[] = [];
    while (this.now < at) {
      const answers = await Promise.all([...this.followers].map((url) => this.announce(url)));
      const next = answers.filter((one) => one !== undefined && one > this.now).toSorted()[0];
      this.now = next !== undefined && next < at ? next : at;
      stops.push(this.now);
    }
    await Promise.all([...this.followers].map((url) => this.announce(url)));
    return stops;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async announce(url: string): Promise<Instant | undefined> {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ now: this.now }),
    });
    const body = (await answer.json()) as { next?: Instant };
    expect({ status: answer.status, body }).toMatchObject({ status: 200 });
    return body.next;
  }
}

beforeAll(async () => {
  provider = await TinyProvider.start();
  bench = await WorkerBench.open(provider.url, { sagas: true });
  clock = await FollowedClock.start();
  accountId = newId('acc');
  const seal = (secret: string, field: string) =>
    Buffer.from(specSecretBox.seal(secret, `${accountId}.${field}`));
  await bench.admin.query(
    `INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed,
                                    webhook_endpoint_id, webhook_secret_sealed)
     VALUES ($1, 'plat_1', 'm_1', 'test', $2, $3, $4)`,
    [
      accountId,
      seal('stest_spec', 'api_key'),
      newId('we'),
      seal(randomBytes(32).toString('hex'), 'webhook_secret'),
    ],
  );
  process.env['CLOCK_URL'] = clock.url;
  process.env['KAFKA_BROKERS'] = kafkaBrokers().join(',');
  process.env['TOPIC_PREFIX'] = `${uniqueName('worker')}.`;
  const config = {
    databaseUrl: bench.database.urlFor('worker'),
    port: 0,
    providerUrl: provider.url,
    partnersUrl: provider.url,
    manageUrl: provider.url,
    partnerKeys: { test: null, live: null },
    readsPerMinute: 1_000_000,
    publicWebhookUrl: 'https://127.0.0.1',
    secretsKey: specSecretsKey,
  };
  const start = () => startWorker(config, { logger: quiet, ownsProcess: false });
  workers = await Promise.all([start(), start()]);
  await waitFor(() => clock.followers.size === 2);
});
afterAll(async () => {
  delete process.env['CLOCK_URL'];
  await Promise.all(workers.map((worker) => worker.close()));
  clock.stop();
  await bench.close();
  await provider.stop();
});

const placeOrder = async (capture: object): Promise<string> => {
  const id = newId('ord');
  const at = clock.now;
  const command = {
    type: 'PlaceOrder',
    platformId: 'plat_1',
    merchantId: 'm_1',
    accountId,
    reference: id,
    amountMinor: 1_999,
    currency: 'eur',
    capture,
    methods: ['card'],
    returnUrl: null,
    description: null,
    metadata: {},
    expiresAt: plusMs(at, DAY_MS),
    at,
  } as OrderCommand;
  await bench.store.execute(orderAggregate, id, command, bench.metadata(id));
  return id;
};

const order = async (id: string) => (await bench.store.load(orderAggregate, id)).state;

/** Waits until the order's payment has an intent at the provider, and returns the payment's id. */
const pageOpen = (id: string): Promise<string> =>
  waitFor(
    async () => {
      const state = await order(id);
      const paymentId = state.status === 'not_placed' ? undefined : state.payments.at(-1);
      return paymentId === undefined ? null : provider.intentOf(paymentId)?.id;
    },
    { timeoutMs: 20_000 },
  );

const statusIs = (id: string, status: string) =>
  waitFor(async () => (await order(id)).status === status, { timeoutMs: 20_000 });

test('a worker takes an order from placed to paid when a webhook reports the payment’s authorization', async () => {
  const id = await placeOrder({ policy: 'automatic' });
  const intentId = await pageOpen(id);
  provider.attempt(intentId, 'authorized');
  await bench.admin.query(
    `INSERT INTO webhooks_received
       (account_id, event_id, type, intent_id, body_bytes, body_sha256)
     VALUES ($1, $2, 'payment_intent.authorized', $3, 0, '')`,
    [accountId, newId('evt'), intentId],
  );
  await statusIs(id, 'paid');
  expect(provider.intents.get(intentId)?.status).toBe('to_capture');
  await waitFor(async () => {
    const [row] = await bench.rows<{ status: string }>(
      'SELECT status FROM order_list WHERE order_id = $1',
      id,
    );
    return row?.status === 'paid';
  });
});

test('a worker ends an unpaid order when the clock passes the order’s expiry', async () => {
  const id = await placeOrder({ policy: 'automatic' });
  await pageOpen(id);
  await clock.moveTo(plusMs(clock.now, DAY_MS + HOUR_MS));
  expect(await order(id)).toMatchObject({ status: 'expired' });
});

test('a delayed capture is made when the clock is moved by seven days at once', async () => {
  const id = await placeOrder({ policy: 'delayed', delayMs: 3 * DAY_MS });
  const intentId = await pageOpen(id);
  provider.attempt(intentId, 'authorized');
  const stops = await clock.moveTo(plusMs(clock.now, 7 * DAY_MS));
  expect(stops.length).toBeGreaterThan(3);
  expect(await order(id)).toMatchObject({ status: 'paid' });
  expect(provider.intents.get(intentId)?.status).toBe('to_capture');
});

test('each provider call is sent once, even if two workers share the work of many orders', async () => {
  provider.reset();
  const policy = { policy: 'automatic' };
  const ids = await Promise.all(Array.from({ length: 40 }, () => placeOrder(policy)));
  await Promise.all(ids.map(async (id) => provider.attempt(await pageOpen(id), 'authorized')));
  await clock.moveTo(plusMs(clock.now, HOUR_MS));
  for (const id of ids) expect(await order(id)).toMatchObject({ status: 'paid' });
  expect(provider.count('create')).toBe(40);
  expect(provider.count('capture')).toBe(40);
});

describe('a checkout saga whose reaction to one of fifty orders fails', () => {
  const react = checkoutInStep.react;
  const plant = (changed: typeof react): void => {
    Object.assign(checkoutInStep, { react: changed });
  };
  afterEach(() => plant(react));

  const waiting = () => new WaitingSagas(bench.pool);

  test('delays no other order, and completes the blocked order when the bug is fixed', async () => {
    const policy = { policy: 'automatic' };
    const ids = await Promise.all(Array.from({ length: 50 }, () => placeOrder(policy)));
    const [failing = ''] = ids;
    plant((state, stimulus, context, step) => {
      const isIt = stimulus.from === 'event' && stimulus.event.type === 'PaymentAuthorized';
      assert(context.key !== failing || !isIt, 'a planted bug');
      return react(state, stimulus, context, step);
    });
    await Promise.all(ids.map(async (id) => provider.attempt(await pageOpen(id), 'authorized')));
    await clock.moveTo(plusMs(clock.now, HOUR_MS));
    for (const id of ids.slice(1)) expect(await order(id)).toMatchObject({ status: 'paid' });

    const state = await order(failing);
    expect(state.status).toBe('open');
    const paymentId = state.status === 'open' ? (state.payments.at(-1) ?? '') : '';
    expect(await bench.story(paymentId)).toEqual([
      'IntentRequested',
      'IntentCreated',
      'PaymentAuthorized',
    ]);
    expect(await waiting().list()).toMatchObject([
      {
        saga: 'checkout',
        key: failing,
        error: expect.stringContaining('a planted bug'),
        event: { type: 'PaymentAuthorized', streamId: paymentId },
      },
    ]);

    // A later event of the same order is stored, but the reaction to this event waits until the
    // failed reaction succeeds.
    const at = clock.now;
    await bench.store.execute(
      orderAggregate,
      failing,
      { type: 'RequestCancellation', at },
      bench.metadata(failing),
    );
    expect((await waiting().get({ saga: 'checkout', key: failing })).waiting).toBe(2);
    expect(await bench.story(paymentId)).not.toContain('CancelRequested');

    plant(react);
    await waiting().retry({ saga: 'checkout', key: failing });
    await waitFor(async () => (await waiting().list()).length === 0, { timeoutMs: 20_000 });
    // The reactions ran in the original order: the capture was requested before the cancellation.
    expect((await bench.story(paymentId)).filter((type) => type.endsWith('Requested'))).toEqual([
      'IntentRequested',
      'CaptureRequested',
      'CancelRequested',
    ]);
    await waitFor(async () => ['paid', 'canceled'].includes((await order(failing)).status), {
      timeoutMs: 20_000,
    });
  });
});

test('the worker exports metrics of open work', async () => {
  const [worker] = workers;
  const text = await (await fetch(`${worker?.url}/metrics`)).text();
  expect(text).toContain('jobs_ended_total{kind="create_intent",outcome="done"}');
  expect(text).toContain('webhooks_open 0');
  expect(text).toContain('\nbreak_glass_last_used_timestamp_seconds 0\n');
  expect((await fetch(`${worker?.url}/health/ready`)).status).toBe(200);
});
