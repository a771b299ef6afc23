import type pg from 'pg';
import { specPool } from '#testing';
import { failPayout } from '../../tools/books/fail-payout.js';
import { CARDS } from '../../tools/stack/payer.js';
import { ledgerDifferences } from '../../tools/books/compare.js';
import { Flow } from '../support/flow.js';

/**
 * The provider sends no webhooks about captured money and payouts, so only polling observes them.
 */

let flow: Flow;
let pool: pg.Pool;

beforeAll(async () => {
  flow = await Flow.start();
  pool = specPool(flow.stack.databases.orchestrator, 2);
});
afterAll(async () => {
  await pool.end();
  await flow.stop();
});

const advance = (duration: string): Promise<void> => flow.stack.sandbox.advance(duration);

const rows = async (sql: string): Promise<readonly Record<string, unknown>[]> =>
  (await pool.query<Record<string, unknown>>(sql)).rows;

const DISPUTED_A_DAY_LATER = '9999000000000160';

const paid = async (card: string = CARDS.plain): Promise<{ id: string; paymentId: string }> => {
  const { id } = await flow.place();
  const { payer, paymentId } = await flow.page(id);
  await payer.pay(card);
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(id, 'paid');
  return { id, paymentId };
};

/** A payment made outside this product with the same API key. */
const paidPastUs = (): Promise<Record<string, unknown>> =>
  flow.stack.sandbox.api('POST', '/v2/payments', {
    amount: 1_000,
    currency: 'eur',
    card: {
      number: CARDS.plain,
      exp_month: 12,
      exp_year: 2090,
      cvc: '123',
      name: 'Camille Martin',
    },
  });

const differencesAreZero = async (): Promise<void> => {
  const differences = await ledgerDifferences(pool, flow.stack);
  expect(differences.map(({ differenceMinor }) => differenceMinor)).toEqual([0, 0, 0, 0, 0, 0]);
};

const payouts = () =>
  rows(`SELECT payout_id AS id, status, matched, exceptions FROM payout_list ORDER BY date`);

const exceptions = () =>
  rows(`SELECT kind, line_kind, closed_by FROM reconciliation_exceptions ORDER BY since, kind`);

const NONE = { unknown: 0, amount: 0, currency: 0, duplicate: 0, fee: 0 };

test('a payment is captured, paid out and reconciled without a webhook and without a read of the payment', async () => {
  flow.gate.setFate(() => 'lost');
  await paid();
  await paid();
  const { paymentId } = await paid(DISPUTED_A_DAY_LATER);
  await advance('P1D');
  expect(await payouts()).toMatchObject([{ matched: 3, exceptions: NONE }]);
  expect(await rows(`SELECT kind FROM ledger_journal`)).toEqual([
    { kind: 'payment' },
    { kind: 'payment' },
    { kind: 'payment' },
  ]);
  await advance('P1D');
  const disputed = await rows(`SELECT stream_id FROM ledger_journal WHERE kind = 'dispute'`);
  expect(disputed).toEqual([{ stream_id: paymentId }]);
  await differencesAreZero();
});

test('a dispute on a day without payments causes a reconciliation break of the kind `late`, which is closed when a payout contains the dispute', async () => {
  await advance('P3D');
  expect(await exceptions()).toEqual([{ kind: 'late', line_kind: 'dispute', closed_by: null }]);
  await paid();
  await paid();
  await advance('P2D');
  expect(await exceptions()).toEqual([{ kind: 'late', line_kind: 'dispute', closed_by: 'facts' }]);
  expect(await payouts()).toMatchObject([{ status: 'paid' }, { matched: 3, exceptions: NONE }]);
});

test('reconciliation reports payments made outside the product as unknown, and matches a failed payout’s lines in the next payout', async () => {
  await paid();
  await paidPastUs();
  await advance('P1D');
  const [, , third] = await payouts();
  expect(third).toMatchObject({ matched: 1, exceptions: { ...NONE, unknown: 1 } });
  await failPayout(flow.stack.sandbox.url, String(third?.['id']));
  await advance('P3D');
  const [, , failed, fourth] = await payouts();
  expect(failed).toMatchObject({ status: 'failed' });
  expect(fourth).toMatchObject({ matched: 1, exceptions: { ...NONE, unknown: 1 } });
  const unknown = (await exceptions()).filter(({ kind }) => kind === 'unknown');
  expect(unknown.map((one) => one['closed_by'])).toEqual(['facts', null]);
});

test('the amount that a won dispute returns is in the ledger, in the payout and on the order', async () => {
  const { id, paymentId } = await paid(DISPUTED_A_DAY_LATER);
  await advance('P1D');
  await paid();
  await advance('P1D');
  const [dispute] = await rows(
    `SELECT data ->> 'disputeId' AS id FROM events
      WHERE stream_id = '${paymentId}' AND type = 'DisputeObserved'`,
  );
  const { chargedBackMinor } = await flow.read(id);
  expect(chargedBackMinor).toBeGreaterThan(0);
  await flow.stack.sandbox.api('POST', `/v2/disputes/${String(dispute?.['id'])}/evidence`, {
    text: 'It was delivered.',
  });
  // A dispute is decided within six days: two bank days until the review, another bank day until
  // the decision, and a weekend.
  for (let day = 0; day < 6; day += 1) {
    await paid();
    await advance('P1D');
  }
  expect(
    await rows(
      `SELECT kind, object_id AS id, amount_minor::int AS amount FROM ledger_journal
      WHERE stream_id = '${paymentId}' AND kind = 'dispute_reversal'`,
    ),
  ).toEqual([{ kind: 'dispute_reversal', id: dispute?.['id'], amount: chargedBackMinor }]);
  expect(await flow.read(id)).toMatchObject({
    status: 'paid',
    chargedBackMinor: 0,
    payment: { disputes: [{ status: 'won' }] },
  });
  expect(await flow.types(id)).toEqual(
    expect.arrayContaining(['DisputeStatusChanged', 'DisputeReversed', 'OrderDisputeWon']),
  );
  expect(
    await rows(`SELECT line_kind FROM reconciliation_exceptions
                      WHERE line_kind = 'dispute_reversal'`),
  ).toEqual([]);
  const [{ lines } = {}] = await rows(
    `SELECT count(*)::int AS lines FROM payout_lines WHERE kind = 'dispute_reversal'`,
  );
  expect(lines).toBe(1);
});
