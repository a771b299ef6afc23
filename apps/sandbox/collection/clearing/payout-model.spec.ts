import fc from 'fast-check';
import pg from 'pg';
import { DAY_MS, type Instant, plusMs } from '#kernel';
import { HOUSE_TEST } from '../../storage/account-scope.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import {
  all,
  booksOf,
  cardLike,
  idOf,
  moveTo,
  moveToNoon,
  pay,
  refund,
  type ApiObject,
  type Weekday,
} from '../../testing/money.js';
import { type Day, PayoutModel } from '../../testing/payout-model.js';
import { Disputes } from '../disputes/disputes.service.js';
import { Payouts } from '../payouts/payouts.service.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const day = fc.record<Day>({
  pays: fc.array(
    fc.record({
      amount: fc.oneof(
        fc.integer({ min: 1, max: 3_000 }),
        fc.integer({ min: 1, max: 4_294_967_295 }),
      ),
      isDisputed: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  refunds: fc.array(fc.record({ payment: fc.nat(50), percent: fc.integer({ min: 1, max: 100 }) }), {
    maxLength: 2,
  }),
  disputes: fc.array(fc.nat(50), { maxLength: 1 }),
  contests: fc.array(fc.nat(50), { maxLength: 2 }),
  wins: fc.array(fc.nat(50), { maxLength: 1 }),
  failsPayout: fc.boolean(),
});

const NOTHING: Day = {
  pays: [],
  refunds: [],
  disputes: [],
  contests: [],
  wins: [],
  failsPayout: false,
};
const paid = (isDisputed: boolean): Day => ({ ...NOTHING, pays: [{ amount: 2_500, isDisputed }] });

/**
 * Opens two disputes of partly refunded payments and lets the merchant win both: one by the
 * decision of the test card's bank, one by a manual decision.
 */
const WON_DAYS: Day[] = [
  {
    ...NOTHING,
    pays: [
      { amount: 3_000, isDisputed: true },
      { amount: 90_000, isDisputed: false },
    ],
  },
  {
    ...paid(false),
    refunds: [
      { payment: 0, percent: 30 },
      { payment: 1, percent: 50 },
    ],
  },
  { ...paid(false), disputes: [0], contests: [0, 0] },
  paid(false),
  { ...paid(false), wins: [0] },
  { ...paid(false), wins: [0] },
  paid(false),
];

const forgetAll = async (): Promise<void> => {
  const client = new pg.Client({ connectionString: sandbox.database.url });
  await client.connect();
  // The tables are locked in the order in which the sandbox reads them when it searches for due
  // work; any other order could cause a deadlock with the sandbox.
  await client.query(
    `TRUNCATE disputes, payments, payout_lines, payouts, refunds, payment_intents, events CASCADE`,
  );
  await client.end();
};

const answerDisputes = async (
  model: PayoutModel,
  ids: readonly string[],
  today: Day,
): Promise<void> => {
  const disputeOf = async (index: number): Promise<string> => {
    const { body } = await sandbox.call('GET', `/v2/payments/${ids[index] ?? ''}/disputes`);
    return idOf((body as unknown as ApiObject[])[0] ?? {});
  };
  for (const nth of today.contests) {
    const open = model.disputedIn('open');
    const index = open[nth % open.length];
    if (index === undefined) continue;
    const path = `/v2/disputes/${await disputeOf(index)}/evidence`;
    expect(await sandbox.call('POST', path, { text: 'It was delivered.' })).toMatchObject({
      status: 200,
    });
    model.contest(index);
  }
  for (const nth of today.wins) {
    const underReview = model.disputedIn('under_review');
    const index = underReview[nth % underReview.length];
    if (index === undefined) continue;
    const disputes = sandbox.http.app.get(Disputes, { strict: false });
    await disputes.move(HOUSE_TEST, await disputeOf(index), 'win');
    model.win(index);
  }
};

/** Executes the operations of one day in the sandbox and in the reference model. */
const live = async (model: PayoutModel, ids: string[], today: Day): Promise<void> => {
  const services = { strict: false } as const;
  const easy = cardLike('Accepted, 3D Secure not required');
  for (const { amount, isDisputed } of today.pays) {
    const card = isDisputed ? cardLike('Accepted then disputed') : easy;
    ids.push(idOf(await pay(sandbox, { amount, card })));
    model.pay(amount, isDisputed);
  }
  for (const { payment, percent } of today.refunds) {
    const captured = model.captured();
    const index = captured[payment % captured.length];
    const left = index === undefined ? 0 : model.leftOf(index);
    if (index === undefined || left === 0) continue;
    const amount = Math.ceil((left * percent) / 100);
    expect((await refund(sandbox, ids[index] ?? '', amount)).status).toBe(200);
    model.refund(index, amount);
  }
  for (const payment of today.disputes) {
    const captured = model.captured();
    const index = captured[payment % captured.length];
    if (index === undefined) continue;
    const open = sandbox.http.app.get(Disputes, services).open(HOUSE_TEST, ids[index] ?? '', '45');
    if (model.leftToDispute(index) === 0) {
      await expect(open).rejects.toMatchObject({ status: 409 });
      continue;
    }
    await open;
    model.dispute(index);
  }
  await answerDisputes(model, ids, today);
  const failed = today.failsPayout ? model.failable() : null;
  if (failed !== null) {
    const [newest] = await all(sandbox, '/v2/payouts', 'payouts');
    await sandbox.http.app.get(Payouts, services).fail(HOUSE_TEST, idOf(newest ?? {}));
    model.fail(failed);
  }
};

const payoutsAsModel = async (): Promise<unknown[]> =>
  (await all(sandbox, '/v2/payouts', 'payouts')).reverse().map((payout) => ({
    date: payout['date'],
    amount: payout['amount'],
    fees: payout['fees'],
    vat: payout['fees_vat'],
    status: payout['status'],
  }));

const expected = (model: PayoutModel, monday: Instant): unknown[] =>
  model.payouts.map(({ day: on, amount, fees, vat, status }) => ({
    date: plusMs(monday, on * DAY_MS).slice(0, 10),
    amount,
    fees,
    vat,
    status,
  }));

/** Checks the totals of a payout against the sums of its lines. */
const checkLines = async (payout: ApiObject): Promise<void> => {
  if (payout['status'] === 'failed') return;
  for (const kind of ['payments', 'refunds', 'disputes'] as const) {
    const lines = await all(sandbox, `/v2/payouts/${idOf(payout)}/${kind}`, kind);
    const amount = lines.reduce((total, line) => total + Number(line['amount']), 0);
    expect(payout[kind]).toMatchObject({ amount, method: { card: { count: lines.length } } });
  }
};

test('for random operations, payouts and books equal those of an independent reference model on every day', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 6 }),
      fc.array(day, { minLength: 2, maxLength: 8 }),
      async (weekday, days) => {
        await forgetAll();
        const first = await moveToNoon(sandbox, weekday as Weekday);
        const model = new PayoutModel(weekday);
        const ids: string[] = [];
        const quiet = Array.from({ length: 4 }, () => NOTHING);
        for (const [index, today] of [...days, ...quiet].entries()) {
          await live(model, ids, today);
          model.pass();
          await moveTo(sandbox, plusMs(first, (index + 1.25) * DAY_MS));
          expect(await payoutsAsModel()).toEqual(expected(model, first));
        }
        const [book] = await booksOf(sandbox);
        if (ids.length > 0) expect(book).toMatchObject({ accounts: model.accounts(), sum: 0 });
        for (const payout of await all(sandbox, '/v2/payouts', 'payouts')) await checkLines(payout);
      },
    ),
    { numRuns: 10, endOnFailure: true, examples: [[1, WON_DAYS]] },
  );
});
