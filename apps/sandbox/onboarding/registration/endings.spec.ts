import pg from 'pg';
import { type Harness, startHarness } from '../../testing/harness.js';
import { type CompanyReply, fullCompany } from '../testing/company.js';
import { ask, type PartnerReply } from '../testing/partner.js';
import { advance, parisToday, signedCompany, toNoon } from '../testing/registration.js';
import type { HistoryRow } from './registration-wire.js';

let sandbox: Harness;
let made: CompanyReply;
let body: ReturnType<typeof fullCompany>;
beforeAll(async () => {
  sandbox = await startHarness();
  await toNoon(sandbox);
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  body = fullCompany({ 'legal-name': 'Atelier REJECT' });
  made = await signedCompany(sandbox, body);
  await advance(sandbox, 'P1D');
});

const path = (): string => `/company?id=${made.company.id}`;
const setStatus = (status: string): Promise<PartnerReply> =>
  ask(sandbox, 'PATCH', `/company-status?company=${made.company.id}`, { status });
const lastRow = async (): Promise<HistoryRow | undefined> => {
  const [since, until] = [await parisToday(sandbox), await parisToday(sandbox, 1)];
  const query = `since=${since}&until=${until}`;
  const { body: rows } = await ask(sandbox, 'GET', `/company-status-history?${query}`);
  return (rows as HistoryRow[]).find(({ id }) => id === made.company.id);
};

/**
 * Corrects the legal name directly in the database, because the API does not allow this after the
 * signature.
 */
const rename = async (name: string): Promise<void> => {
  const client = new pg.Client({ connectionString: sandbox.database.url });
  await client.connect();
  const { rowCount } = await client.query(
    `UPDATE onboarding_companies SET file = jsonb_set(file, '{legal-name}', to_jsonb($2::text))
     WHERE id = $1`,
    [made.company.id, name],
  );
  await client.end();
  expect(rowCount).toBe(1);
};

test('a contract end that the service started is completed, even if the rejected legal name is corrected meanwhile', async () => {
  expect(await lastRow()).toMatchObject({ 'terminated-by-service': true });
  await rename('Atelier');
  await advance(sandbox, 'P1D');
  expect(await lastRow()).toMatchObject({ status: 'deactivate', 'terminated-by-service': true });
  expect(await ask(sandbox, 'POST', '/company', body)).toMatchObject({
    status: 409,
    body: { type: 'email-terminated' },
  });
});

test("when the user's email changes during the contract end, the old and the new email are blocked", async () => {
  const email = `later-${body.user.contact.email}`;
  expect((await ask(sandbox, 'PATCH', path(), { user: { contact: { email } } })).status).toBe(200);
  expect(await ask(sandbox, 'POST', '/company', body)).toMatchObject({
    status: 409,
    body: { type: 'email-unavailable' },
  });
  await advance(sandbox, 'P1D');
  for (const each of [email, body.user.contact.email]) {
    const again = { ...body, user: { ...body.user, contact: { email: each } } };
    expect(await ask(sandbox, 'POST', '/company', again)).toMatchObject({
      status: 409,
      body: { type: 'email-terminated' },
    });
  }
});

test('a former email can be used by another company when PATCH /company-status undoes the contract end', async () => {
  const email = `later-${body.user.contact.email}`;
  await ask(sandbox, 'PATCH', path(), { user: { contact: { email } } });
  await setStatus('available');
  expect((await ask(sandbox, 'POST', '/company', body)).status).toBe(200);
});

test('terminated-by-service stays true when PATCH /company-status completes a contract end that the service started', async () => {
  await rename('Atelier');
  await setStatus('deactivate');
  expect(await lastRow()).toMatchObject({ status: 'deactivate', 'terminated-by-service': true });
});
