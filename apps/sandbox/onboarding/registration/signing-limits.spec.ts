import pg from 'pg';
import { type Harness, startHarness } from '../../testing/harness.js';
import { type CompanyReply, createCompany } from '../testing/company.js';
import { ask } from '../testing/partner.js';
import { advance, codeFor, linkToken, pageCall, shownVersion } from '../testing/registration.js';
import { sendAll } from '../testing/upload.js';

let sandbox: Harness;
let made: CompanyReply;
let token: string;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  made = await createCompany(sandbox);
  await sendAll(sandbox, made);
  token = await linkToken(sandbox, made.company.id);
});

const askForCode = async (): Promise<string> => (await pageCall(sandbox, `${token}/code`)).outcome;
const code = (): Promise<string> => codeFor(sandbox, made.company.id);
const signWith = async (given: string): Promise<string> => {
  const version = await shownVersion(sandbox, token);
  return (await pageCall(sandbox, `${token}/sign`, { code: given, version })).outcome;
};
const wrong = (given: string): string => (given === '0000' ? '0001' : '0000');

/** Requests the maximum number of codes in an hour, and uses all attempts of each code. */
const spendAnHour = async (): Promise<readonly string[]> => {
  const outcomes: string[] = [];
  for (let sent = await askForCode(); sent === 'sent'; sent = await askForCode()) {
    const given = wrong(await code());
    for (let index = 0; index < 5; index += 1) outcomes.push(await signWith(given));
    if (outcomes.length > 100) break;
  }
  return outcomes;
};

test('at most five codes are sent in an hour', async () => {
  for (let index = 0; index < 5; index += 1) expect(await askForCode()).toBe('sent');
  expect(await askForCode()).toBe('too_many_codes');
  // After five minutes the latest code is still valid, and no further code can be sent.
  await advance(sandbox, 'PT5M');
  expect(await askForCode()).toBe('too_many_codes');
  await advance(sandbox, 'PT55M');
  expect(await askForCode()).toBe('sent');
  expect(await signWith(await code())).toBe('signed');
});

test('signing is rejected after twenty wrong attempts in a day, counted over all codes', async () => {
  const outcomes = await spendAnHour();
  expect(outcomes).toEqual(Array.from({ length: 20 }, () => 'wrong_code'));
  expect(await askForCode()).toBe('locked');
  expect(await signWith(await code())).toBe('locked');
  await advance(sandbox, 'PT2H');
  expect(await askForCode()).toBe('locked');
  await advance(sandbox, 'PT22H');
  expect(await askForCode()).toBe('sent');
  expect(await signWith(await code())).toBe('signed');
});

test('a code signs only the version of the data for which the code was sent', async () => {
  await askForCode();
  const sent = await code();
  await ask(sandbox, 'PATCH', `/company?id=${made.company.id}`, { 'legal-name': 'Another' });
  expect(await signWith(sent)).toBe('code_expired');
  await askForCode();
  expect(await signWith(await code())).toBe('signed');
});

describe('a signing code and its message', () => {
  /**
   * Whether each message of the company, newest first, still has a text; and whether the hash of a
   * code is stored.
   */
  const rest = async (): Promise<unknown> => {
    const company = made.company.id;
    const inbox = await fetch(`${sandbox.url}/sandbox/onboarding/inbox?company=${company}`);
    const messages = (await inbox.json()) as { text: string | null }[];
    const client = new pg.Client({ connectionString: sandbox.database.url });
    await client.connect();
    const {
      rows: [row],
    } = await client.query<{ hash: boolean }>(
      'SELECT code_hash IS NOT NULL AS hash FROM onboarding_companies WHERE id = $1',
      [company],
    );
    await client.end();
    return [...messages.map(({ text }) => text !== null), { hash: row?.hash }];
  };
  beforeEach(async () => {
    await askForCode();
    expect(await rest()).toEqual([true, { hash: true }]);
  });

  test('are erased after use', async () => {
    expect(await signWith(await code())).toBe('signed');
    expect(await rest()).toEqual([false, { hash: false }]);
  });

  test('are erased after the fifth wrong attempt', async () => {
    const given = wrong(await code());
    for (let index = 0; index < 5; index += 1) await signWith(given);
    expect(await rest()).toEqual([false, { hash: false }]);
    expect(await signWith(given)).toBe('too_many_tries');
  });

  test('are erased when a new code is sent', async () => {
    await askForCode();
    expect(await rest()).toEqual([true, false, { hash: true }]);
  });

  test.each([
    ['the data to sign has changed', 'company?id=', { 'legal-name': 'Another' }],
    ['the status no longer allows a signature', 'company-status?company=', { status: 'validated' }],
  ])('are erased when %s', async (_what, path, body) => {
    const answer = await ask(sandbox, 'PATCH', `/${path}${made.company.id}`, body);
    expect(answer.status).toBe(200);
    expect(await rest()).toEqual([false, { hash: false }]);
  });

  test('are erased when a document is deleted', async () => {
    const { id } = made.company;
    const { body } = await ask(sandbox, 'GET', `/company?id=${id}`);
    const [document] = (body as CompanyReply).company.documents;
    const path = `/document?company=${id}&document=${document?.id}`;
    expect((await ask(sandbox, 'DELETE', path)).status).toBe(200);
    expect(await rest()).toEqual([false, { hash: false }]);
  });

  test('are erased when the code expires after ten minutes', async () => {
    const sent = await code();
    await advance(sandbox, 'PT10M');
    expect(await rest()).toEqual([false, { hash: false }]);
    expect(await signWith(sent)).toBe('code_expired');
  });
});
