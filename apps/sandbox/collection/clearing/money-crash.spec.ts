import pg from 'pg';
import { parseInstant } from '#kernel';
import {
  createDatabase,
  freePort,
  type RunningApp,
  startProcess,
  type TestDatabase,
  waitFor,
} from '#testing';
import { TEST_KEY } from '../../testing/harness.js';
import { insertManyPayments } from '../../testing/many-payments.js';

const COUNT = 1_000;
/**
 * The number of payments sent two days after the others, so that payouts stay positive after the
 * deduction of refunds and disputes.
 */
const LATER = 700;
/** A Monday, shortly before the cut-off at 22:00 UTC. */
const START = parseInstant('2026-03-02T21:59:50Z');
const END = parseInstant('2026-03-09T12:00:00Z');
const KILLS = 3;

let database: TestDatabase;
let sandbox: RunningApp;

const query = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows;
};

beforeAll(async () => {
  database = await createDatabase('sandbox');
  await query(`INSERT INTO sandbox_clock (sandbox_at, wall_at, rate)
               VALUES ('${START}', clock_timestamp() + interval '1 minute', 1)`);
  await insertManyPayments(database.url, {
    count: COUNT + LATER,
    at: START,
    dueAt: parseInstant('2026-03-02T22:00:00Z'),
    laterFrom: COUNT + 1,
    disputedEvery: 20,
    refundedEvery: 7,
  });
  const port = await freePort();
  sandbox = await startProcess({
    app: 'sandbox',
    port,
    env: {
      SANDBOX_DATABASE_URL: database.urlFor('sandbox'),
      SANDBOX_PORT: String(port),
      SANDBOX_TEST_KEY: TEST_KEY,
      SANDBOX_PUBLIC_URL: `http://127.0.0.1:${port}`,
    },
  });
});
afterAll(async () => {
  await sandbox.stop();
  await database.drop();
});

/** Moves the clock to `END`; returns null if the process was killed meanwhile. */
const finish = async (): Promise<Response | null> => {
  try {
    const { now } = (await (await fetch(`${sandbox.url}/sandbox/clock`)).json()) as { now: string };
    const seconds = Math.ceil((Date.parse(END) - Date.parse(now)) / 1_000);
    return await fetch(`${sandbox.url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance: `PT${Math.max(seconds, 1)}S` }),
    });
  } catch {
    return null;
  }
};

/**
 * Runs the clock at a higher rate until `END`; returns null if the process was killed meanwhile.
 */
const runFast = async (): Promise<Response | null> => {
  try {
    await fetch(`${sandbox.url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rate: 86_400 }),
    });
    for (;;) {
      const answer = await fetch(`${sandbox.url}/sandbox/clock`);
      const { now } = (await answer.clone().json()) as { now: string };
      if (now >= END) return answer;
      await pause(20);
    }
  } catch {
    return null;
  }
};

/** Simulates a downtime until `END`: all due work is done after the restart. */
const sleepToEnd = () =>
  query(`UPDATE sandbox_clock SET rate = 1, wall_at = clock_timestamp() - ('${END}' - sandbox_at)`);

const allDone = async (): Promise<boolean> => {
  const rows = await query(`
    SELECT due_at FROM payments WHERE due_at <= '${END}'
    UNION ALL SELECT due_at FROM payouts WHERE due_at <= '${END}'
    UNION ALL SELECT due_at FROM payout_lines WHERE due_at <= '${END}'
    UNION ALL SELECT due_at FROM refunds WHERE due_at <= '${END}' LIMIT 1`);
  return rows.length === 0;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const LINES = `
  SELECT kind, count(*)::int AS count, count(payout_id)::int AS paid_out, sum(amount)::int AS amount
  FROM payout_lines GROUP BY kind ORDER BY kind`;
/** Selects payouts whose totals differ from the sums of their lines. */
const WRONG = `
  SELECT p.id FROM payouts p JOIN payout_lines l ON l.payout_id = p.id GROUP BY p.id
  HAVING p.amount + p.fees + p.fees_vat <>
           sum(CASE WHEN l.kind = 'payment' THEN l.amount ELSE -l.amount END)
      OR p.fees <> sum(l.fee)`;
/**
 * Selects payments, refunds and disputes whose `payout_id` differs from that of their payout line.
 */
const ASTRAY = `
  SELECT l.id FROM payout_lines l JOIN payments p ON p.id = l.payment_id
  LEFT JOIN refunds r ON r.id = l.refund_id LEFT JOIN disputes d ON d.id = l.dispute_id
  WHERE l.payout_id IS DISTINCT FROM
    CASE l.kind WHEN 'payment' THEN p.payout_id WHEN 'refund' THEN r.payout_id ELSE d.payout_id END`;

test('each clearing step is executed exactly once when the process is killed repeatedly', async () => {
  let interrupted = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const move = kill % 2 === 0 ? finish() : runFast();
    await pause(40 + 160 * kill);
    await sandbox.kill9();
    if ((await move) === null) interrupted += 1;
    await sandbox.restart();
  }
  expect(interrupted).toBeGreaterThan(1);
  // In the last two runs the process is killed while it catches up after a downtime.
  for (const ms of [60, 250]) {
    await sandbox.kill9();
    await sleepToEnd();
    await sandbox.restart();
    await pause(ms);
  }
  await sandbox.kill9();
  await sandbox.restart();
  await waitFor(allDone, { timeoutMs: 60_000, everyMs: 100 });

  const disputed = COUNT / 20;
  const amounts = Array.from(
    { length: COUNT + LATER },
    (_, index) => 1_000 + ((index + 1) % 1_000),
  );
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  // Fully refunded payments are not disputed.
  const taken = amounts
    .slice(0, COUNT)
    .map((amount, index) => ((index + 1) % 7 === 0 ? amount - 100 : amount))
    .filter((_, index) => (index + 1) % 20 === 0);
  const refunds = Math.floor(COUNT / 7);
  expect(await query(LINES)).toEqual([
    { kind: 'dispute', count: disputed, paid_out: disputed, amount: sum(taken) },
    { kind: 'payment', count: COUNT + LATER, paid_out: COUNT + LATER, amount: sum(amounts) },
    { kind: 'refund', count: refunds, paid_out: refunds, amount: refunds * 100 },
  ]);
  expect(await query(WRONG)).toEqual([]);
  expect(await query(ASTRAY)).toEqual([]);
  expect(
    await query(`SELECT status, count(*)::int FROM payments GROUP BY status ORDER BY 1`),
  ).toEqual([
    { status: 'captured', count: COUNT + LATER - disputed },
    { status: 'disputed', count: disputed },
  ]);
  expect(await query('SELECT status FROM payouts GROUP BY status')).toEqual([{ status: 'paid' }]);
  expect(await query(`SELECT sum(amount)::int FROM books WHERE account = 'merchant'`)).toEqual([
    { sum: 0 },
  ]);
});
