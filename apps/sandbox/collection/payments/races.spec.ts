import pg from 'pg';
import { waitFor } from '#testing';
import { Database } from '../../storage/database.js';
import { type Answer, type Harness, startHarness } from '../../testing/harness.js';
import { TEST_CARDS } from '../banks/test-values.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const EASY = {
  number: TEST_CARDS.find((card) => card.threeds === 'not_required')?.value ?? '',
  expMonth: 1,
  expYear: 2091,
  cvc: '123',
};

const authorized = async (more: object = {}): Promise<string> => {
  const body = { amount: 700, capture: false, ...more };
  const id = (await sandbox.call('POST', '/v2/payment_intents', body)).body['id'] ?? '';
  await sandbox.pageFlow.submitCard(id, EASY);
  return id;
};

const capture = (id: string) => sandbox.call('POST', `/v2/payment_intents/${id}/capture`);
const cancel = (id: string) => sandbox.call('DELETE', `/v2/payment_intents/${id}`);
const statusOf = async (id: string): Promise<string> =>
  String((await sandbox.call('GET', `/v2/payment_intents/${id}`)).body['status']);

const countOf = async (id: string, type: string): Promise<number> => {
  const { body } = await sandbox.call('GET', '/v2/events?limit=100');
  const events = body['events'] as unknown as { type: string; data: Record<string, string> }[];
  return events.filter(
    (event) =>
      event.type === type && (event.data['id'] === id || event.data['payment_intent'] === id),
  ).length;
};

test('eight concurrent captures of an intent change its status once and send one event', async () => {
  const id = await authorized();
  const answers = await Promise.all(Array.from({ length: 8 }, () => capture(id)));
  expect(answers.map(({ status, body }) => [status, body['status']])).toEqual(
    Array.from({ length: 8 }, () => [200, 'to_capture']),
  );
  expect(await countOf(id, 'payment.to_captured')).toBe(1);
});

test('concurrent captures of an intent and of its payment capture the amount once', async () => {
  const id = await authorized();
  const payment = (await sandbox.call('GET', `/v2/payment_intents/${id}`)).body['payment'] ?? '';
  const answers = await Promise.all([
    capture(id),
    sandbox.call('POST', `/v2/payments/${payment}/capture`),
    capture(id),
  ]);
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
  expect(await countOf(id, 'payment.to_captured')).toBe(1);
});

test('when a capture and a cancellation are concurrent, events are sent only for the transitions that took place', async () => {
  for (let round = 0; round < 6; round += 1) {
    const id = await authorized();
    const pair = round % 2 === 0 ? [capture(id), cancel(id)] : [cancel(id), capture(id)];
    await Promise.all(pair);
    // A cancellation may follow the capture before clearing; a capture never follows a
    // cancellation.
    expect(await statusOf(id)).toBe('canceled');
    expect(await countOf(id, 'payment.updated')).toBe(1);
    expect(await countOf(id, 'payment.to_captured')).toBeLessThanOrEqual(1);
  }
});

describe('a capture concurrent with the expiry', () => {
  /** Waits until this many database sessions wait for a lock, or until the response has arrived. */
  const waiting = (count: number, isAnswered = () => false) =>
    waitFor(async () => {
      if (isAnswered()) return true;
      const [row] = await sandbox.http.app.get(Database).query<{ count: number }>({
        name: 'spec:waiting',
        text: `SELECT count(*)::int AS count FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      });
      return row?.count === count;
    });

  /**
   * Starts both requests in order; the first request holds the lock while its changes are delayed.
   */
  const race = async (id: string, first: () => Promise<Answer>, second: () => Promise<Answer>) => {
    const holder = new pg.Client({ connectionString: sandbox.database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM payments WHERE intent_id = $1 FOR UPDATE', [id]);
      const before = first();
      await waiting(1);
      let isAnswered = false;
      const after = second().finally(() => {
        isAnswered = true;
      });
      // A capture after the expiry time is rejected without waiting for the locked row.
      await waiting(2, () => isAnswered);
      await holder.query('COMMIT');
      return await Promise.all([before, after]);
    } finally {
      await holder.end();
    }
  };
  const expire = () => sandbox.call('POST', '/sandbox/clock', { advance: 'P7D' });

  test("succeeds, and only the capture's events are sent, when the capture gets the lock first", async () => {
    const id = await authorized();
    const [captured] = await race(id, () => capture(id), expire);
    expect([captured.status, captured.body['status']]).toEqual([200, 'to_capture']);
    expect(await countOf(id, 'payment.to_captured')).toBe(1);
    expect(await countOf(id, 'payment.updated')).toBe(0);
    expect(await statusOf(id)).toBe('captured');
  });

  test("is rejected, and only the expiry's events are sent, when the expiry gets the lock first", async () => {
    const id = await authorized();
    const [, refused] = await race(id, expire, () => capture(id));
    expect(refused.status).toBe(409);
    expect(await countOf(id, 'payment.to_captured')).toBe(0);
    expect(await countOf(id, 'payment.updated')).toBe(1);
    expect(await statusOf(id)).toBe('unpaid');
  });
});

test('two concurrent card submissions on one page result in one authorization', async () => {
  const { body } = await sandbox.call('POST', '/v2/payment_intents', { amount: 5, capture: false });
  const id = body['id'] ?? '';
  const tries = await Promise.allSettled([
    sandbox.pageFlow.submitCard(id, { ...EASY, expMonth: 2 }),
    sandbox.pageFlow.submitCard(id, { ...EASY, expMonth: 2 }),
  ]);
  expect(tries.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1);
  await Promise.all([sandbox.pageFlow.confirm(id), sandbox.pageFlow.confirm(id)]);
  expect(await countOf(id, 'payment.authorized')).toBe(1);
});

test('two concurrent requests with the same unique_id create one intent', async () => {
  const body = { amount: 5, unique_id: 'race' };
  const answers = await Promise.all(
    [1, 2, 3].map(() => sandbox.call('POST', '/v2/payment_intents', body)),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
});

describe('an expired payment whose expiry has not been processed yet', () => {
  /** Simulates a paused process: the payment has expired, but the expiry has not been processed. */
  const overdue = async (intentId: string): Promise<void> => {
    await sandbox.http.app.get(Database).query(
      {
        name: 'spec:overdue',
        text: `UPDATE payments SET due_at = date_trunc('second', now()) - interval '0.1234 seconds'
               WHERE intent_id = $1`,
      },
      [intentId],
    );
  };

  test('cannot be captured after its expiry time', async () => {
    const id = await authorized();
    await overdue(id);
    expect((await capture(id)).status).toBe(409);
  });

  test('expires when the clock is moved, even if its time has a fraction of a millisecond', async () => {
    const id = await authorized();
    await overdue(id);
    await sandbox.call('POST', '/sandbox/clock', { advance: 'PT1S' });
    expect(await statusOf(id)).toBe('unpaid');
  });

  test("does not accept the payer's decision at the bank", async () => {
    const { body } = await sandbox.call('POST', '/v2/payment_intents', { amount: 700 });
    const number = TEST_CARDS.find((card) => card.threeds === 'optional')?.value ?? '';
    const outcome = await sandbox.pageFlow.submitCard(body['id'] ?? '', { ...EASY, number });
    if (outcome.next !== 'secure_auth') throw new Error('the card is authenticated');
    await overdue(body['id'] ?? '');
    await expect(sandbox.pageFlow.decide(outcome.authSessionId, 'approve')).rejects.toMatchObject({
      code: 'session_over',
    });
  });
});
