import { DAY_MS, plusMs } from '#kernel';
import { bankDaysAfter } from '../../money/bank-days.js';
import { HOUSE_TEST } from '../../storage/account-scope.js';
import { basic, type Harness, startHarness, TEST_KEY } from '../../testing/harness.js';
import {
  booksOf,
  capturedPayment,
  cardLike,
  clearToday,
  idOf,
  moveTo,
  moveToNoon,
  nowOf,
  pay,
  type ApiObject,
} from '../../testing/money.js';
import { Disputes } from './disputes.service.js';

/**
 * A dispute after its opening: evidence, review, decision and timeout. See
 * docs/provider/payments-completion.md#settled-after-real-clients.
 */

let sandbox: Harness;
let disputes: Disputes;
beforeAll(async () => {
  sandbox = await startHarness();
  disputes = sandbox.http.app.get(Disputes, { strict: false });
  await moveToNoon(sandbox, 1);
});
afterAll(() => sandbox.stop());

const disputed = async (network: string, more: object = {}): Promise<string> => {
  const card = cardLike(`Accepted then disputed (${network}`);
  const payment = await capturedPayment(sandbox, { card, amount: 4_200, ...more });
  // Captures a further payment, so that the payout of the day is positive.
  await pay(sandbox, { amount: 900_000, ...more });
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P1D' });
  const { body } = await sandbox.call('GET', `/v2/payments/${payment}/disputes`);
  return idOf((body as unknown as ApiObject[])[0] ?? {});
};
const byHand = async (more: object = {}): Promise<string> =>
  (await disputes.open(HOUSE_TEST, await capturedPayment(sandbox, more), '45')).id;
const send = (id: string, body: unknown = { text: 'It was delivered.' }) =>
  sandbox.call('POST', `/v2/disputes/${id}/evidence`, body);
const read = async (id: string): Promise<ApiObject> =>
  (await sandbox.call('GET', `/v2/disputes/${id}`)).body;

test.each([
  ['national', 'won'],
  ['first international', 'lost'],
  ['second international', 'won'],
])(
  'evidence is reviewed after two bank days, and the dispute of a %s test card is then %s',
  async (network, outcome) => {
    const id = await disputed(network);
    expect(await send(id)).toMatchObject({ status: 200, body: { id, status: 'evidence_sent' } });
    const verifiedAt = bankDaysAfter(await nowOf(sandbox), 2);
    await moveTo(sandbox, plusMs(verifiedAt, -2_000));
    expect(await read(id)).toMatchObject({ status: 'evidence_sent' });
    await moveTo(sandbox, plusMs(verifiedAt, 1_000));
    expect(await read(id)).toMatchObject({ status: 'evidence_verification' });
    await moveTo(sandbox, plusMs(bankDaysAfter(verifiedAt, 1), 1_000));
    expect(await read(id)).toMatchObject({ status: outcome });
  },
);

test('a dispute waits for a manual decision when the test card defines no decision of its bank', async () => {
  const id = await byHand();
  await send(id);
  await sandbox.call('POST', '/sandbox/clock', { advance: 'P30D' });
  expect(await read(id)).toMatchObject({ status: 'evidence_verification' });
  expect(await disputes.move(HOUSE_TEST, id, 'lose')).toMatchObject({ status: 'lost' });
});

test('a dispute that the merchant neither contests nor accepts becomes out_of_time after 20 days', async () => {
  const [taken, id] = [await byHand(), await byHand()];
  const openedAt = await nowOf(sandbox);
  await disputes.move(HOUSE_TEST, id, 'request_evidence');
  expect(await disputes.move(HOUSE_TEST, taken, 'accept')).toMatchObject({ status: 'accepted' });
  await moveTo(sandbox, plusMs(openedAt, 19.9 * DAY_MS));
  expect(await read(id)).toMatchObject({ status: 'evidence_pending' });
  await moveTo(sandbox, plusMs(openedAt, 20 * DAY_MS + 1_000));
  expect(await read(id)).toMatchObject({ status: 'out_of_time' });
  expect(await read(taken)).toMatchObject({ status: 'accepted' });
  expect(await send(id)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('out_of_time') },
  });
});

test('the next payout after a dispute is won returns the disputed amount, but not the dispute fee', async () => {
  await clearToday(sandbox);
  const currency = 'chf';
  const id = await disputed('national', { currency });
  const took = String((await read(id))['payout']);
  await send(id);
  await moveTo(sandbox, plusMs(bankDaysAfter(await nowOf(sandbox), 2), 1_000));
  await pay(sandbox, { amount: 50_000, currency });
  await disputes.move(HOUSE_TEST, id, 'win');
  const before = await booksOf(sandbox);
  await clearToday(sandbox);
  await clearToday(sandbox);
  const { body } = await sandbox.call('GET', '/v2/payouts?limit=100');
  const payouts = (body['payouts'] as unknown as ApiObject[]).filter(
    (one) => one['currency'] === currency && (one['disputes'] as { amount: number }).amount < 0,
  );
  expect(payouts).toHaveLength(1);
  const [gave = {}] = payouts;
  expect(gave).toMatchObject({
    disputes: { amount: -4_200, method: { card: { amount: -4_200, count: 1, fees: 0 } } },
  });
  const total = (kind: string): number => (gave[kind] as { amount: number }).amount;
  expect(gave['amount']).toBe(
    total('payments') -
      total('refunds') -
      total('disputes') -
      Number(gave['fees']) -
      Number(gave['fees_vat']),
  );
  const dispute = await read(id);
  expect(dispute).toMatchObject({ status: 'won', amount: 4_200, payout: took });
  const lines = await sandbox.call('GET', `/v2/payouts/${idOf(gave)}/disputes`);
  expect(lines.body).toMatchObject({
    disputes: [{ ...dispute, amount: -4_200, fee: 0, payout: idOf(gave) }],
    range: { count: 1 },
  });
  expect((await sandbox.call('GET', `/v2/payouts/${took}/disputes`)).body).toMatchObject({
    disputes: [dispute],
  });
  const book = (books: typeof before) => books.find((one) => one.currency === currency);
  expect(book(await booksOf(sandbox))).toMatchObject({ accounts: { disputes: 0 }, sum: 0 });
});

describe('evidence', () => {
  const form = async (id: string, parts: Readonly<Record<string, string | File>>) => {
    const body = new FormData();
    for (const [name, part] of Object.entries(parts)) body.append(name, part);
    const answer = await fetch(`${sandbox.url}/v2/disputes/${id}/evidence`, {
      method: 'POST',
      body,
      headers: { authorization: basic(TEST_KEY) },
    });
    return { status: answer.status, body: (await answer.json()) as ApiObject };
  };

  test('is accepted as JSON with a text and files; the digests of the files are stored', async () => {
    const id = await byHand();
    const content = Buffer.from('signed by the payer').toString('base64');
    const { status } = await send(id, {
      text: 'Delivered.',
      files: [{ name: 'slip.txt', type: 'text/plain', content }],
    });
    expect(status).toBe(200);
    expect(await disputes.evidenceOf([id])).toMatchObject([
      {
        text: 'Delivered.',
        files: [
          {
            name: 'slip.txt',
            type: 'text/plain',
            size: 19,
            sha256: expect.stringMatching(/^[\da-f]{64}$/),
          },
        ],
      },
    ]);
  });

  test('is accepted as JSON of at most 1 MiB', async () => {
    const id = await byHand();
    const frame = JSON.stringify({ files: [{ name: 'scan.pdf', content: '' }] }).length;
    const of = (bytes: number): object => ({
      files: [{ name: 'scan.pdf', content: 'A'.repeat(bytes - frame) }],
    });
    expect(await send(id, of(1_048_577))).toMatchObject({ status: 413 });
    expect(await send(id, of(1_048_576))).toMatchObject({ status: 200 });
    const size = Math.floor(((1_048_576 - frame) * 3) / 4);
    expect(await disputes.evidenceOf([id])).toMatchObject([{ files: [{ size }] }]);
    const other = { amount: 100, metadata: 'x'.repeat(70_000) };
    expect(await sandbox.call('POST', '/v2/payment_intents', other)).toMatchObject({ status: 413 });
  });

  test('is accepted as a multipart form with files', async () => {
    const id = await byHand();
    const file = new File(['proof'], 'proof.pdf', { type: 'application/pdf' });
    expect(await form(id, { text: 'See the file.', file })).toMatchObject({
      status: 200,
      body: { id, status: 'evidence_sent' },
    });
    expect(await disputes.evidenceOf([id])).toMatchObject([
      {
        text: 'See the file.',
        files: [{ name: 'proof.pdf', type: 'application/pdf', size: 5 }],
      },
    ]);
  });

  test.each([
    ['an empty body', {}],
    ['neither a text nor a file', { text: null }],
    ['an unknown key', { text: 'a', colour: 'blue' }],
    ['a card number', { text: 'paid by 4242 4242 4242 4242' }],
    ['a file that is not base64', { files: [{ name: 'a', content: 'no base64!' }] }],
  ])('is rejected with %s', async (_, body) => {
    expect(await send(await byHand(), body)).toMatchObject({ status: 422 });
  });

  test('is accepted once per dispute, and rejected for an unknown dispute', async () => {
    const id = await byHand();
    await send(id);
    expect(await send(id)).toMatchObject({ status: 409 });
    const unknownId = `dspt_${'a'.repeat(24)}`;
    expect(await send(unknownId)).toMatchObject({ status: 404 });
  });
});
