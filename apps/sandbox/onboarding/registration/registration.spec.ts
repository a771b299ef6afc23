import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import pg from 'pg';
import type { HttpApp } from '#platform';
import { developmentCertificate, freePort } from '#testing';
import { basic, type Harness, startHarness } from '../../testing/harness.js';
import { companyOnlyAnswer } from '../companies/company-answer.js';
import { COMPANY_STATUSES } from '../companies/company-status.js';
import { misfits } from '../testing/answers.js';
import {
  type CompanyReply,
  createCompany,
  fullCompany,
  IBAN,
  readCompany,
  smallCompany,
} from '../testing/company.js';
import { ask, KEY, LIVE, OTHER, type PartnerReply } from '../testing/partner.js';
import {
  advance,
  codeFor,
  linkToken,
  pageCall,
  parisToday,
  shownVersion,
  sign,
  signedCompany,
  toNoon,
} from '../testing/registration.js';
import { addressOf, PDF, send, sendAll } from '../testing/upload.js';
import { historyAnswer, keysAnswer, linkAnswer, progressAnswer } from './registration-wire.js';
import type { HistoryRow } from './registration-wire.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
  await toNoon(sandbox);
});
afterAll(() => sandbox.stop());

const statusOf = async (id: string, key = KEY as string): Promise<string> =>
  (await readCompany(sandbox, id, key)).company.status;

const setStatus = (id: string, status: string, key: string = KEY): Promise<PartnerReply> =>
  ask(sandbox, 'PATCH', `/company-status?company=${id}`, { status }, key);

const keysOf = (id: string): Promise<PartnerReply> =>
  ask(sandbox, 'GET', `/company-keys?company=${id}`);

const historyOf = async (query: string, key: string = KEY): Promise<readonly HistoryRow[]> => {
  const { status, body } = await ask(
    sandbox,
    'GET',
    `/company-status-history?${query}`,
    undefined,
    key,
  );
  expect(status).toBe(200);
  expect(misfits(historyAnswer, body)).toEqual([]);
  return body;
};

/**
 * The history rows of a company in the period from `from` to `to`, both in days relative to today.
 */
const rowsOf = async (id: string, from: number, to: number, more = ''): Promise<HistoryRow[]> => {
  const [since, until] = [await parisToday(sandbox, from), await parisToday(sandbox, to)];
  const rows = await historyOf(`since=${since}&until=${until}${more}`);
  return rows.filter((row) => row.id === id);
};

const query = async <R extends pg.QueryResultRow>(sql: string): Promise<pg.QueryResult<R>> => {
  const client = new pg.Client({ connectionString: sandbox.database.url });
  await client.connect();
  return client.query<R>(sql).finally(() => client.end());
};

interface Progress {
  readonly percent: number;
  readonly steps: readonly { code: string; complete: boolean; missing: string[] }[];
}

const progressFor = async (id: string): Promise<Progress> => {
  const { status, body } = await ask(sandbox, 'GET', `/registration-progress?company=${id}`);
  expect(status).toBe(200);
  expect(misfits(progressAnswer, body)).toEqual([]);
  return body;
};

describe('GET /registration-progress', () => {
  test('returns the missing data by step until nothing is missing', async () => {
    const small = await createCompany(sandbox, smallCompany());
    const first = await progressFor(small.company.id);
    expect(first.percent).toBe(0);
    expect(first.steps.map(({ code }) => code)).toEqual([
      'company',
      'user',
      'owners',
      'representatives',
      'documents',
      'contract',
    ]);
    expect(first.steps[0]?.missing).toContain('headquarters-address');
    expect(first.steps[4]?.missing).toEqual(['kbis', 'iban']);

    const full = await createCompany(sandbox);
    const second = await progressFor(full.company.id);
    const cards = full['documents-to-upload']['identity-documents'].map(({ id }) => `idcard.${id}`);
    expect(second).toMatchObject({
      percent: 66,
      steps: [
        { complete: true },
        { complete: true },
        { complete: true },
        { complete: true },
        { complete: false, missing: ['kbis', 'iban', ...cards] },
        { complete: false, missing: ['signature'] },
      ],
    });
    await sendAll(sandbox, full);
    expect((await progressFor(full.company.id)).percent).toBe(83);
    expect(await sign(sandbox, full.company.id)).toBe('signed');
    expect((await progressFor(full.company.id)).percent).toBe(100);
  });

  test("returns 404 for another partner's company", async () => {
    const { company } = await createCompany(sandbox);
    const path = `/registration-progress?company=${company.id}`;
    expect((await ask(sandbox, 'GET', path, undefined, OTHER)).status).toBe(404);
  });
});

describe('the signing of the contract', () => {
  let made: CompanyReply;
  let token: string;
  beforeEach(async () => {
    made = await createCompany(sandbox);
    await sendAll(sandbox, made);
    token = await linkToken(sandbox, made.company.id);
  });

  const signWith = async (code: string, version?: number): Promise<string> => {
    const shown = version ?? (await shownVersion(sandbox, token));
    return (await pageCall(sandbox, `${token}/sign`, { code, version: shown })).outcome;
  };
  const newCode = async (): Promise<string> => {
    expect((await pageCall(sandbox, `${token}/code`)).outcome).toBe('sent');
    return codeFor(sandbox, made.company.id);
  };
  const wrong = (code: string): string => (code === '0000' ? '0001' : '0000');

  test('happens on the page at subscription-link, whose URL never changes', async () => {
    const path = `/subscription-link?company=${made.company.id}`;
    const first = await ask(sandbox, 'GET', path);
    expect(misfits(linkAnswer, first.body)).toEqual([]);
    expect((await ask(sandbox, 'GET', path)).body).toEqual(first.body);
    expect(first.body).toEqual({ link: `http://sandbox.test/subscription/${token}` });
    expect((await ask(sandbox, 'GET', path, undefined, OTHER)).status).toBe(404);
    expect((await fetch(`${sandbox.url}/subscription/${'a'.repeat(30)}`)).status).toBe(404);
  });

  test('succeeds once, with the code from the text message', async () => {
    const code = await newCode();
    expect(await signWith(wrong(code))).toBe('wrong_code');
    expect(await statusOf(made.company.id)).toBe('notComplete');
    expect(await signWith(code)).toBe('signed');
    expect(await statusOf(made.company.id)).toBe('pendingActivation');
    expect(await signWith(code)).toBe('not_open');
    expect((await pageCall(sandbox, `${token}/code`)).outcome).toBe('not_open');
  });

  test('requires a new code after five wrong attempts', async () => {
    const code = await newCode();
    for (let index = 0; index < 5; index += 1)
      expect(await signWith(wrong(code))).toBe('wrong_code');
    expect(await signWith(code)).toBe('too_many_tries');
    expect(await signWith(await newCode())).toBe('signed');
  });

  test('rejects a code after ten minutes', async () => {
    const code = await newCode();
    await advance(sandbox, 'PT10M');
    expect(await signWith(code)).toBe('code_expired');
  });

  test('requires complete data and a code', async () => {
    expect(await signWith('1234')).toBe('no_code');
    const small = await createCompany(sandbox);
    const link = await linkToken(sandbox, small.company.id);
    expect((await pageCall(sandbox, `${link}/code`)).outcome).toBe('incomplete');
    const answer = await pageCall(sandbox, `${link}/sign`, { code: '1234', version: 1 });
    expect(answer.outcome).toBe('incomplete');
    expect((await pageCall(sandbox, `${'a'.repeat(30)}/code`)).outcome).toBe('not_found');
  });

  test('is rejected when the company’s data has changed since the page showed the data', async () => {
    const code = await newCode();
    const version = await shownVersion(sandbox, token);
    await ask(sandbox, 'PATCH', `/company?id=${made.company.id}`, { 'legal-name': 'Another' });
    expect(await signWith(code, version)).toBe('changed');
    expect(await signWith(code)).toBe('code_expired');
    expect(await signWith(await newCode())).toBe('signed');
  });

  test('excludes a concurrent PATCH: either the signing or the PATCH is rejected', async () => {
    const code = await newCode();
    const version = await shownVersion(sandbox, token);
    const [outcome, change] = await Promise.all([
      signWith(code, version),
      ask(sandbox, 'PATCH', `/company?id=${made.company.id}`, { 'legal-name': 'Another' }),
    ]);
    const [status, name] = outcome === 'signed' ? [409, 'Atelier Lumière'] : [200, 'Another'];
    expect(['signed', 'changed']).toContain(outcome);
    expect(change.status).toBe(status);
    if (outcome === 'changed') expect(await signWith(await newCode())).toBe('signed');
    const {
      rows: [kept],
    } = await query<{ file: object; signed_file: object }>(
      `SELECT file, signed_file FROM onboarding_companies WHERE id = '${made.company.id}'`,
    );
    expect(kept?.signed_file).toMatchObject({ 'legal-name': name, iban: IBAN });
    expect(kept?.signed_file).toEqual(kept?.file);
    // A change after the signature does not affect the stored copy of the signed data.
    const later = { url: 'https://later.example.test' };
    await ask(sandbox, 'PATCH', `/company?id=${made.company.id}`, later);
    const {
      rows: [after],
    } = await query<{ file: object; signed_file: object }>(
      `SELECT file, signed_file FROM onboarding_companies WHERE id = '${made.company.id}'`,
    );
    expect(after).toEqual({ file: { ...kept?.file, ...later }, signed_file: kept?.signed_file });
  });

  test('succeeds for only one of several concurrent requests', async () => {
    const code = await newCode();
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => signWith(code)));
    expect(outcomes.sort()).toEqual(['not_open', 'not_open', 'not_open', 'signed']);
    expect(await rowsOf(made.company.id, 0, 1)).toHaveLength(1);
  });

  test('masks the IBAN, and from then on files can be neither read nor uploaded', async () => {
    const { company: before } = await readCompany(sandbox, made.company.id);
    expect(before.iban).toBe(IBAN);
    await signWith(await newCode());
    const { company } = await readCompany(sandbox, made.company.id);
    expect(company.iban).toBe('X'.repeat(IBAN.length));
    expect(company.documents.find((each) => each['document-type'] === 'iban')).toMatchObject({
      iban: 'X'.repeat(IBAN.length),
    });
    const query = `company=${made.company.id}&document=${before.documents[0]?.id}`;
    expect(await ask(sandbox, 'GET', `/document?${query}`)).toMatchObject({
      status: 403,
      body: { type: 'not-allowed' },
    });
    expect(await ask(sandbox, 'DELETE', `/document?${query}`)).toMatchObject({
      status: 409,
      body: { type: 'not-allowed' },
    });
    expect(await send(sandbox, addressOf(made, 'kbis'), [{ bytes: PDF }])).toMatchObject({
      status: 409,
      body: { type: 'not-allowed' },
    });
  });

  test('rejects large bodies, and requests from other sites', async () => {
    const call = (headers: object, body: string): Promise<Response> =>
      fetch(`${sandbox.url}/subscription/${token}/code`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    expect((await call({ 'sec-fetch-site': 'cross-site' }, '{}')).status).toBe(403);
    expect((await call({}, `{"a":"${'x'.repeat(5_000)}"}`)).status).toBe(413);
    const { headers } = await fetch(`${sandbox.url}/subscription/${token}`);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe("the service, on the sandbox's clock,", () => {
  test('validates a signed company after one day and makes it available after one more day', async () => {
    const { company } = await signedCompany(sandbox);
    await advance(sandbox, 'PT23H59M');
    expect(await statusOf(company.id)).toBe('pendingActivation');
    await advance(sandbox, 'PT1M');
    expect(await statusOf(company.id)).toBe('validated');
    expect((await keysOf(company.id)).status).toBe(409);
    await advance(sandbox, 'P1D');
    expect(await statusOf(company.id)).toBe('available');
    await advance(sandbox, 'P30D');
    expect(await statusOf(company.id)).toBe('available');
  });

  test('deactivates a company whose legal name ends in REJECT, and blocks its email for new companies', async () => {
    const body = fullCompany({ 'legal-name': 'Atelier REJECT' });
    const { company } = await signedCompany(sandbox, body);
    await advance(sandbox, 'P1D');
    expect(await statusOf(company.id)).toBe('pendingDeactivation');
    expect(await rowsOf(company.id, 0, 1)).toMatchObject([
      { status: 'pendingDeactivation', 'terminated-by-service': true },
    ]);
    expect(await ask(sandbox, 'POST', '/company', body)).toMatchObject({
      status: 409,
      body: { type: 'email-unavailable' },
    });
    await advance(sandbox, 'P1D');
    expect(await statusOf(company.id)).toBe('deactivate');
    expect(await ask(sandbox, 'POST', '/company', body)).toMatchObject({
      status: 409,
      body: { type: 'email-terminated', message: 'email terminated' },
    });
  });

  test('executes each due step at its instant during one move of the clock', async () => {
    const made = await Promise.all([
      signedCompany(sandbox),
      signedCompany(sandbox),
      signedCompany(sandbox),
      signedCompany(sandbox, fullCompany({ 'legal-name': 'X REJECT' })),
    ]);
    const from = await parisToday(sandbox);
    await advance(sandbox, 'P10D');
    for (const [index, { company }] of made.entries()) {
      expect(await statusOf(company.id)).toBe(index === 3 ? 'deactivate' : 'available');
      const days: unknown[] = [];
      for (let day = -10; day <= 0; day += 1) {
        for (const row of await rowsOf(company.id, day, day + 1)) {
          days.push([row['date-update'], row.status]);
        }
      }
      const after = (n: number): string =>
        new Date(Date.parse(from) + n * 86_400_000).toISOString().slice(0, 10);
      expect(days).toEqual([
        [from, 'pendingActivation'],
        [after(1), index === 3 ? 'pendingDeactivation' : 'validated'],
        [after(2), index === 3 ? 'deactivate' : 'available'],
      ]);
    }
  });

  test('executes the work that fell due during a downtime after the restart, and only once', async () => {
    const { company } = await signedCompany(sandbox);
    await sandbox.restart();
    const another: HttpApp = await sandbox.startAnother();
    await Promise.all([advance(sandbox, 'P1D'), advance(sandbox, 'P1D')]);
    expect(await statusOf(company.id)).toBe('available');
    await another.close();
    const rows = await rowsOf(company.id, -2, 1);
    expect(rows).toMatchObject([{ status: 'available' }]);
  });
});

describe('PATCH /company-status', () => {
  test('changes any status to any other status and returns the company', async () => {
    const { company } = await createCompany(sandbox);
    for (const status of [...COMPANY_STATUSES, ...COMPANY_STATUSES.toReversed()]) {
      const answer = await setStatus(company.id, status);
      expect([answer.status, answer.body]).toMatchObject([200, { id: company.id, status }]);
      expect(misfits(companyOnlyAnswer, answer.body)).toEqual([]);
    }
  });

  test('stops the timed status changes of the company', async () => {
    const { company } = await signedCompany(sandbox);
    await setStatus(company.id, 'pendingActivation');
    await advance(sandbox, 'P5D');
    expect(await statusOf(company.id)).toBe('pendingActivation');
  });

  test("returns 422 for an unknown status, 403 for a live key, 404 for another partner's company", async () => {
    const { company } = await createCompany(sandbox);
    expect(await setStatus(company.id, 'open')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'status' }] },
    });
    expect((await setStatus(company.id, 'available', OTHER)).status).toBe(404);
    const live = await createCompany(sandbox, smallCompany(), LIVE);
    expect(await setStatus(live.company.id, 'available', LIVE)).toMatchObject({
      status: 403,
      body: { type: 'sandbox-only' },
    });
  });

  test('takes precedence over a status change that falls due at the same time', async () => {
    const { company } = await signedCompany(sandbox);
    await Promise.all([setStatus(company.id, 'notComplete'), advance(sandbox, 'P1D')]);
    await advance(sandbox, 'P2D');
    expect(await statusOf(company.id)).toBe('notComplete');
  });
});

describe('GET /company-status-history', () => {
  test('starts with the creation of the company, and returns the last change of each company in the period', async () => {
    const { company } = await createCompany(sandbox);
    const today = await parisToday(sandbox);
    expect(await rowsOf(company.id, 0, 1)).toEqual([
      { 'date-update': today, id: company.id, status: 'notComplete' },
    ]);
    await setStatus(company.id, 'pendingActivation');
    await setStatus(company.id, 'validated');
    expect(await rowsOf(company.id, 0, 1)).toMatchObject([{ status: 'validated' }]);
    expect(await rowsOf(company.id, -5, 0)).toEqual([]);
    await advance(sandbox, 'P1D');
    await setStatus(company.id, 'available');
    expect(await rowsOf(company.id, -1, 0)).toMatchObject([{ status: 'validated' }]);
    expect(await rowsOf(company.id, -1, 1)).toMatchObject([{ status: 'available' }]);
  });

  test('filters by the last change of a company, not by its earlier changes', async () => {
    const { company } = await createCompany(sandbox);
    await setStatus(company.id, 'validated');
    await setStatus(company.id, 'available');
    expect(await rowsOf(company.id, 0, 1, '&status=validated')).toEqual([]);
    expect(await rowsOf(company.id, 0, 1, '&status=available')).toHaveLength(1);
  });

  test('returns terminated-by-service only for the two statuses of a contract end', async () => {
    const { company } = await createCompany(sandbox);
    for (const status of COMPANY_STATUSES.slice(1)) {
      await setStatus(company.id, status);
      const [row] = await rowsOf(company.id, 0, 1);
      const isEnding = status === 'pendingDeactivation' || status === 'deactivate';
      expect(row?.['terminated-by-service']).toBe(isEnding ? false : undefined);
    }
  });

  test('has no row for a change to the same status', async () => {
    const { company } = await createCompany(sandbox);
    await advance(sandbox, 'P1D');
    await setStatus(company.id, 'notComplete');
    expect(await rowsOf(company.id, 0, 1)).toEqual([]);
  });

  test('returns only the partner’s companies in the key’s mode', async () => {
    const { company } = await createCompany(sandbox);
    const days = `since=${await parisToday(sandbox)}&until=${await parisToday(sandbox, 1)}`;
    for (const key of [OTHER, LIVE]) {
      expect((await historyOf(days, key)).map(({ id }) => id)).not.toContain(company.id);
    }
  });

  test.each([
    'since=2026-01-02&until=2026-01-02',
    'since=2026-01-03&until=2026-01-02',
    'since=2026-02-30&until=2026-03-01',
    'since=0000-01-01&until=2026-03-01',
    'since=2026-01-01',
    'until=2026-01-01',
    'since=2026-01-01&until=2026-01-02&status=open',
  ])('rejects %s with 422', async (query) => {
    expect((await ask(sandbox, 'GET', `/company-status-history?${query}`)).status).toBe(422);
  });

  test('is served only on SANDBOX_STATUS_HISTORY_PORT when this variable is set', async () => {
    const managePort = await freePort();
    const apart = await startHarness({ managePort });
    const manage = `http://127.0.0.1:${managePort}`;
    const path = '/api/partners/company-status-history?since=2026-01-01&until=2026-01-02';
    const at = async (base: string, where: string): Promise<number> =>
      (await fetch(`${base}${where}`, { headers: { authorization: basic(KEY) } })).status;
    expect(await at(manage, path)).toBe(200);
    expect(await at(apart.url, path)).toBe(404);
    expect(await at(manage, '/api/partners/service')).toBe(404);
    expect(await at(manage, '/v2/ping')).not.toBe(200);
    expect(await at(apart.url, '/api/partners/service')).toBe(200);
    await apart.stop();
  });
});

test('the port of the status history uses TLS like the main port', async () => {
  const managePort = await freePort();
  const { certFile, keyFile, caFile } = developmentCertificate();
  const apart = await startHarness({ managePort, tls: { port: 0, certFile, keyFile } });
  const path = '/api/partners/company-status-history?since=2026-01-01&until=2026-01-02';
  const status = await new Promise((resolve, reject) => {
    const session = connectHttp2(`https://localhost:${managePort}`, { ca: readFileSync(caFile) });
    session.on('error', reject);
    const stream = session.request({ ':path': path, authorization: basic(KEY) });
    stream.on('response', (headers) => resolve(headers[':status'])).resume();
    stream.on('error', reject);
  });
  expect(status).toBe(200);
  await expect(fetch(`http://127.0.0.1:${managePort}${path}`)).rejects.toThrow();
  // The HTTP/2 session is still open and must not delay the shutdown.
  await apart.stop();
});

describe('the payment API keys of a company', () => {
  const ping = async (key: string): Promise<number> =>
    (await sandbox.call('GET', '/v2/ping', undefined, key)).status;

  test('API keys of a company work in the payment API from the status available until deactivate', async () => {
    const { company } = await createCompany(sandbox);
    expect(await keysOf(company.id)).toMatchObject({ status: 409, body: { type: 'not-allowed' } });
    await setStatus(company.id, 'available');
    const { body } = await keysOf(company.id);
    expect(misfits(keysAnswer, body)).toEqual([]);
    const { test: testKey, live: liveKey } = body as { test: string; live: string };
    expect((await keysOf(company.id)).body).toEqual(body);
    expect([await ping(testKey), await ping(liveKey)]).toEqual([200, 200]);

    const intent = await sandbox.call('POST', '/v2/payment_intents', { amount: 100 }, testKey);
    expect(intent.status).toBe(200);
    const path = `/v2/payment_intents/${String(intent.body['id'])}`;
    expect((await sandbox.call('GET', path, undefined, testKey)).status).toBe(200);
    expect((await sandbox.call('GET', path, undefined, liveKey)).status).toBe(404);

    await setStatus(company.id, 'pendingDeactivation');
    expect(await ping(testKey)).toBe(200);
    await setStatus(company.id, 'deactivate');
    expect([await ping(testKey), await ping(liveKey)]).toEqual([401, 401]);
    expect((await keysOf(company.id)).status).toBe(409);
    await setStatus(company.id, 'available');
    expect(await ping(testKey)).toBe(401);
    expect((await keysOf(company.id)).body).not.toEqual(body);
  });

  test('are shown once on the merchant’s page', async () => {
    const { company } = await createCompany(sandbox);
    const token = await linkToken(sandbox, company.id);
    expect((await pageCall(sandbox, `${token}/keys`)).outcome).toBe('none');
    await setStatus(company.id, 'available');
    const shown = await pageCall(sandbox, `${token}/keys`);
    expect(shown.keys).toEqual((await keysOf(company.id)).body);
    expect((await pageCall(sandbox, `${token}/keys`)).outcome).toBe('none');
    expect((await keysOf(company.id)).status).toBe(200);
  });

  test('are revoked only at deactivate, and still work when the status returns to validated', async () => {
    const { company } = await createCompany(sandbox);
    await setStatus(company.id, 'available');
    const { body } = await keysOf(company.id);
    await setStatus(company.id, 'validated');
    expect(await ping((body as { test: string }).test)).toBe(200);
    expect(await keysOf(company.id)).toMatchObject({ status: 200, body });
  });

  test('are replaced with new keys when the company is available again, and the new keys can be shown once', async () => {
    const { company } = await createCompany(sandbox);
    const token = await linkToken(sandbox, company.id);
    const shown: unknown[] = [];
    for (const status of ['available', 'deactivate', 'available']) {
      await setStatus(company.id, status);
      shown.push((await pageCall(sandbox, `${token}/keys`)).outcome);
    }
    expect(shown).toEqual(['shown', 'none', 'shown']);
  });

  test('can be shown once when they are new, even if the previous keys were shown during the deactivation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { company } = await createCompany(sandbox);
      const token = await linkToken(sandbox, company.id);
      await setStatus(company.id, 'available');
      await Promise.all([pageCall(sandbox, `${token}/keys`), setStatus(company.id, 'deactivate')]);
      await setStatus(company.id, 'available');
      expect((await pageCall(sandbox, `${token}/keys`)).outcome).toBe('shown');
    }
  });

  test('are stored encrypted when SANDBOX_SECRETS_KEY is set', async () => {
    const secretsKey = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
    const sealed = await startHarness({ secretsKey });
    const made = await createCompany(sealed);
    const path = `?company=${made.company.id}`;
    await ask(sealed, 'PATCH', `/company-status${path}`, { status: 'available' });
    const { body } = await ask(sealed, 'GET', `/company-keys${path}`);
    const { test: testKey } = body as { test: string };
    expect((await sealed.call('GET', '/v2/ping', undefined, testKey)).status).toBe(200);
    const client = new pg.Client({ connectionString: sealed.database.url });
    await client.connect();
    const { rows } = await client.query<{ sealed: string }>('SELECT sealed FROM merchant_keys');
    await client.end();
    expect(rows).toHaveLength(2);
    expect(rows.filter((row) => /^(stest|sprod)_/.test(row.sealed))).toEqual([]);
    await sealed.stop();
  });
});
