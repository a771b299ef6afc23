import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Feed, FeedUnavailable, restFeed } from 'payment-orchestrator-subscriber';
import type { RecordedEvent } from '#log';
import { structuredCloudEvent } from '#kafka';
import { waitFor } from '#testing';
import { BlockedStreams } from '../../packages/subscriber/blocked-streams.js';
import { type Harness, history, never, refOf, startHarness, upTo } from './harness.js';

/**
 * With the setting `confirm`, a subscriber treats a message only as a notice, and reads the event
 * from the orchestrator's event log.
 */

const KEY = 'po_key';

let harness: Harness;
let server: Server;
let feed: Feed;
/** The events that the log's API returns, by request path. */
const log = new Map<string, RecordedEvent>();
let requests: string[] = [];
let answerAll: { status: number; body: string } | null = null;
/** Responses that the log's API returns instead of an event, by request path. */
const answers = new Map<string, { status: number; body: string }>();

const put = (events: readonly RecordedEvent[]): void => {
  for (const event of events) {
    log.set(`/v1/events/${event.streamType}/${event.streamId}/${event.version}`, event);
  }
};

beforeAll(async () => {
  harness = await startHarness();
  server = createServer((request, response) => {
    const url = request.url ?? '';
    requests.push(url);
    const found = log.get(url);
    const isKnown = request.headers.authorization === `Bearer ${KEY}`;
    const { status, body } =
      answerAll ??
      answers.get(url) ??
      (found !== undefined && isKnown
        ? { status: 200, body: JSON.stringify(structuredCloudEvent(found)) }
        : { status: 404, body: JSON.stringify({ code: 'event_not_found' }) });
    // Every response has a location, which clients follow only if the status is a redirect.
    const headers = { 'content-type': 'application/json', location: '/moved' };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  feed = restFeed({ url: `http://127.0.0.1:${port}/`, apiKey: KEY, timeoutMs: 1_000 });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await harness.end();
});
beforeEach(() => {
  requests = [];
  answerAll = null;
  answers.clear();
});

const pathOf = ({ streamId, version }: RecordedEvent): string =>
  `/v1/events/order/${streamId}/${version}`;

const confirming = (before?: (text: string) => void) =>
  harness.intake('confirming', before, undefined, feed);

test('a subscriber reads each event once from the log, and handles the event that the log returns', async () => {
  const events = history('1', null, '2');
  put(events);
  const { take, counts } = confirming();
  await take(events);
  await take(events);
  expect(await harness.effects(events)).toEqual(['1', '2']);
  expect(counts).toMatchObject({ handled: 2, passed: 1, repeated: 3, unconfirmed: 0 });
  expect(requests).toHaveLength(3);
});

test('a message whose event is not in the log is dropped, and the true event is handled', async () => {
  const [first, second] = history('1', '2');
  if (!first || !second) throw new Error('two events were created');
  put([first]);
  const { take, counts } = confirming();
  const forged = { ...second, eventId: 'forged', data: { ...second.data, reason: 'forged' } };
  await take([first, forged]);
  expect(await harness.version('confirming', [first])).toBe(1);
  put([second]);
  await take([forged]);
  await take([forged, second]);
  expect(await harness.effects([first])).toEqual(['1', '2']);
  expect(counts).toMatchObject({ handled: 2, unconfirmed: 3, blocked: 0, kept: 0 });
});

test.each([
  ['id', { eventId: 'another' }],
  ['type', { type: 'OrderCanceled' }],
  ['data', { data: { reason: 'changed', at: '2026-03-01T12:00:00.000Z' } }],
])('a message whose %s differs from the log is dropped', async (_what, changes) => {
  const events = history('true');
  put(events);
  const { take, counts } = confirming();
  await take(events.map((event) => ({ ...event, ...changes })));
  expect(await harness.version('confirming', events)).toBeNull();
  expect(counts).toMatchObject({ handled: 0, unconfirmed: 1 });
});

test('a message whose keys have a different order than in the log is accepted, and only values from the log are handled', async () => {
  const [event] = history('1');
  if (!event) throw new Error('an event was created');
  put([event]);
  const data = Object.fromEntries(Object.entries(event.data).toReversed());
  const { intake } = confirming();
  const seen: string[] = [];
  for await (const one of intake.trusted.of(
    { version: 0, eventId: null, block: null },
    [{ ...(await decoded(event)), data, actor: 'user:forged' }],
    never,
  )) {
    if ('actor' in one) seen.push(one.actor);
  }
  expect(seen).toEqual(['platform:test']);
});

const decoded = async (event: RecordedEvent) =>
  (await feed.read({ streamType: 'order', streamId: event.streamId }, event.version, never)) ??
  Promise.reject(new Error('the log has the event'));

test('a forged event with a far higher version neither blocks the stream nor causes reads of the skipped versions', async () => {
  const events = history(...upTo(3).map(String));
  const [first] = events;
  if (!first) throw new Error('three events were created');
  put(events);
  const { take, counts } = confirming();
  await take([first, { ...first, version: 2_000_000_000 }]);
  expect(requests).toHaveLength(2);
  expect(counts).toMatchObject({ handled: 1, unconfirmed: 1, blocked: 0 });
});

test('events that are missing in the topic are read from the log', async () => {
  const events = history('1', '2', null, '4', '5');
  put(events);
  const { take, counts } = confirming();
  await take(events.filter(({ version }) => version === 1 || version === 5));
  expect(await harness.effects(events)).toEqual(['1', '2', '4', '5']);
  expect(counts).toMatchObject({ handled: 4, passed: 1, blocked: 0 });
});

test('a blocked stream that resumes reads its missing events from the log, and stores no forged event', async () => {
  const events = history('1', '2', '3');
  put(events);
  let isPoison = true;
  const { take, counts, intake, store } = confirming((text) => {
    if (text === '1' && isPoison) throw new Error('poison');
  });
  const [first, , third] = events;
  if (!first || !third) throw new Error('three events were created');
  await take([first]);
  await take([third, { ...third, version: 4 }]);
  expect(counts).toMatchObject({ blocked: 1, kept: 1, unconfirmed: 1 });
  isPoison = false;
  await intake.work.drain({ streamType: 'order', streamId: first.streamId }, never);
  expect(await harness.effects(events)).toEqual(['1', '2', '3']);
  expect(await store.blocked()).toEqual([]);
});

test('a redirect of the event log is not followed, because its target is not the event log', async () => {
  const [event] = history('1');
  if (!event) throw new Error('an event was created');
  answers.set(pathOf(event), { status: 307, body: '' });
  answers.set('/moved', { status: 200, body: JSON.stringify(structuredCloudEvent(event)) });
  await expect(decoded(event)).rejects.toThrow(FeedUnavailable);
  expect(requests).toEqual([pathOf(event)]);
});

test.each([
  ['404, as for a wrong address', { status: 404, body: '{"code":"route_not_found"}' }],
  ['401, as for a wrong API key', { status: 401, body: '{"code":"unauthorized"}' }],
  ['503, as in an outage', { status: 503, body: 'not json' }],
  ['a response of another service', { status: 200, body: '{"hello":"world"}' }],
])(
  'while the event log responds with %s, a subscriber waits and neither drops events nor blocks streams',
  async (_what, answer) => {
    const events = history('1');
    put(events);
    answerAll = answer;
    const { take, counts } = confirming();
    const taking = take(events);
    await waitFor(() => requests.length >= 3);
    expect(counts).toMatchObject({ handled: 0, unconfirmed: 0, blocked: 0 });
    answerAll = null;
    await taking;
    expect(await harness.effects(events)).toEqual(['1']);
  },
);

test.each([500, 422, 403])(
  'an event for which the event log responds with status %i blocks only the event’s stream',
  async (status) => {
    const [sick, sound] = [history('1', '2', '3', '4'), history('one', 'two')];
    put([...sick, ...sound]);
    const [, second] = sick;
    if (!second) throw new Error('four events were created');
    const [path, answer] = [pathOf(second), { status, body: '{"code":"odd"}' }];
    answers.set(path, answer);
    const { take, counts, intake, store } = confirming();
    const blocked = new BlockedStreams(store, intake.work, intake.patience);
    await take([...sick.slice(0, 3), ...sound], AbortSignal.timeout(20_000));
    expect(await harness.effects(sick)).toEqual(['1']);
    expect(await harness.effects(sound)).toEqual(['one', 'two']);
    expect(counts).toMatchObject({ handled: 3, blocked: 1, kept: 1, unconfirmed: 0 });
    expect(await blocked.list()).toMatchObject([
      {
        streamId: second.streamId,
        version: 2,
        reason: 'feed',
        type: 'OrderFailed',
        error: expect.stringContaining(`returned ${status} odd`),
      },
    ]);

    expect(await blocked.retry(refOf(sick), never)).toMatchObject({ version: 2, times: 2 });
    await take(sick.slice(3));
    answers.delete(path);
    expect(await blocked.retry(refOf(sick), never)).toBeNull();
    expect(await harness.effects(sick)).toEqual(['1', '2', '3', '4']);
  },
);

/** Blocks a stream at its second event, because one of several api processes cannot read it. */
const blockedByUpgrade = async () => {
  const events = history('1', '2', '3', '4');
  put(events);
  const [, second] = events;
  if (!second) throw new Error('four events were created');
  answers.set(pathOf(second), { status: 503, body: '{"code":"written_by_newer_release"}' });
  const parts = confirming();
  await parts.take(events.slice(0, 3), AbortSignal.timeout(20_000));
  const { intake, store } = parts;
  const blocked = new BlockedStreams(store, intake.work, intake.patience);
  expect(await blocked.list()).toMatchObject([{ version: 2, reason: 'feed' }]);
  return { ...parts, events, blocked };
};

test('a stream whose event the log could not return during an upgrade continues with its next event', async () => {
  const { take, events, counts, blocked } = await blockedByUpgrade();
  answers.clear();
  await take(events.slice(3));
  expect(await harness.effects(events)).toEqual(['1', '2', '3', '4']);
  expect(await blocked.list()).toEqual([]);
  expect(counts).toMatchObject({ handled: 4, blocked: 1 });
});

test('a stream whose event the log could not return during an upgrade continues without a further event', async () => {
  const { events, counts, blocked } = await blockedByUpgrade();
  await blocked.resume(never);
  expect(await blocked.list()).toMatchObject([{ version: 2, reason: 'feed', times: 2 }]);
  answers.clear();
  await blocked.resume(never);
  expect(await harness.effects(events)).toEqual(['1', '2', '3']);
  expect(await blocked.list()).toEqual([]);
  expect(counts).toMatchObject({ handled: 3, blocked: 1 });
});

test('an event stored while the event log cannot be read is confirmed before it is handled', async () => {
  const events = history('1', '2');
  const [first, second] = events;
  if (!first || !second) throw new Error('two events were created');
  put([first]);
  const forged = { ...second, eventId: 'forged', data: { ...second.data, reason: 'forged' } };
  answers.set(pathOf(forged), { status: 500, body: '{}' });
  const { take, counts, intake, store } = confirming();
  await take([first, forged]);
  expect(await store.blocked()).toMatchObject([{ version: 2, reason: 'feed' }]);
  answers.clear();
  await intake.work.drain(refOf(events), never);
  expect(await store.blocked()).toEqual([]);
  expect(counts).toMatchObject({ handled: 1, blocked: 1, unconfirmed: 1 });
  put([second]);
  await take([second]);
  expect(await harness.effects(events)).toEqual(['1', '2']);
});

test('an event that is missing on the topic and cannot be read from the log blocks its stream', async () => {
  const events = history('1', '2', '3');
  put(events);
  const [first, second, third] = events;
  if (!first || !second || !third) throw new Error('three events were created');
  answers.set(pathOf(second), { status: 500, body: '{}' });
  const { take, intake, store } = confirming();
  await take([first, third]);
  expect(await store.blocked()).toMatchObject([{ version: 2, reason: 'feed', type: null }]);
  const blocked = new BlockedStreams(store, intake.work, intake.patience);
  expect(await blocked.discard({ ...refOf(events), version: 2 }, 'not needed', never)).toBeNull();
  expect(await harness.effects(events)).toEqual(['1', '3']);
});

test('an outage of the event log blocks no stream, even if it lasts longer than all attempts to handle an event', async () => {
  const events = history('1', '2');
  put(events);
  const { take, counts } = confirming();
  await take(events.slice(0, 1));
  answerAll = { status: 503, body: '{}' };
  const taking = take(events);
  await waitFor(() => requests.length >= 20, { timeoutMs: 40_000 });
  expect(counts.blocked).toBe(0);
  answerAll = null;
  await taking;
  expect(await harness.effects(events)).toEqual(['1', '2']);
});

test('messages of a stream that the API key may not read count as `foreign`, and cause one read of the log per stream', async () => {
  const [whole, rest] = [history('1', '2', '3'), history('1', '2', '3').slice(1)];
  const { take, counts } = confirming();
  await take([...whole, ...rest]);
  await take([...whole.slice(1), ...rest]);
  expect(counts).toMatchObject({ foreign: 9, unconfirmed: 0, handled: 0, blocked: 0 });
  expect(requests).toHaveLength(2);
});

test('a stream is handled from its first event even if a forged message named the stream earlier', async () => {
  const events = history('1', '2', '3');
  const { take, counts } = confirming();
  await take(events.slice(2));
  expect(counts).toMatchObject({ foreign: 1 });
  put(events);
  await take(events);
  expect(await harness.effects(events)).toEqual(['1', '2', '3']);
  expect(counts).toMatchObject({ handled: 3, foreign: 1 });
});

test('a message with an older schema version than the event in the log is compared with that event by id and type only', async () => {
  const [event] = history(null);
  if (!event) throw new Error('an event was created');
  const older = { ...event, type: 'OrderChargedBack' };
  put([{ ...older, schemaVersion: 2, data: { ...event.data, more: true } }]);
  const { take, counts } = confirming();
  await take([older]);
  expect(counts).toMatchObject({ passed: 1, unconfirmed: 0 });
});

test('an event that the log returns in an unknown schema version blocks its stream', async () => {
  const [event] = history('1');
  if (!event) throw new Error('an event was created');
  put([{ ...event, schemaVersion: 99 }]);
  const { take, counts, store } = confirming();
  await take([event]);
  expect(counts).toMatchObject({ handled: 0, blocked: 1 });
  const list = await store.blocked();
  expect(list.find(({ streamId }) => streamId === event.streamId)).toMatchObject({
    version: 1,
    reason: 'newer',
  });
});
