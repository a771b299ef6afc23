import { Pool } from 'pg';
import { EventStore, LogReader, PostgresLog } from '#log';
import { UPCASTERS } from '#orchestrator';
import { instantFromMs, parseInstant } from '#kernel';
import { NO_LINES, payoutAggregate, payoutList, vatMinor } from '#payout';
import { ledger } from '../apps/worker/ledger/ledger.js';
import { Overdue } from '../apps/worker/payouts/overdue.js';
import { PayoutLines } from '../apps/worker/payouts/payout-lines.js';
import { Reconciliation } from '../apps/worker/payouts/reconciliation.js';
import { ProjectionRunner } from '#projections';
import { HOSTED_CALENDAR } from '#psp-hosted';
import { freshDatabase } from '../tools/stack/databases.js';

const PAYMENTS = 100_000;
const REFUNDS = 2_000;
const DISPUTES = 200;
/**
 * The number of planted reconciliation breaks of each kind. Each planted payout line differs from
 * the ledger in exactly one way.
 */
const PLANTED = 20;

const AMOUNT = 1_999;
const FEE = 21;
const DISPUTE_FEE = 1_500;
const GOAL = { seconds: 60, megabytes: 300 };

const DAY = '2030-03-04';
const at = parseInstant(`${DAY}T06:05:00Z`);
const later = instantFromMs(Date.parse(`2030-03-07T08:00:00Z`));

const account = {
  accountId: 'acc_1',
  platformId: 'plat_1',
  merchantId: 'm_1',
  mode: 'test',
} as const;

const NUMBERS = `generate_series(1, $1::int) AS n`;

/**
 * Writes the day's entries to the ledger journal: payments with their fees, refunds and disputes.
 */
const journal = (kind: string, count: number, amount: number, fee: number): [string, unknown[]] => [
  `INSERT INTO ledger_journal
   SELECT gen_random_uuid(), '${kind}', '${kind}_' || n, 'pay_' || n, 'acc_1', 'plat_1', 'eur',
          ${amount}, ${kind === 'payment' ? -amount : kind === 'refund' ? amount : 0},
          ${(kind === 'payment' ? amount : -amount) - fee}, 0, ${fee}, 0,
          ${kind === 'dispute' ? amount : 0}, '${at}'
     FROM ${NUMBERS}`,
  [count],
];

/**
 * Writes the payout's lines: the first payments are missing, some lines have a wrong amount, fee or
 * currency, and some belong to no payment of ours.
 */
const lines = (payoutId: string, kind: string, count: number, amount: number, fee: number) =>
  [
    `INSERT INTO payout_lines
   SELECT '${payoutId}', '${kind}', '${kind}_' || n, 'acc_1', 'paym_' || n, 'pay_' || n,
          CASE WHEN '${kind}' = 'payment' AND n BETWEEN 101 AND 100 + $2 THEN NULL
               ELSE '${kind}_' || n END, 'card',
          CASE WHEN '${kind}' = 'payment' AND n BETWEEN 201 AND 200 + $2 THEN 'usd' ELSE 'eur' END,
          CASE WHEN '${kind}' = 'payment' AND n BETWEEN 301 AND 300 + $2 THEN ${amount} + 1
               ELSE ${amount} END,
          CASE WHEN '${kind}' = 'payment' AND n BETWEEN 401 AND 400 + $2 THEN ${fee} + 1 ELSE ${fee} END
     FROM ${NUMBERS} WHERE '${kind}' <> 'payment' OR n > $2`,
    [count, PLANTED],
  ] as [string, unknown[]];

const total = (count: number, amountMinor: number, fee: number) => ({
  count,
  amountMinor: count * amountMinor,
  feesMinor: count * fee,
});

/**
 * The reconciliation breaks that were found, as a text with the number of each kind; they must be
 * exactly the planted ones.
 */
const found = async (pool: Pool): Promise<string> => {
  const { rows } = await pool.query<{ text: string }>(
    `SELECT string_agg(kind || ' ' || count, ', ' ORDER BY kind) AS text
       FROM (SELECT kind, count(*) AS count FROM reconciliation_exceptions
              WHERE closed_at IS NULL GROUP BY kind) AS k`,
  );
  return rows[0]?.text ?? 'none';
};

const seed = async (pool: Pool, store: EventStore): Promise<string> => {
  const payoutId = 'pout_1';
  const counts = [
    ['payment', PAYMENTS, AMOUNT, FEE],
    ['refund', REFUNDS, 500, 0],
    ['dispute', DISPUTES, AMOUNT, DISPUTE_FEE],
  ] as const;
  for (const [kind, count, amount, fee] of counts) {
    await pool.query(...journal(kind, count, amount, fee));
    await pool.query(...lines(payoutId, kind, count, amount, fee));
  }
  await pool.query('ANALYZE');
  const [payment, refund, dispute] = [
    total(PAYMENTS - PLANTED, AMOUNT, FEE),
    total(REFUNDS, 500, 0),
    total(DISPUTES, AMOUNT, DISPUTE_FEE),
  ];
  const feesMinor = payment.feesMinor + dispute.feesMinor;
  const feesVatMinor = vatMinor(feesMinor);
  const amountMinor =
    payment.amountMinor - refund.amountMinor - dispute.amountMinor - feesMinor - feesVatMinor;
  const metadata = {
    correlationId: payoutId,
    causationId: 'bench',
    actor: 'provider',
    traceparent: null,
  };
  for (const command of [
    {
      type: 'ObservePayout',
      account,
      at,
      observation: {
        status: 'pending',
        reference: 'r',
        currency: 'eur',
        amountMinor,
        feesMinor,
        feesVatMinor,
        date: DAY,
        bankDate: null,
        totals: {
          payment: { card: payment, sepa: NO_LINES },
          refund: { card: refund, sepa: NO_LINES },
          dispute: { card: dispute, sepa: NO_LINES },
        },
      },
    },
    { type: 'NoteLines', lines: { payment, refund, dispute }, at },
  ] as const) {
    await store.execute(payoutAggregate, payoutId, command, metadata);
  }
  const reader = new LogReader(pool, UPCASTERS);
  const runner = new ProjectionRunner(pool, reader, [payoutList, ledger]);
  while ((await runner.round()) > 0);
  // Adds the next day's payout as already read, because a payment that is missing in a payout is
  // reported only after the next payout was read.
  await pool.query(
    `INSERT INTO payout_list
     SELECT 'pout_2', account_id, platform_id, merchant_id, mode, reference, currency, amount_minor,
            fees_minor, fees_vat_minor, date + 1, status, bank_date, totals, true, 0, NULL, 0, 1
       FROM payout_list`,
  );
  await pool.query(
    `INSERT INTO jobs (kind, key, account_id, due_at, progress)
     VALUES ('account.payouts', $1, $1, $2, jsonb_build_object('readAt', $3::text))
         ON CONFLICT (kind, key) DO UPDATE SET progress = excluded.progress`,
    [account.accountId, later, later],
  );
  return payoutId;
};

/**
 * Reconciles one day of 100,000 payments, refunds and disputes with its payout, line by line, and
 * finds the payments that are in no payout. The reconciliation runs twice in a separate process and
 * must find the same breaks each time. Returns whether the goal was met.
 */
export const benchReconcile = async (
  databaseUrl: string,
  say: (text: string) => void,
): Promise<boolean> => {
  const pool = new Pool({ connectionString: await freshDatabase(databaseUrl, 'orchestrator') });
  const store = new EventStore(new PostgresLog(pool), UPCASTERS, null);
  const clock = { now: () => later };
  const keep = () => Promise.resolve();
  const lines = new PayoutLines(pool);
  const reconciliation = new Reconciliation(pool, store, { save: keep }, lines, clock);
  const overdue = new Overdue(pool, clock);
  const payoutId = await seed(pool, store);
  const owner = { id: account.accountId, platformId: 'plat_1', merchantId: 'm_1' };
  const results: { seconds: number; exceptions: string }[] = [];
  for (let round = 0; round < 2; round += 1) {
    const startedMs = performance.now();
    await reconciliation.comparePayout(payoutId, 'all', keep);
    await overdue.find(owner, HOSTED_CALENDAR, keep);
    const seconds = (performance.now() - startedMs) / 1_000;
    results.push({ seconds, exceptions: await found(pool) });
  }
  await pool.end();
  const megabytes = process.resourceUsage().maxRSS / 1_024;
  const [first, second] = results;
  const slowest = Math.max(...results.map(({ seconds }) => seconds));
  const isSame = first?.exceptions === second?.exceptions;
  const count = PAYMENTS + REFUNDS + DISPUTES - PLANTED;
  say(
    `\n${count.toLocaleString('en')} payout lines compared with the journal, and payments without a payout found`,
  );
  for (const { seconds, exceptions } of results) say(`  ${seconds.toFixed(1)} s: ${exceptions}`);
  say(`  ${megabytes.toFixed(0)} MB at most (goal: ${GOAL.seconds} s, ${GOAL.megabytes} MB)`);
  return isSame && slowest < GOAL.seconds && megabytes < GOAL.megabytes;
};
