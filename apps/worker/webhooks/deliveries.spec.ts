import { setTimeout as sleep } from 'node:timers/promises';
import { LANES } from '#jobs';
import { HOUR_MS, MINUTE_MS, plusMs } from '#kernel';
import { GuardedPost } from '#platform';
import { gate, waitFor } from '#testing';
import { MAX_ATTEMPTS } from '#webhook';
import {
  DeliveriesBench,
  isSigned,
  startDelivering,
  WebhookReceiver,
} from './deliveries.fixture.js';
import { overdueSeconds } from './overdue-deliveries.js';

let bench: DeliveriesBench;
let receiver: WebhookReceiver;
let endpoint: string;

beforeAll(async () => {
  [bench, receiver] = await Promise.all([DeliveriesBench.open(), WebhookReceiver.start()]);
});
beforeEach(async () => {
  await bench.clear();
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 204 });
  endpoint = await bench.endpoint({ url: receiver.url });
});
afterAll(async () => {
  await receiver.close();
  await bench.close();
});

const OFTEN = 13 * HOUR_MS;

/** Lets all retries of a failing delivery run. */
const exhaust = async (): Promise<void> => {
  for (let tries = 1; tries < MAX_ATTEMPTS; tries += 1) {
    bench.worker.clock.advance(17 * HOUR_MS);
    await bench.send();
  }
};

const stateOf = async (event: string): Promise<string | undefined> =>
  (await bench.states()).find((one) => one.event === event)?.state;

const endpointRow = async (id = endpoint) =>
  (
    await bench.worker.rows<{ status: string; reason: string | null; failing: boolean }>(
      `SELECT status, disabled_reason AS reason, failing_since IS NOT NULL AS failing
         FROM webhook_endpoints WHERE id = $1`,
      id,
    )
  )[0];

const redeliver = (state: string) =>
  bench.worker.admin.query(
    `SELECT * FROM redeliver_webhooks('shop', $1, '-infinity', 'infinity', $2, 10)`,
    [endpoint, [state]],
  );

describe('an event', () => {
  test('is sent to the endpoint as a signed CloudEvent with the id of the event', async () => {
    const merchant = await bench.draft();
    await bench.send();
    const [request] = receiver.received;
    expect(receiver.events).toEqual([`${merchant} MerchantDrafted`]);
    const event = JSON.parse(request?.body ?? '') as Record<string, unknown>;
    expect(event).toMatchObject({
      platformid: 'shop',
      merchantid: merchant,
      sequence: '0000000001',
    });
    expect(request?.headers).toMatchObject({
      'webhook-id': event['id'],
      'content-type': 'application/cloudevents+json',
    });
    const [secret = ''] = await bench.secrets(endpoint);
    expect(request !== undefined && isSigned(request, secret)).toBe(true);
    expect(await stateOf(`${merchant} MerchantDrafted`)).toBe('delivered');
  });

  test('an event of a stream is sent after the earlier events of the stream', async () => {
    const merchant = await bench.draft();
    for (let n = 0; n < 4; n += 1) await bench.revise(merchant);
    await bench.send();
    expect(receiver.sequence(merchant)).toEqual([1, 2, 3, 4, 5]);
  });

  test('is sent only to endpoints of its platform', async () => {
    await bench.draft('garden');
    await bench.send();
    expect(receiver.events).toEqual([]);
  });

  test('is sent only if the endpoint receives its type and its merchant’s events', async () => {
    const merchant = await bench.draft();
    const at = bench.now;
    await bench.command(endpoint, { type: 'DeleteEndpoint', at });
    const of = (eventTypes: readonly string[], merchantId: string | null, path: string) =>
      bench.endpoint({ url: `${receiver.url}/${path}`, eventTypes, merchantId });
    await of(['Details*'], null, 'prefix');
    await of(['MerchantDrafted'], null, 'exact');
    await of(['*'], merchant, 'merchant');
    await of(['Order*'], null, 'orders');
    await bench.revise(merchant);
    await bench.revise(await bench.draft());
    await bench.send();
    const countOf = (name: string) =>
      receiver.received.filter(({ path }) => path === `/hook/${name}`).length;
    expect(['prefix', 'exact', 'merchant', 'orders'].map(countOf)).toEqual([2, 1, 1, 0]);
  });

  test('an event that was recorded before the endpoint was created is not sent', async () => {
    await bench.command(endpoint, { type: 'DeleteEndpoint', at: bench.now });
    await bench.draft();
    await bench.endpoint({ url: receiver.url });
    const later = await bench.draft();
    await bench.send();
    expect(receiver.events).toEqual([`${later} MerchantDrafted`]);
  });

  test('is sent once, even if two workers read the log at the same time', async () => {
    for (let n = 0; n < 5; n += 1) await bench.draft();
    await bench.readable();
    await Promise.all([bench.feed.round(), bench.newFeed().round(), bench.newFeed().round()]);
    await bench.send();
    expect(receiver.events).toHaveLength(5);
  });

  test('is sent again with the same id if the worker crashed before it recorded the receiver’s response', async () => {
    await bench.draft();
    await bench.readable();
    await bench.feed.round();
    const sent = gate();
    const dying = bench.newJobs({
      send: async (...request) => {
        await bench.post.send(...request);
        sent.open();
        return new Promise(() => undefined);
      },
    });
    void dying.round();
    await sent.opened;
    dying.stop();
    await bench.jobs.lapse();
    await bench.send();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test('is sent even if it is recorded while earlier events of its stream are being sent', async () => {
    const merchant = await bench.draft();
    await bench.sendDuring(async () => {
      await bench.revise(merchant);
      await bench.readable();
      await bench.feed.round();
    });
    expect(receiver.events).toEqual([`${merchant} MerchantDrafted`, `${merchant} DetailsRevised`]);
  });

  test('is sent even if it is recorded just before the job that has sent the earlier events ends', async () => {
    const merchant = await bench.draft();
    await bench.sendAllAndThen(async () => {
      await bench.revise(merchant);
      await bench.readable();
      await bench.feed.round();
    });
    expect(receiver.events).toEqual([`${merchant} MerchantDrafted`, `${merchant} DetailsRevised`]);
  });

  test('is sent to the new URL if the URL is changed while the event waits', async () => {
    receiver.answer = () => ({ status: 500 });
    await bench.draft();
    await bench.send();
    receiver.received.length = 0;
    receiver.answer = () => ({ status: 204 });
    await bench.rotateSecret(endpoint, receiver.url);
    await bench.move(endpoint, `${receiver.url}/new`);
    bench.worker.clock.advance(HOUR_MS);
    await bench.send();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/new']);
    const [current = '', former = ''] = await bench.secrets(endpoint);
    const [request] = receiver.received;
    expect([current, former].map((secret) => request && isSigned(request, secret))).toEqual([
      true,
      true,
    ]);
  });

  test('an event that only a newer release can read delays only its own stream', async () => {
    const merchant = await bench.draft();
    await bench.send();
    await bench.worker.admin.query(
      `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                           metadata)
       VALUES ('merchant', $1, 2, gen_random_uuid(), 'MerchantBlessed', 1, '{}',
               '{"correlationId": "m", "platformId": "shop"}')`,
      [merchant],
    );
    const other = await bench.draft();
    await bench.send();
    expect(receiver.events).toEqual([`${merchant} MerchantDrafted`, `${other} MerchantDrafted`]);
    expect(await stateOf(`${merchant} MerchantBlessed`)).toBe('pending');
  });
});

describe('a worker that stops', () => {
  test('aborts its open requests without a failed attempt, and the next worker sends the events', async () => {
    const merchant = await bench.draft();
    await bench.revise(merchant);
    receiver.answer = () => null;
    const worker = await startDelivering(bench);
    await waitFor(() => receiver.received.length > 0, { timeoutMs: 20_000 });
    await worker.close();
    expect(receiver.events).toEqual([`${merchant} MerchantDrafted`]);
    expect(
      await bench.worker.rows('SELECT state, tries, attempts FROM webhook_deliveries'),
    ).toEqual(Array.from({ length: 2 }, () => ({ state: 'pending', tries: 0, attempts: [] })));
    expect(await endpointRow()).toMatchObject({ status: 'enabled', failing: false });
    receiver.answer = () => ({ status: 204 });
    await bench.send();
    expect(receiver.sequence(merchant)).toEqual([1, 1, 2]);
  });
});

describe('a failed attempt', () => {
  test('is repeated later, and delays only the later events of the same stream', async () => {
    const merchant = await bench.draft();
    await bench.revise(merchant);
    const other = await bench.draft();
    receiver.answer = ({ body }) => ({ status: body.includes(merchant) ? 500 : 204 });
    await bench.send();
    const drafted = [merchant, other].map((id) => `${id} MerchantDrafted`);
    expect(receiver.events.toSorted()).toEqual(drafted.toSorted());
    receiver.answer = () => ({ status: 204 });
    bench.worker.clock.advance(HOUR_MS);
    await bench.send();
    expect(receiver.events.slice(2)).toEqual([
      `${merchant} MerchantDrafted`,
      `${merchant} DetailsRevised`,
    ]);
  });

  test('is followed by a whole new series of attempts if the platform requests a redelivery while it is in progress', async () => {
    const merchant = await bench.draft();
    receiver.answer = () => ({ status: 500 });
    await bench.send();
    await bench.worker.admin.query('UPDATE webhook_deliveries SET tries = $1', [MAX_ATTEMPTS - 1]);
    bench.worker.clock.advance(HOUR_MS);
    await bench.sendDuring(() => redeliver('pending'));
    expect(await stateOf(`${merchant} MerchantDrafted`)).toBe('pending');
    receiver.answer = () => ({ status: 204 });
    bench.worker.clock.advance(MINUTE_MS);
    await bench.send();
    expect(await stateOf(`${merchant} MerchantDrafted`)).toBe('delivered');
  });

  test('is repeated immediately if the platform requests the delivery just before the job ends', async () => {
    const merchant = await bench.draft();
    receiver.answer = () => ({ status: 500 });
    await bench.sendAndThen(async () => {
      receiver.answer = () => ({ status: 204 });
      await redeliver('pending');
    });
    expect(await stateOf(`${merchant} MerchantDrafted`)).toBe('delivered');
  });

  test('is not repeated earlier when a new event of its stream is recorded', async () => {
    const merchant = await bench.draft();
    receiver.answer = () => ({ status: 500 });
    await bench.sendAndThen(async () => {
      await bench.revise(merchant);
      await bench.readable();
      await bench.feed.round();
    });
    expect(receiver.sequence(merchant)).toEqual([1]);
  });

  test('is repeated before later events of other streams if the platform requests the delivery', async () => {
    const merchant = await bench.draft();
    receiver.answer = () => ({ status: 500 });
    await bench.send();
    await redeliver('pending');
    await bench.draft();
    await bench.readable();
    await bench.feed.round();
    const jobs = bench.newJobs(bench.post);
    expect(await jobs.claim(1)).toMatchObject([{ key: `${endpoint} ${merchant}` }]);
    jobs.stop();
  });

  test('is repeated at once, and then the later events of its stream, if an operator requests all open deliveries', async () => {
    const merchant = await bench.draft();
    await bench.revise(merchant);
    receiver.answer = () => ({ status: 500 });
    await bench.send();
    receiver.answer = () => ({ status: 204 });
    await bench.worker.admin.query('SELECT redeliver_open_webhooks($1, NULL, 10)', [endpoint]);
    await bench.send();
    expect(receiver.events.slice(1)).toEqual([
      `${merchant} MerchantDrafted`,
      `${merchant} DetailsRevised`,
    ]);
  });

  test('delays no later event of its stream if the platform discards the delivery during the attempt', async () => {
    const merchant = await bench.draft();
    await bench.revise(merchant);
    receiver.answer = ({ body }) => ({ status: body.includes('MerchantDrafted') ? 500 : 204 });
    await bench.sendDuring(() =>
      bench.worker.admin.query(
        `SELECT discard_webhook('shop', id) FROM webhook_deliveries WHERE version = 1`,
      ),
    );
    expect(await stateOf(`${merchant} MerchantDrafted`)).toBe('skipped');
    expect(await stateOf(`${merchant} DetailsRevised`)).toBe('delivered');
  });

  test('is logged with the response, without card numbers', async () => {
    receiver.answer = () => ({ status: 500, body: `card 4242424242424242 ${'x'.repeat(5_000)}` });
    await bench.draft();
    await bench.send();
    const [row] = await bench.worker.rows<{ attempts: { status: number; response: string }[] }>(
      'SELECT attempts FROM webhook_deliveries',
    );
    expect(row?.attempts).toMatchObject([{ status: 500, error: null }]);
    expect(row?.attempts[0]?.response).toHaveLength(1_000);
    expect(row?.attempts[0]?.response).not.toContain('4242424242424242');
  });

  test('is logged even if the response contains characters that the database cannot store', async () => {
    receiver.answer = () => ({ status: 500, body: `\u0000${'x'.repeat(998)}\u{1F600}` });
    await bench.draft();
    await bench.send();
    const [row] = await bench.worker.rows<{ attempts: unknown[] }>(
      'SELECT attempts FROM webhook_deliveries',
    );
    expect(row?.attempts).toHaveLength(1);
  });

  test('results from a redirect, which is not followed', async () => {
    receiver.answer = () => ({ status: 302, location: `${receiver.url}/elsewhere` });
    await bench.draft();
    await bench.send();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
    expect((await bench.states()).map(({ state }) => state)).toEqual(['pending']);
  });

  test.each(['https://10.0.0.1/hook', 'https://169.254.169.254/hook', 'http://shop.example/hook'])(
    'is recorded for the URL %s, to which no request is sent',
    async (url) => {
      await bench.command(endpoint, { type: 'DeleteEndpoint', at: bench.now });
      await bench.endpoint({ url });
      await bench.draft();
      await bench.send();
      const [row] = await bench.worker.rows<{ attempts: { error: string | null }[] }>(
        'SELECT attempts FROM webhook_deliveries',
      );
      expect(row?.attempts[0]?.error).toMatch(/^(?:no_public_address|not_https)$/);
    },
  );

  test('is the same for the platform whether the host name of its URL does not exist or resolves to a private address', async () => {
    await bench.command(endpoint, { type: 'DeleteEndpoint', at: bench.now });
    await bench.endpoint({ url: 'https://localhost/hook', eventTypes: ['MerchantDrafted'] });
    await bench.endpoint({
      url: 'https://no-such-name.invalid/hook',
      eventTypes: ['MerchantDrafted'],
    });
    await bench.draft();
    await bench.readable();
    await bench.feed.round();
    bench.logged.length = 0;
    const post = new GuardedPost({ timeoutMs: 60_000, allowsLoopback: false });
    const resolvedAt = new Map<string, string>();
    const jobs = bench.newJobs({
      // Simulates a slow lookup of the host name.
      send: async (...request) => {
        await sleep(20);
        const result = await post.send(...request);
        const [now] = await bench.worker.rows<{ at: Date }>('SELECT clock_timestamp() AS at');
        resolvedAt.set(new URL(request[0]).host, now?.at.toISOString() ?? '');
        return result;
      },
    });
    while ((await jobs.round()) > 0);
    jobs.stop();
    await post.close();
    const rows = await bench.worker.rows<{ attempts: { host: string; at: string }[] }>(
      'SELECT attempts FROM webhook_deliveries',
    );
    const [first, second] = rows.map(({ attempts: [attempt] }) => ({
      ...attempt,
      host: '',
      at: '',
    }));
    expect(first).toMatchObject({ error: 'no_public_address', tookMs: 0 });
    expect(second).toEqual(first);
    // If the log showed an attempt as begun before the end of the lookup, the platform would learn
    // how long the lookup took.
    const early = rows.filter(({ attempts: [attempt] }) => {
      return attempt === undefined || attempt.at < (resolvedAt.get(attempt.host) ?? 'never');
    });
    expect(early).toEqual([]);
    const causes = bench.logged.map((line) => (JSON.parse(line) as { cause: string }).cause);
    expect(causes.toSorted()).toEqual([
      expect.stringContaining('localhost resolves to 127.0.0.1'),
      expect.stringMatching(/^no-such-name\.invalid has no address: E/),
    ]);
  });
});

describe('a delivery whose attempts are exhausted', () => {
  let merchant: string;
  let other: string;
  beforeEach(async () => {
    merchant = await bench.draft();
    await bench.revise(merchant);
    receiver.answer = ({ body }) => ({ status: body.includes(merchant) ? 500 : 204 });
    await bench.send();
    for (let tries = 1; tries < MAX_ATTEMPTS; tries += 1) {
      bench.worker.clock.advance(OFTEN * 1.4);
      other = await bench.draft();
      await bench.send();
    }
    receiver.received.length = 0;
    receiver.answer = () => ({ status: 204 });
  });

  test('has the state failed, and delays only the later events of its stream', async () => {
    await bench.draft();
    await bench.send();
    expect(receiver.events).toHaveLength(1);
    expect(await stateOf(`${merchant} MerchantDrafted`)).toBe('failed');
    expect(await stateOf(`${merchant} DetailsRevised`)).toBe('pending');
    expect(await stateOf(`${other} MerchantDrafted`)).toBe('delivered');
    expect(await endpointRow()).toMatchObject({ status: 'enabled', failing: false });
  });

  test('is sent before the later events of its stream when the platform requests it again', async () => {
    await redeliver('failed');
    await bench.send();
    expect(receiver.events).toEqual([`${merchant} MerchantDrafted`, `${merchant} DetailsRevised`]);
  });

  test('delays the later events of its stream even if the worker crashed before the job ended', async () => {
    await bench.worker.admin.query(
      `INSERT INTO jobs (kind, key, account_id, state, due_at, claim, held_until)
       VALUES ('webhook.deliver', $1 || ' ' || $2, $1, 'running', 'epoch', gen_random_uuid(), 'epoch')`,
      [endpoint, merchant],
    );
    await bench.revise(merchant);
    await bench.send();
    expect(receiver.events).toEqual([]);
    expect(await stateOf(`${merchant} DetailsRevised`)).toBe('pending');
  });

  test('is sent even if the platform requests it again just before its job ends', async () => {
    await bench.worker.admin.query(
      `INSERT INTO jobs (kind, key, account_id, state, due_at, claim, held_until)
       VALUES ('webhook.deliver', $1 || ' ' || $2, $1, 'running', 'epoch', gen_random_uuid(),
               clock_timestamp() + interval '1 minute')`,
      [endpoint, merchant],
    );
    await redeliver('failed');
    await bench.worker.admin.query(
      `UPDATE jobs SET state = 'ready', again = false WHERE kind = 'webhook.deliver' AND again`,
    );
    await bench.send();
    expect(receiver.events).toEqual([`${merchant} MerchantDrafted`, `${merchant} DetailsRevised`]);
  });

  test('no longer delays the later events of its stream after the platform has discarded it', async () => {
    await bench.worker.admin.query(
      `SELECT discard_webhook('shop', id) FROM webhook_deliveries WHERE state = 'failed'`,
    );
    await bench.send();
    expect(receiver.events).toEqual([`${merchant} DetailsRevised`]);
    expect(await stateOf(`${merchant} MerchantDrafted`)).toBe('skipped');
  });
});

describe('an endpoint', () => {
  test('is disabled, with an event, when no delivery has succeeded for three days', async () => {
    receiver.answer = () => ({ status: 500 });
    const merchant = await bench.draft();
    await bench.send();
    await exhaust();
    expect(await endpointRow()).toMatchObject({ status: 'disabled', reason: 'failing' });
    const [event] = await bench.worker.rows<{ data: unknown; actor: string }>(
      `SELECT data ->> 'reason' AS data, metadata ->> 'actor' AS actor FROM events
        WHERE type = 'WebhookEndpointDisabled' AND stream_id = $1`,
      endpoint,
    );
    expect(event).toEqual({ data: 'failing', actor: 'system:webhooks' });
    expect(await stateOf(`${merchant} MerchantDrafted`)).toBe('pending');
  });

  test('is disabled even if none of its failing deliveries is three days old', async () => {
    receiver.answer = () => ({ status: 500 });
    for (let n = 0; n < 6; n += 1) {
      await bench.draft();
      await bench.send();
      bench.worker.clock.advance(17 * HOUR_MS);
    }
    expect(await endpointRow()).toMatchObject({ status: 'disabled', reason: 'failing' });
  });

  test('stays enabled if a delivery fails after the only failing delivery was discarded', async () => {
    receiver.answer = () => ({ status: 500 });
    await bench.draft();
    await bench.send();
    for (let tries = 1; tries < 9; tries += 1) {
      bench.worker.clock.advance(17 * HOUR_MS);
      await bench.send();
    }
    await bench.worker.admin.query(
      `SELECT discard_webhook('shop', id) FROM webhook_deliveries WHERE state = 'pending'`,
    );
    await bench.draft();
    await bench.send();
    expect(await endpointRow()).toMatchObject({ status: 'enabled', failing: true });
  });

  test('an endpoint that does not respond takes no job slots from another endpoint of its platform', async () => {
    const { share } = LANES.webhooks;
    await bench.endpoint({ url: `${receiver.url}/other` });
    for (let n = 0; n < 2 * share; n += 1) await bench.draft();
    await bench.readable();
    await bench.feed.round();
    const jobs = bench.newJobs(bench.post);
    const claimed = await jobs.claim();
    const ofEndpoint = claimed.filter(({ key }) => key.startsWith(endpoint));
    expect([ofEndpoint.length, claimed.length]).toEqual([share, 2 * share]);
    jobs.stop();
  });

  test('an endpoint without a running job gets the next free job slot, even if jobs of other endpoints have waited longer', async () => {
    const { share, width } = LANES.webhooks;
    for (let n = 1; n < width / share; n += 1) {
      await bench.endpoint({ url: `${receiver.url}/${n}` });
    }
    for (let n = 0; n <= share; n += 1) await bench.draft();
    await bench.readable();
    await bench.feed.round();
    const jobs = bench.newJobs(bench.post);
    const [first, ...others] = await jobs.claim();
    if (first === undefined) throw new Error('deliveries are due');
    expect(1 + others.length).toBe(width);
    const healthy = await bench.endpoint({ url: receiver.url, platformId: 'other' });
    await bench.draft('other');
    await bench.readable();
    await bench.feed.round();
    await jobs.runner.run(first);
    expect((await jobs.claim()).map(({ accountId }) => accountId)).toEqual([healthy]);
    jobs.stop();
  });

  test('an endpoint that responds slowly gives its job slot to other endpoints after some seconds', async () => {
    const merchant = await bench.draft();
    await bench.revise(merchant);
    await bench.readable();
    await bench.feed.round();
    const jobs = bench.newJobs(bench.post, () => receiver.received.length * 16_000);
    await jobs.round();
    expect(receiver.sequence(merchant)).toEqual([1]);
    await jobs.round();
    expect(receiver.sequence(merchant)).toEqual([1, 2]);
    jobs.stop();
  });

  test('is disabled when it responds with the status 410', async () => {
    receiver.answer = () => ({ status: 410 });
    await bench.draft();
    await bench.send();
    expect(await endpointRow()).toMatchObject({ status: 'disabled', reason: 'unsubscribed' });
  });

  test('stays enabled if one of its many deliveries succeeds', async () => {
    const failing = await bench.draft();
    receiver.answer = ({ body }) => ({ status: body.includes(failing) ? 500 : 204 });
    await bench.send();
    for (let tries = 1; tries < MAX_ATTEMPTS; tries += 1) {
      bench.worker.clock.advance(17 * HOUR_MS);
      await bench.draft();
      await bench.send();
    }
    expect(await endpointRow()).toMatchObject({ status: 'enabled' });
  });

  test('a disabled endpoint receives nothing, and receives the pending events in order after it is enabled', async () => {
    const merchant = await bench.draft();
    await bench.send();
    const at = bench.now;
    await bench.command(endpoint, { type: 'DisableEndpoint', reason: 'requested', at });
    await bench.revise(merchant);
    const other = await bench.draft();
    await bench.send();
    expect(receiver.events).toEqual([`${merchant} MerchantDrafted`]);
    expect(await stateOf(`${merchant} DetailsRevised`)).toBe('pending');
    await bench.command(endpoint, { type: 'EnableEndpoint', at });
    await bench.revise(merchant);
    await bench.send();
    expect(receiver.sequence(merchant)).toEqual([1, 2, 3]);
    expect(receiver.sequence(other)).toEqual([1]);
  });

  test('receives every pending event after it is enabled, however many streams the events belong to', async () => {
    await bench.command(endpoint, { type: 'DisableEndpoint', reason: 'requested', at: bench.now });
    const merchants: string[] = [];
    for (let n = 0; n < 7; n += 1) merchants.push(await bench.draft());
    await bench.send();
    await bench.worker.admin.query('DELETE FROM jobs');
    await bench.command(endpoint, { type: 'EnableEndpoint', at: bench.now });
    await bench.send();
    expect(receiver.events.toSorted()).toEqual(
      merchants.map((merchant) => `${merchant} MerchantDrafted`).toSorted(),
    );
  });

  test('a deleted endpoint receives nothing, and its URL and secret are deleted', async () => {
    await bench.draft();
    await bench.readable();
    await bench.feed.round();
    await bench.command(endpoint, { type: 'DeleteEndpoint', at: bench.now });
    await bench.send();
    expect(receiver.events).toEqual([]);
    expect(await bench.worker.rows('SELECT FROM webhook_details')).toEqual([]);
  });

  test('a deleted endpoint receives none of its open deliveries, which a job ends in batches after the deletion', async () => {
    const stop = { type: 'DisableEndpoint', reason: 'requested', at: bench.now } as const;
    await bench.command(endpoint, stop);
    for (let n = 0; n < 7; n += 1) await bench.draft();
    await bench.send();
    await bench.worker.admin.query(
      `UPDATE webhook_deliveries SET state = 'failed' WHERE id = (SELECT min(id) FROM webhook_deliveries)`,
    );
    await bench.command(endpoint, { type: 'DeleteEndpoint', at: bench.now });
    const states = async () => new Set((await bench.states()).map(({ state }) => state));
    expect(await states()).toEqual(new Set(['pending', 'failed']));
    await bench.send();
    expect(await states()).toEqual(new Set(['skipped']));
  });

  test('receives its test event whatever event types it subscribes to, and no test event of another endpoint', async () => {
    await bench.endpoint({ url: `${receiver.url}/other`, eventTypes: ['*'] });
    const tested = await bench.endpoint({ url: receiver.url, eventTypes: ['Order*'] });
    await bench.send();
    receiver.received.length = 0;
    await bench.command(tested, { type: 'TestEndpoint', at: bench.now });
    await bench.send();
    expect(receiver.events).toEqual([`${tested} WebhookEndpointTested`]);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  });

  test('receives each test event once, and a failed test event does not delay the next test event', async () => {
    receiver.answer = () => ({ status: 500 });
    await bench.command(endpoint, { type: 'TestEndpoint', at: bench.now });
    await bench.send();
    expect(await endpointRow()).toMatchObject({ failing: false });
    receiver.answer = () => ({ status: 204 });
    await bench.command(endpoint, { type: 'TestEndpoint', at: bench.now });
    await bench.send();
    expect((await bench.states()).map(({ state }) => state)).toEqual(['failed', 'delivered']);
  });

  test('receives messages signed with both secrets for a day after a rotation', async () => {
    await bench.rotateSecret(endpoint, receiver.url);
    const [current = '', former = ''] = await bench.secrets(endpoint);
    await bench.draft();
    await bench.send();
    bench.worker.clock.advance(24 * HOUR_MS);
    await bench.draft();
    await bench.send();
    const signedWith = receiver.received.map((request) => [
      isSigned(request, current),
      isSigned(request, former),
    ]);
    expect(signedWith).toEqual([
      [true, true],
      [true, false],
    ]);
  });
});

describe('the age of the oldest delivery that is due', () => {
  const age = () => overdueSeconds(bench.worker.pool, bench.now);
  /**
   * Queues the deliveries of all events without sending them, as if they had been queued `minutes`
   * minutes ago.
   */
  const queuedFor = async (minutes: number): Promise<void> => {
    await bench.readable();
    await bench.feed.round();
    const since = plusMs(bench.now, -minutes * MINUTE_MS);
    await bench.worker.admin.query('UPDATE webhook_deliveries SET created_at = $1', [since]);
    await bench.worker.admin.query('UPDATE jobs SET due_at = $1', [since]);
  };

  test('is 0 without deliveries, and after all deliveries were sent', async () => {
    expect(await age()).toBe(0);
    await bench.draft();
    await bench.send();
    expect(await age()).toBe(0);
  });

  test('is the time since the oldest delivery was queued, whatever endpoint it is for', async () => {
    await bench.draft();
    await queuedFor(7);
    const other = await bench.endpoint({ url: receiver.url, platformId: 'garden' });
    await bench.draft('garden');
    await bench.readable();
    await bench.feed.round();
    await bench.worker.admin.query('UPDATE jobs SET due_at = $1 WHERE account_id = $2', [
      bench.now,
      other,
    ]);
    expect(await age()).toBe(420);
  });

  test('includes a delivery whose job fails repeatedly, and a delivery whose worker has crashed', async () => {
    await bench.draft();
    await queuedFor(6);
    await bench.worker.admin.query(
      `UPDATE jobs SET state = 'waiting', held_until = clock_timestamp() + interval '1 h'`,
    );
    expect(await age()).toBe(360);
    await bench.worker.admin.query(`UPDATE jobs SET state = 'running'`);
    expect(await age()).toBe(360);
  });

  test('includes a retry only from the time at which it is due', async () => {
    receiver.answer = () => ({ status: 500 });
    await bench.draft();
    await queuedFor(7);
    await bench.send();
    expect(await age()).toBe(0);
    bench.worker.clock.advance(HOUR_MS);
    expect(await age()).toBeGreaterThan(HOUR_MS / 1_000 - 10);
    expect(await age()).toBeLessThan(HOUR_MS / 1_000);
  });

  test('excludes deliveries behind a failed delivery of the same stream, and deliveries to a disabled endpoint', async () => {
    const merchant = await bench.draft();
    await queuedFor(7);
    await bench.worker.admin.query(`UPDATE webhook_deliveries SET state = 'failed'`);
    await bench.revise(merchant);
    await queuedFor(7);
    expect(await age()).toBe(0);
    await bench.worker.admin.query(`UPDATE webhook_deliveries SET state = 'pending'`);
    expect(await age()).toBe(420);
    const at = bench.now;
    await bench.command(endpoint, { type: 'DisableEndpoint', reason: 'requested', at });
    expect(await age()).toBe(0);
  });
});
