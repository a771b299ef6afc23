import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentTypes } from '#log';
import { type GoldenHistory, readHistory } from './history.js';
import { GOLDEN_KINDS } from './kinds.js';
import { type GoldenWorkflow, replayWorkflow } from './workflow.js';
import { AGGREGATES, type GoldenStream, readStream, upcastEvent } from './stream-history.js';

/**
 * Histories that earlier releases wrote. Today's code must read each history as those releases did,
 * with the same states of orders and payments and the same commands of the checkout saga. A new
 * kind of order gets a new file (`npm run simulate -- --golden`). An existing file changes only
 * where an earlier release read the history wrongly, or when a state gets a new field.
 */

const FOLDER = join(import.meta.dirname, 'histories');

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

const historyOf = (file: string): GoldenHistory =>
  JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as GoldenHistory;

/** A value as a JSON file stores it: without absent fields. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(files)('this release reads the history %s as earlier releases did', (file) => {
  const { events, reading } = historyOf(file);
  expect(plain(readHistory(events))).toEqual(reading);
});

const STREAMS = join(import.meta.dirname, 'streams');
const streams = readdirSync(STREAMS);
const streamOf = (file: string): GoldenStream =>
  JSON.parse(readFileSync(join(STREAMS, file), 'utf8')) as GoldenStream;

test.each(streams)('this release reads the stream %s as earlier releases did', (file) => {
  const { events, state } = streamOf(file);
  expect(plain(readStream(events))).toEqual(state);
});

const WORKFLOWS = join(import.meta.dirname, 'workflows');
const workflows = readdirSync(WORKFLOWS);
const workflowOf = (file: string) => {
  const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
  const workflow = read(join(WORKFLOWS, file)) as GoldenWorkflow;
  const { events } = read(join(import.meta.dirname, workflow.history)) as GoldenStream;
  return { ...workflow, events };
};

test.each(workflows)(
  'this release continues each saved state of the workflow %s as earlier releases did',
  async (file) => {
    const { events, saved, reactions } = workflowOf(file);
    const whole = await replayWorkflow(events);
    expect(plain(whole.reactions)).toEqual(reactions);
    for (const from of saved) {
      const continued = await replayWorkflow(events, from);
      expect(plain(continued.reactions)).toEqual(
        reactions.filter(({ after }) => after >= from.after),
      );
      expect(plain(continued.state)).toEqual(plain(whole.state));
    }
  },
);

test('the saved states of workflows together have every status of a checkout and of an onboarding', () => {
  const statuses = workflows.flatMap((file) => {
    const { events, saved } = workflowOf(file);
    return saved.map(
      ({ state }) => `${events[0]?.streamType} ${(state as { status: string }).status}`,
    );
  });
  expect([...new Set(statuses)].toSorted()).toEqual([
    'merchant following',
    'order done',
    'order paying',
  ]);
});

test('the stored streams together contain every event type of merchants, payouts, accounts and webhook endpoints', () => {
  const read = streams.flatMap((file) => streamOf(file).events);
  for (const streamType of ['merchant', 'payout', 'account', 'webhook_endpoint'] as const) {
    const seen = new Set(
      read
        .filter((event) => event.streamType === streamType)
        .map((event) => upcastEvent(event).type),
    );
    expect([...seen].sort()).toEqual(currentTypes(AGGREGATES[streamType].upcasters).toSorted());
  }
});

test('test/golden has a history of every kind of order', () => {
  expect(files.map((file) => file.replace('.json', ''))).toEqual(
    expect.arrayContaining(GOLDEN_KINDS.map(({ name }) => name)),
  );
});

test('the comparison fails for a history that this release reads differently than earlier releases', () => {
  const { events, reading } = historyOf('card-automatic.json');
  const without = events.filter(({ type }) => type !== 'PaymentCaptured');
  expect(plain(readHistory(without))).not.toEqual(reading);
});

test('the stored histories together contain every event type that a provider following the specification can cause', () => {
  const types = new Set(
    files.flatMap((file) => historyOf(file).events.map((event) => upcastEvent(event).type)),
  );
  // By the specification the provider never contradicts itself, so this event cannot occur.
  expect(types).not.toContain('PaymentMismatchObserved');
  // By the specification an authorization is captured only once, so these events cannot occur.
  expect(types).not.toContain('OrderCaptured');
  expect(types).not.toContain('OrderCaptureCorrected');
  expect(types).not.toContain('AuthorizationClosed');
  expect(types.size).toBe(43);
});
