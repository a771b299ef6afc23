import { DAY_MS, HOUR_MS, msOf, parseInstant } from '#kernel';
import { requireOwnLog } from '#log';
import { HOSTED_CALENDAR } from '#psp-hosted';
import { ACCOUNT, lendBenchDatabases } from '../worker.fixture.js';
import { PayoutsBench } from './payouts-bench.fixture.js';
import { some } from './payout-provider.fixture.js';

const databases = lendBenchDatabases();
let payouts: PayoutsBench;

beforeEach(async () => {
  payouts = await PayoutsBench.open({ databases });
});
afterEach(() => payouts.close());

const rows = (sql: string) => payouts.bench.rows<Record<string, unknown>>(sql);

const keep = () => Promise.resolve();

test('the reconciliation reports a ledger entry as missing when the payouts of the following days lack the entry, until a payout contains it', async () => {
  const [lost] = await payouts.captured(1);
  payouts.provider.pay(await payouts.accepted(1), '2030-03-02');
  await payouts.nextDay();
  expect(await payouts.exceptions()).toEqual([]);
  await payouts.nextDay();
  expect(await payouts.exceptions()).toMatchObject([{ kind: 'missing', closed_by: null }]);
  payouts.provider.pay([some(lost, {})], '2030-03-04');
  await payouts.nextDay();
  expect(await payouts.exceptions()).toMatchObject([{ kind: 'missing', closed_by: 'facts' }]);
});

test('the reconciliation reports a ledger entry as late while there is no payout, and as missing after a payout that lacks the entry', async () => {
  await payouts.captured(1);
  await payouts.nextDay();
  await payouts.nextDay();
  expect(await payouts.exceptions()).toMatchObject([{ kind: 'late', closed_by: null }]);
  payouts.provider.pay(await payouts.accepted(1), '2030-03-04');
  await payouts.nextDay();
  expect(await payouts.exceptions()).toMatchObject([
    { kind: 'late', closed_by: 'facts' },
    { kind: 'missing', closed_by: null },
  ]);
});

describe('a ledger entry that is in no payout for ten days, and is absent from the next one', () => {
  /** Makes a payout without the entry, and runs the two days until the payout must contain it. */
  const nextPayout = async (): Promise<void> => {
    payouts.provider.pay(await payouts.accepted(1), payouts.at().slice(0, 10));
    for (let day = 0; day < 2; day += 1) await payouts.nextDay();
  };

  test('is reported as missing', async () => {
    await payouts.captured(1);
    for (let day = 0; day < 11; day += 1) await payouts.nextDay();
    await nextPayout();
    expect(await payouts.exceptions()).toMatchObject([
      { kind: 'late', closed_by: 'facts' },
      { kind: 'missing', closed_by: null },
    ]);
  });

  test('is reported as missing even if operators have closed its break as late', async () => {
    await payouts.captured(1);
    for (let day = 0; day < 7; day += 1) await payouts.nextDay();
    await payouts.bench.admin.query(
      `UPDATE reconciliation_exceptions
          SET closed_at = now(), closed_by = 'platform:plat_1', close_reason = 'negative days'`,
    );
    for (let day = 7; day < 11; day += 1) await payouts.nextDay();
    await nextPayout();
    expect(await payouts.exceptions()).toMatchObject([
      { kind: 'late', closed_by: 'platform:plat_1' },
      { kind: 'missing', closed_by: null },
    ]);
  });
});

test('the reconciliation closes the breaks of missing and late ledger entries when the provider no longer supports payouts', async () => {
  await payouts.captured(3);
  await payouts.nextDay();
  await payouts.nextDay();
  payouts.provider.pay(await payouts.accepted(1), '2030-03-04');
  await payouts.captured(1);
  await payouts.nextDay();
  expect((await payouts.exceptions()).filter(({ closed_by: by }) => by === null)).not.toEqual([]);
  payouts.capabilities = { ...payouts.capabilities, payouts: false };
  await payouts.nextDay();
  expect(
    await rows(
      `SELECT DISTINCT close_reason FROM reconciliation_exceptions
        WHERE closed_at = (SELECT max(closed_at) FROM reconciliation_exceptions)`,
    ),
  ).toEqual([{ close_reason: 'the provider has no payouts' }]);
  expect((await payouts.exceptions()).filter(({ closed_by: by }) => by === null)).toEqual([]);
});

test('the reconciliation reports a ledger entry as late only after the scheduled read of the morning’s payout lines', async () => {
  await payouts.captured(1);
  const account = { id: ACCOUNT, platformId: 'plat_1', merchantId: 'm_1' };
  await payouts.untilIdle();
  // At 06:02 the morning's payout may already exist, but the read of its lines is not due yet.
  payouts.bench.clock.advance(msOf(parseInstant('2030-03-03T06:02:00Z')) - msOf(payouts.at()));
  await payouts.overdue.find(account, HOSTED_CALENDAR, keep);
  expect(await payouts.exceptions()).toEqual([]);
  payouts.bench.clock.advance(2 * HOUR_MS);
  await payouts.untilIdle();
  await payouts.overdue.find(account, HOSTED_CALENDAR, keep);
  expect(await payouts.exceptions()).toMatchObject([{ kind: 'late' }]);
});

test('while the lines of a payout cannot be read, the reconciliation reports the payout as missing, but not the ledger entries that the payout may contain', async () => {
  const [lost] = await payouts.captured(1);
  const id = payouts.provider.pay(await payouts.accepted(1), '2030-03-02');
  Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'paid' });
  const lines = payouts.provider.linesOf(id);
  payouts.provider.setLines(
    id,
    lines.map((line) => ({ ...line, currency: undefined })),
  );
  for (let day = 0; day < 12; day += 1) await payouts.nextDay();
  const breaks = () =>
    rows(
      `SELECT kind, line_kind, object_id, closed_by FROM reconciliation_exceptions
      ORDER BY line_kind`,
    );
  const unread = { kind: 'missing', line_kind: 'payout', object_id: id };
  expect(await breaks()).toEqual([{ ...unread, closed_by: null }]);
  payouts.provider.setLines(id, lines);
  await payouts.nextDay();
  expect(await breaks()).toEqual([
    { kind: 'missing', line_kind: 'payment', object_id: lost?.paymentId, closed_by: null },
    { ...unread, closed_by: 'facts' },
  ]);
});

test('the reconciliation still reports missing ledger entries when the payout totals are inconsistent', async () => {
  const [lost] = await payouts.captured(1);
  const marks = () => rows('SELECT settled_before::text AS day FROM reconciliation_marks');
  const missing = () =>
    rows(
      `SELECT object_id FROM reconciliation_exceptions
      WHERE kind = 'missing' AND line_kind = 'payment' AND closed_by IS NULL`,
    );
  for (let day = 2; day < 16 && (await missing()).length === 0; day += 1) {
    for (const { day: settledBefore } of await marks()) {
      expect(String(settledBefore) <= '2030-03-01').toBe(true);
    }
    const date = `2030-03-${String(day).padStart(2, '0')}`;
    const id = payouts.provider.pay(await payouts.accepted(1), date);
    payouts.provider.setLines(
      id,
      payouts.provider.linesOf(id).map((line) => ({ ...line, fee: Number(line['fee']) - 1 })),
    );
    await payouts.nextDay();
  }
  expect(await missing()).toEqual([{ object_id: lost?.paymentId }]);
});

test('the reconciliation treats the ledger entries of a day as settled even if their payout arrives weeks late, and as unsettled when the payout fails', async () => {
  const [held] = await payouts.accepted(1);
  payouts.provider.pay([some(held, {})], '2030-03-01');
  await payouts.nextDay();
  payouts.bench.clock.advance(20 * 24 * HOUR_MS);
  // On the first day, the reconciliation runs beside the read of the list of payouts, so it still
  // uses the read of three weeks ago. On the second day it uses the newer read.
  for (let day = 0; day < 2; day += 1) await payouts.nextDay();
  expect(
    await rows(`SELECT settled_before > '2030-03-08' AS "isNear" FROM reconciliation_marks`),
  ).toEqual([{ isNear: true }]);
  Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'failed' });
  for (let day = 0; day < 3; day += 1) await payouts.nextDay();
  expect(
    await rows(`SELECT kind, object_id FROM reconciliation_exceptions WHERE line_kind = 'payment'`),
  ).toEqual([{ kind: 'late', object_id: held?.paymentId }]);
});

test('the reconciliation reports a payout as late from a week after its date until the payout arrives', async () => {
  const id = payouts.provider.pay(await payouts.accepted(1), '2030-03-01');
  const breaks = () =>
    rows(
      `SELECT kind, line_kind, object_id, expected, observed, closed_by
       FROM reconciliation_exceptions`,
    );
  for (let day = 0; day < 7; day += 1) await payouts.nextDay();
  expect(await breaks()).toEqual([]);
  Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'sent' });
  await payouts.nextDay();
  const late = {
    kind: 'late',
    line_kind: 'payout',
    object_id: id,
    expected: 'paid in a week',
    observed: 'not paid',
  };
  expect(await breaks()).toEqual([{ ...late, closed_by: null }]);
  Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'paid' });
  await payouts.nextDay();
  await payouts.nextDay();
  expect(await breaks()).toEqual([{ ...late, closed_by: 'facts' }]);
});

test('after a week of downtime, the reconciliation reports missing ledger entries only when all payouts have been read', async () => {
  await payouts.untilIdle();
  for (const day of ['02', '03', '04', '05', '06', '07']) {
    payouts.provider.pay(await payouts.captured(3), `2030-03-${day}`);
  }
  payouts.bench.clock.advance(7 * DAY_MS);
  await payouts.untilIdle();
  expect(await payouts.exceptions()).toEqual([]);
  expect(await rows('SELECT DISTINCT matched FROM payout_list')).toEqual([{ matched: 3 }]);
});

test('the reconciliation reports no ledger entry as late while the provider refuses the API key', async () => {
  await payouts.captured(1);
  await payouts.untilIdle();
  payouts.provider.failures.push(...Array.from({ length: 60 }, () => ({ status: 401 })));
  for (let day = 0; day < 3; day += 1) await payouts.nextDay();
  expect(await payouts.exceptions()).toEqual([]);
  const failing = () =>
    rows(
      `SELECT count(*)::int AS lists FROM jobs
      WHERE kind LIKE 'account.%' AND (progress ->> 'tries')::int > 0`,
    );
  expect(await payouts.accountJobs.unreadAccounts(payouts.at(), 36 * HOUR_MS)).toBe(1);
  expect(await failing()).toEqual([{ lists: 4 }]);
  payouts.provider.failures.length = 0;
  await payouts.nextDay();
  expect(await payouts.accountJobs.unreadAccounts(payouts.at(), 36 * HOUR_MS)).toBe(0);
  expect(await failing()).toEqual([{ lists: 0 }]);
  await payouts.nextDay();
  expect(await payouts.exceptions()).toMatchObject([{ kind: 'late', closed_by: null }]);
});

/** The number of accounts that the alert about unread lists counts. */
const unread = (): Promise<number> =>
  payouts.accountJobs.unreadAccounts(payouts.at(), 36 * HOUR_MS);

const refuseKey = async (): Promise<void> => {
  // The requests that created the payments: no worker of this spec executes them.
  await payouts.bench.admin.query(`DELETE FROM jobs WHERE kind = 'create_intent'`);
  await payouts.untilIdle();
  payouts.provider.failures.push(...Array.from({ length: 600 }, () => ({ status: 401 })));
  for (let day = 0; day < 3; day += 1) await payouts.nextDay();
};

const disable = (at: 'now()' | 'NULL') =>
  payouts.bench.admin.query(`UPDATE provider_accounts SET disabled_at = ${at}`);

/** Creates a captured payment and the payout that pays it out. */
const paidOut = async (): Promise<void> => {
  payouts.provider.pay(await payouts.captured(1), '2030-03-02');
  await payouts.nextDay();
  Object.assign(payouts.provider.payouts[0] ?? {}, { status: 'paid' });
  await payouts.nextDay();
};

test('a disabled account whose money is paid out and whose key the provider rejects raises no alert, until it takes orders again', async () => {
  await paidOut();
  await disable('now()');
  await refuseKey();
  expect(await unread()).toBe(0);
  await disable('NULL');
  expect(await unread()).toBe(1);
});

test('a disabled account whose money is paid out and whose key the provider rejects raises no alert while the provider does not respond', async () => {
  await paidOut();
  await disable('now()');
  await refuseKey();
  payouts.provider.failures.fill({ status: 503 });
  await payouts.nextDay();
  expect(await unread()).toBe(0);
});

test('a replaced account whose money is paid out and whose key the provider rejects raises no alert, even after a database restore', async () => {
  await paidOut();
  await refuseKey();
  await payouts.register('acc_2', 'm_1', 'stest_other');
  await payouts.bench.admin.query(`
    INSERT INTO account_schedule (platform_id, merchant_id, mode, orders_from, account_id,
                                  taking_orders)
    VALUES ('plat_1', 'm_1', 'test', '2030-02-01', '${ACCOUNT}', true),
           ('plat_1', 'm_1', 'test', '2030-03-01', 'acc_2', true)`);
  await payouts.bench.admin.query(`UPDATE log_identity SET incarnation = 'before'`);
  await requireOwnLog(payouts.bench.pool);
  await payouts.nextDay();
  expect(await rows(`SELECT key FROM jobs WHERE kind = 'restore.debits'`)).toContainEqual({
    key: ACCOUNT,
  });
  // The new account, which takes orders, is counted.
  expect(await unread()).toBe(1);
});

test('a disabled account whose key the provider rejects raises an alert while a captured payment is in no payout', async () => {
  await payouts.captured(1);
  await disable('now()');
  await refuseKey();
  expect(await unread()).toBe(1);
});

test('a disabled account whose key the provider rejects raises an alert until operators have closed the break of a payment that is in no payout', async () => {
  await payouts.captured(1);
  for (let day = 0; day < 2; day += 1) await payouts.nextDay();
  expect(await payouts.exceptions()).toMatchObject([{ kind: 'late', closed_by: null }]);
  await disable('now()');
  await refuseKey();
  expect(await unread()).toBe(1);
  await payouts.bench.admin.query(
    `UPDATE reconciliation_exceptions
        SET closed_at = now(), closed_by = 'platform:plat_1', close_reason = 'paid by transfer'`,
  );
  await payouts.nextDay();
  expect(await unread()).toBe(0);
});

test('a disabled account whose key the provider rejects raises an alert while one of its payments is open', async () => {
  await payouts.accepted(1);
  await disable('now()');
  await refuseKey();
  expect(await unread()).toBe(1);
});

/** Creates a sent or paid payout and the next day's payout; returns the first. */
const sentPayout = async (status: 'sent' | 'paid' = 'sent'): Promise<string> => {
  const id = payouts.provider.pay(await payouts.accepted(2), '2030-03-02');
  await payouts.nextDay();
  payouts.provider.pay(await payouts.accepted(1), '2030-03-03');
  Object.assign(payouts.provider.payouts[1] ?? {}, { status });
  await payouts.nextDay();
  return id;
};

/** The kinds of the payout's ledger entries. */
const entriesOf = async (payoutId: string): Promise<readonly unknown[]> => {
  const found = await rows(
    `SELECT kind FROM ledger_journal WHERE stream_id = '${payoutId}' ORDER BY kind`,
  );
  return found.map(({ kind }) => kind);
};

test('the reconciliation opens no break for a returned payout, and expects its lines in a later payout', async () => {
  const id = await sentPayout();
  Object.assign(payouts.provider.payouts[1] ?? {}, { status: 'failed' });
  await payouts.nextDay();
  const again = payouts.provider.pay(await payouts.accepted(2), '2030-03-05');
  payouts.provider.setLines(again, payouts.provider.linesOf(id));
  await payouts.nextDay();
  await payouts.nextDay();
  expect(await payouts.exceptions()).toEqual([]);
});

test('when no later payout contains the lines of a returned payout, the reconciliation reports the lines as late at first, then as missing', async () => {
  await sentPayout();
  Object.assign(payouts.provider.payouts[1] ?? {}, { status: 'failed' });
  await payouts.nextDay();
  await payouts.nextDay();
  expect(await payouts.exceptions()).toEqual([]);
  await payouts.nextDay();
  expect(await payouts.exceptions()).toMatchObject([{ kind: 'late' }, { kind: 'late' }]);
  payouts.provider.pay(await payouts.accepted(1), '2030-03-06');
  await payouts.nextDay();
  expect(await payouts.exceptions()).toMatchObject([
    { kind: 'late', closed_by: 'facts' },
    { kind: 'late', closed_by: 'facts' },
    { kind: 'missing', closed_by: null },
    { kind: 'missing', closed_by: null },
  ]);
});

test.each(['sent', 'paid'] as const)(
  'the reconciliation reads a %s payout again before it reports the payout’s lines as duplicates, because the payout may have failed',
  async (before) => {
    const id = await sentPayout(before);
    expect(await entriesOf(id)).toEqual(['payout']);
    Object.assign(payouts.provider.payouts[1] ?? {}, { status: 'failed', created: 1 });
    await rows(`UPDATE jobs SET due_at = due_at + interval '9 days' WHERE kind = 'payout.read'`);
    const again = payouts.provider.pay([], '2030-03-04');
    const { amount, fees, fees_vat, payments } = payouts.provider.payouts[2] ?? {};
    Object.assign(payouts.provider.payouts[0] ?? {}, { amount, fees, fees_vat, payments });
    payouts.provider.setLines(again, payouts.provider.linesOf(id));
    await payouts.nextDay();
    expect(await rows('SELECT status, matched FROM payout_list ORDER BY date')).toMatchObject([
      { status: 'failed' },
      { matched: 1 },
      { matched: 2 },
    ]);
    expect(await payouts.exceptions()).toEqual([]);
    expect(await entriesOf(id)).toEqual(['payout', 'payout_failed']);
  },
);

test('the reconciliation reports no ledger entry as overdue when the provider supports no payouts', async () => {
  const without = await PayoutsBench.open({ can: { payouts: false, sends: [] }, databases });
  await without.untilIdle();
  await without.captured(1);
  for (let day = 0; day < 4; day += 1) await without.nextDay();
  expect(await without.exceptions()).toEqual([]);
  expect(without.provider.count(/payouts/)).toBe(0);
  await without.close();
});
