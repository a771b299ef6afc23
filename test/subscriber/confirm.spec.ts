import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Feed, restFeed } from 'payment-orchestrator-subscriber';
import type { RecordedEvent } from '#event-store';
import { structuredCloudEvent } from '#messaging';
import { waitFor } from '#testing';
import { type Harness, history, never, startHarness, upTo } from './harness.js';

/** With `confirm` a message only says which event is new; what happened is read from the log. */

const KEY = 'po_key';

let harness: Harness;
let server: Server;
let feed: Feed;
/** What the orchestrator's log has, by path; and how often it was asked. */
const log = new Map<string, RecordedEvent>();
let requests: string[] = [];
let answerAll: { status: number; body: string } | null = null;

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
    const { status, body } = answerAll ?? (
      found !== undefined && isKnown
        ? { status: 200, body: JSON.stringify(structuredCloudEvent(found)) }
        : { status: 404, body: JSON.stringify({ code: 'event_not_found' }) });
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
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
});

const confirming = (before?: (text: string) => void) =>
  harness.intake('confirming', before, undefined, feed);

test('handles what the log has, with one read for each event and none for a repeat', async () => {
  const events = history('1', null, '2');
  put(events);
  const { take, counts } = confirming();
  await take(events);
  await take(events);
  expect(await harness.effects(events)).toEqual(['1', '2']);
  expect(counts).toMatchObject({ handled: 2, passed: 1, repeated: 3, unconfirmed: 0 });
  expect(requests).toHaveLength(3);
});

test('drops an event that the log does not have, and handles the true one that follows', async () => {
  const [first, second] = history('1', '2');
  if (!first || !second) throw new Error('there are two');
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
])('drops a message with another %s than the log', async (_what, changes) => {
  const events = history('true');
  put(events);
  const { take, counts } = confirming();
  await take(events.map((event) => ({ ...event, ...changes })));
  expect(await harness.version('confirming', events)).toBeNull();
  expect(counts).toMatchObject({ handled: 0, unconfirmed: 1 });
});

test('the order of the keys in the data does not matter, and the rest is the log\'s', async () => {
  const [event] = history('1');
  if (!event) throw new Error('there is one');
  put([event]);
  const data = Object.fromEntries(Object.entries(event.data).toReversed());
  const { intake } = confirming();
  const seen: string[] = [];
  for await (const one of intake.trusted.of(
    { version: 0, block: null },
    [{ ...await decoded(event), data, actor: 'user:forged' }], never,
  )) seen.push(one.actor);
  expect(seen).toEqual(['platform:test']);
});

const decoded = async (event: RecordedEvent) =>
  (await feed.read({ streamType: 'order', streamId: event.streamId }, event.version, never))
    ?? Promise.reject(new Error('the log has it'));

test('a forged event far ahead neither blocks the stream nor reads what is between', async () => {
  const events = history(...upTo(3).map(String));
  const [first] = events;
  if (!first) throw new Error('there are three');
  put(events);
  const { take, counts } = confirming();
  await take([first, { ...first, version: 2_000_000_000 }]);
  expect(requests).toHaveLength(2);
  expect(counts).toMatchObject({ handled: 1, unconfirmed: 1, blocked: 0 });
});

test('reads what the topic left out from the log', async () => {
  const events = history('1', '2', null, '4', '5');
  put(events);
  const { take, counts } = confirming();
  await take(events.filter(({ version }) => version === 1 || version === 5));
  expect(await harness.effects(events)).toEqual(['1', '2', '4', '5']);
  expect(counts).toMatchObject({ handled: 4, passed: 1, blocked: 0 });
});

test('reads what a blocked stream lacks when it goes on, and keeps nothing forged', async () => {
  const events = history('1', '2', '3');
  put(events);
  let isPoison = true;
  const { take, counts, intake, store } = confirming((text) => {
    if (text === '1' && isPoison) throw new Error('poison');
  });
  const [first, , third] = events;
  if (!first || !third) throw new Error('there are three');
  await take([first]);
  await take([third, { ...third, version: 4 }]);
  expect(counts).toMatchObject({ blocked: 1, kept: 1, unconfirmed: 1 });
  isPoison = false;
  await intake.work.drain({ streamType: 'order', streamId: first.streamId }, never);
  expect(await harness.effects(events)).toEqual(['1', '2', '3']);
  expect(await store.blocked()).toEqual([]);
});

test.each([
  ['a wrong address', { status: 404, body: '{"code":"route_not_found"}' }],
  ['a wrong key', { status: 401, body: '{"code":"unauthorized"}' }],
  ['an outage', { status: 503, body: 'not json' }],
  ['another service', { status: 200, body: '{"hello":"world"}' }],
])('waits while the answer is that of %s: nothing is dropped or blocked', async (_what, answer) => {
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
});

test('a message under an older schema than the log\'s is compared by id and type', async () => {
  const [event] = history('1');
  if (!event) throw new Error('there is one');
  put([{ ...event, schemaVersion: 2, data: { ...event.data, more: true } }]);
  const { take, counts } = confirming();
  await take([event]);
  expect(counts).toMatchObject({ handled: 1, unconfirmed: 0 });
});
