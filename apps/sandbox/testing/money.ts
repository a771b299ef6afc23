import { DAY_MS, type Instant, msOf, parseInstant, plusMs } from '#kernel';
import { TEST_CARDS } from '../collection/banks/test-values.js';
import { morningFrom, nextCutOff, nextMorning } from '../money/bank-days.js';
import type { Answer, Harness } from './harness.js';

/** An object of the API as specs read it. */
export type ApiObject = Readonly<Record<string, unknown>>;

export const nowOf = async (sandbox: Harness): Promise<Instant> =>
  parseInstant(String((await sandbox.call('GET', '/sandbox/clock')).body['now']));

/** Moves the clock to `at`, or to at most a second after `at`. */
export const moveTo = async (sandbox: Harness, at: Instant): Promise<void> => {
  const seconds = Math.ceil((msOf(at) - msOf(await nowOf(sandbox))) / 1_000);
  if (seconds <= 0) return;
  const { status } = await sandbox.call('POST', '/sandbox/clock', { advance: `PT${seconds}S` });
  expect(status).toBe(200);
};

/** 0 is Sunday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** Moves the clock to noon of the next `weekday`; returns 06:00 of that day. */
export const moveToNoon = async (sandbox: Harness, weekday: Weekday): Promise<Instant> => {
  let morning = morningFrom(await nowOf(sandbox));
  while (new Date(msOf(morning)).getUTCDay() !== weekday) morning = plusMs(morning, DAY_MS);
  await moveTo(sandbox, plusMs(morning, DAY_MS / 4));
  return morning;
};

/** The card data in a request, for the first test card whose scenario starts with `scenario`. */
export const cardLike = (scenario: string): object => {
  const found = TEST_CARDS.find((card) => card.scenario.startsWith(scenario));
  if (found === undefined) throw new Error(`there is no test card '${scenario}'`);
  return { number: found.value, exp_month: 12, exp_year: 2090, cvc: '123' };
};

/** Creates a payment in one call, without authentication; captured automatically by default. */
export const pay = async (
  sandbox: Harness,
  more: object = {},
  key?: string,
): Promise<ApiObject> => {
  const body = { amount: 10_000, card: cardLike('Accepted, 3D Secure not required'), ...more };
  const answer = await sandbox.call('POST', '/v2/payments/', body, key);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body;
};

export const idOf = (object: ApiObject): string => String(object['id']);

/** The id of the 3-D Secure session to which the payer of a payment is redirected. */
export const sessionOf = (payment: ApiObject | undefined): string => {
  const auth = payment?.['auth'] as ApiObject | null | undefined;
  return String(auth?.['redirect_url']).split('/').at(-1) ?? '';
};

export const paymentOf = async (sandbox: Harness, id: string): Promise<ApiObject> =>
  (await sandbox.call('GET', `/v2/payments/${id}`)).body;

/** Makes a `captured` payment; to settle it, moves the clock past the next settlement morning. */
export const capturedPayment = async (sandbox: Harness, more: object = {}): Promise<string> => {
  const id = idOf(await pay(sandbox, more));
  await clearToday(sandbox);
  expect(await paymentOf(sandbox, id)).toMatchObject({ status: 'captured' });
  return id;
};

/** Moves the clock past the next cut-off and the following morning. */
export const clearToday = async (sandbox: Harness): Promise<void> => {
  await moveTo(sandbox, nextMorning(nextCutOff(await nowOf(sandbox))));
};

export const refund = (sandbox: Harness, payment: string, amount?: number): Promise<Answer> =>
  sandbox.call('POST', '/v2/refunds', { payment, ...(amount === undefined ? {} : { amount }) });

/** Types of the events of a payment and its intent, in the order of creation. */
export const eventTypesOf = async (sandbox: Harness, ...ids: string[]): Promise<string[]> => {
  const { body } = await sandbox.call('GET', '/v2/events?limit=100');
  const events = body['events'] as unknown as { type: string; data: { id: string } }[];
  return events
    .filter(({ data }) => ids.includes(data.id))
    .map(({ type }) => type)
    .reverse();
};

export interface TestBook {
  readonly mode: string;
  readonly currency: string;
  readonly accounts: Readonly<Record<string, number>>;
  readonly sum: number;
}

export const booksOf = async (sandbox: Harness): Promise<readonly TestBook[]> =>
  (await sandbox.call('GET', '/sandbox/books')).body['books'] as unknown as readonly TestBook[];

/** Reads all pages of a list. */
export const all = async (sandbox: Harness, path: string, plural: string): Promise<ApiObject[]> => {
  const items: ApiObject[] = [];
  for (;;) {
    const separator = path.includes('?') ? '&' : '?';
    const page = await sandbox.call('GET', `${path}${separator}start=${items.length}&limit=100`);
    items.push(...(page.body[plural] as unknown as ApiObject[]));
    if (!(page.body['range'] as unknown as { has_more: boolean }).has_more) return items;
  }
};
