import { newId, randomText } from '#kernel';
import { isSought } from '#onboarding';
import { OnboardingClient, onboardingTransports, ProviderTransport } from '#psp-hosted';
import {
  createDatabase,
  freePort,
  type RunningApp,
  startProcess,
  type TestDatabase,
} from '#testing';
import { Sandbox } from '../../tools/stack/sandbox.js';

/**
 * Runs the onboarding client against the sandbox as a separate process, at its two addresses, over
 * HTTP.
 */

const KEY = 'spart_test_contractcontract01';

let database: TestDatabase;
let app: RunningApp;
let sandbox: Sandbox;
let transports: ReturnType<typeof onboardingTransports>;
let client: OnboardingClient;
/** The calls in the sandbox's call log, each as `method path` and the object. */
let logged: string[] = [];

beforeAll(async () => {
  database = await createDatabase('sandbox');
  const [port, managePort] = [await freePort(), await freePort()];
  // With a certificate the sandbox would also serve its second address over https.
  delete process.env['TLS_CERT_FILE'];
  const own = `http://127.0.0.1:${port}`;
  app = await startProcess({
    app: 'sandbox',
    port,
    timeoutMs: 60_000,
    env: {
      SANDBOX_DATABASE_URL: database.urlFor('sandbox'),
      SANDBOX_PORT: String(port),
      SANDBOX_PUBLIC_URL: own,
      SANDBOX_STATUS_HISTORY_PORT: String(managePort),
      LOG_LEVEL: 'warn',
      SANDBOX_PARTNERS: `contract:${KEY}:spart_live_contractcontract01`,
    },
  });
  sandbox = new Sandbox(own, '');
  transports = onboardingTransports(
    `${own}/api/partners`,
    `http://127.0.0.1:${managePort}`,
    {},
    { onExchange: (call) => logged.push(`${call.method} ${call.pathTemplate} ${call.objectId}`) },
  );
  client = new OnboardingClient(transports, KEY);
}, 120_000);

afterAll(async () => {
  await Promise.all([transports?.partners.close(), transports?.manage.close()]);
  await app?.stop();
  await database?.drop();
}, 60_000);

const ADDRESS = { line1: '12 rue des Lilas', 'zip-code': '75011', city: 'Paris', country: 'fra' };
const person = (first: string) => ({
  'first-name': first,
  'last-name': 'Martin',
  address: ADDRESS,
  nationality: 'fra',
  birth: { country: 'fra', date: '1984-05-17', department: '75', place: 'Paris' },
  'country-residence': 'fra',
});
const body = () => ({
  user: {
    'first-name': 'Camille',
    'last-name': 'Martin',
    contact: { email: `user-${randomText(12)}@example.test` },
  },
  country: 'fra',
  'legal-form': 'fra-sas',
  'legal-id': '732829320',
  'legal-name': 'Atelier',
});

const content = async function* (text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, 'latin1');
};
const PDF = '%PDF-1.7\n%%EOF\n';

const setStatus = async (company: string, status: string): Promise<void> => {
  const answer = await fetch(`${sandbox.url}/api/partners/company-status?company=${company}`, {
    method: 'PATCH',
    headers: {
      authorization: `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ status }),
  });
  expect(answer.status).toBe(200);
};

/** A day in Europe/Paris by the sandbox's clock: today, or days later or earlier. */
const today = async (plusDays = 0): Promise<string> => {
  const now = new Date(await sandbox.now());
  const day = now.toLocaleDateString('en-CA', { timeZone: 'Europe/Paris' });
  return new Date(Date.parse(day) + plusDays * 86_400_000).toISOString().slice(0, 10);
};

test('reads the ten lookup lists', async () => {
  const eur = { currency: 'eur' };
  expect(await client.codes('/naf-code')).toHaveLength(732);
  expect(await client.codes('/countries', { type: 'legal_form' })).toContain('fra');
  expect(await client.codes('/currency')).toContain('eur');
  expect(await client.codes('/legal-form', { country: 'fra' })).toContain('fra-sas');
  const positions = { 'legal-form': 'fra-sas' };
  expect(await client.codes('/legal-form-position', positions)).toContain('president');
  const [basket] = await client.codes('/average-basket', eur);
  expect(basket).toMatch(/^\d+_\d+$/);
  for (const list of [
    await client.codes('/forecast-turnover', eur),
    await client.codes('/field-of-activity'),
    await client.codes('/language'),
    await client.codes('/service'),
  ])
    expect(list.length).toBeGreaterThan(0);
  await expect(client.codes('/legal-form', { country: 'xxx' })).rejects.toMatchObject({
    kind: 'rejected',
    status: 422,
    code: 'validation',
    faults: [{ field: 'country' }],
  });
});

test('creates, reads and changes a company, and adds and removes its persons', async () => {
  const { company } = await client.createCompany(body());
  expect(company).toMatchObject({
    status: 'notComplete',
    'legal-id': expect.stringMatching(/^732829320\d{5}$/),
  });
  const changed = await client.changeCompany(company.id, {
    url: 'https://atelier.example.test',
    owners: [
      { person: person('Camille'), capital: 0.5, votes: 0.5, control: true },
      { person: person('Dominique'), capital: 0.25, votes: 0.5, control: false },
    ],
    representatives: [
      { person: person('Camille'), position: 'president' },
      {
        company: {
          'legal-form': 'fra-sas',
          country: 'fra',
          'legal-id': '552081317',
          'legal-name': 'Holding',
          representatives: [{ person: person('Alex'), position: 'president' }],
        },
        position: 'president',
      },
    ],
  });
  expect(changed.company.owners.map(({ capital }) => capital)).toEqual([0.5, 0.25]);
  const [, holding] = changed.company.representatives;
  expect(holding?.company?.representatives[0]?.person?.['first-name']).toBe('Alex');
  const second = changed.company.owners[1]?.person.id ?? '';
  await client.removePerson(company.id, second, 'owner');
  await client.removePerson(company.id, holding?.company?.id ?? '', 'representative');
  const read = await client.getCompany(company.id);
  expect(read.company).toMatchObject({ url: 'https://atelier.example.test' });
  expect(read.company.owners).toHaveLength(1);
  await expect(
    client.removePerson(
      company.id,
      read.company.representatives[0]?.person?.id ?? '',
      'representative',
    ),
  ).rejects.toMatchObject({ kind: 'rejected', status: 409 });
});

test('rejections have their type and the fields that caused them', async () => {
  const first = body();
  await client.createCompany(first);
  await expect(client.createCompany(first)).rejects.toMatchObject({
    kind: 'rejected',
    status: 409,
    code: 'email-unavailable',
  });
  await expect(
    client.createCompany({ ...body(), iban: 'FR00', 'legal-form': 'none' }),
  ).rejects.toMatchObject({
    code: 'validation',
    faults: expect.arrayContaining([
      expect.objectContaining({ field: 'iban' }),
      expect.objectContaining({ field: 'legal-form' }),
    ]),
  });
  await expect(client.getCompany(newId('comp'))).rejects.toMatchObject({
    kind: 'rejected',
    status: 404,
    code: 'not-found',
  });
  await expect(
    new OnboardingClient(transports, 'spart_test_nobody').codes('/service'),
  ).rejects.toMatchObject({ kind: 'unauthorized' });
});

test('sends, replaces, reads and removes documents', async () => {
  const { company } = await client.createCompany({
    ...body(),
    representatives: [{ person: person('Camille'), position: 'president' }],
  });
  const uploads = await client.uploadUrls(company.id);
  const urlOf = (kind: string): string =>
    uploads['company-documents'].find(({ document }) => document === kind)?.['upload-url'] ?? '';
  const file = { name: 'kbis é.pdf', content: content(PDF) };
  const added = await client.sendDocuments(company.id, urlOf('kbis'), { files: [file] });
  expect(added.files).toMatchObject([
    { 'file-type': 'application/pdf', 'user-file-name': 'kbis é.pdf' },
  ]);
  const replaced = await client.sendDocuments(company.id, urlOf('kbis'), {
    replaces: true,
    files: [{ name: 'new.pdf', content: content(PDF) }],
  });
  const id = replaced.files[0]?.id ?? '';
  const opened = await client.readDocument(company.id, id);
  const read: Uint8Array[] = [];
  for await (const chunk of opened.content) read.push(chunk);
  expect(Buffer.concat(read).toString('latin1')).toBe(PDF);
  expect((await client.getCompany(company.id)).company.documents.map((one) => one.id)).toEqual([
    id,
  ]);
  await client.removeDocument(company.id, id);
  const card = uploads['identity-documents'][0]?.['upload-url'] ?? '';
  const meta = { issuedOn: '2020-01-02', expiresOn: '2035-01-01', number: 'X4RTBPFW4' };
  const sides = [1, 2].map((side) => ({
    name: `${side}.jpg`,
    content: content('\xff\xd8\xff\xe0\x00\x10JFIF\xff\xd9'),
  }));
  const identity = await client.sendDocuments(company.id, card, { files: sides, meta: () => meta });
  expect(identity.files).toHaveLength(2);
  await expect(
    client.sendDocuments(company.id, urlOf('iban'), {
      files: [{ name: 'iban.pdf', content: content('\xff\xd8\xff\xe0\x00\x10JFIF\xff\xd9') }],
    }),
  ).rejects.toMatchObject({ kind: 'rejected', status: 415, code: 'unsupported-media-type' });
});

test('an upload that its sender aborts stores nothing', async () => {
  const { company } = await client.createCompany(body());
  const uploads = await client.uploadUrls(company.id);
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(600_000, '%PDF-1.7\n');
    throw new Error('the sender has disconnected');
  };
  await expect(
    client.sendDocuments(company.id, uploads['company-documents'][0]?.['upload-url'] ?? '', {
      files: [{ name: 'kbis.pdf', content: broken() }],
    }),
  ).rejects.toThrow('the sender has disconnected');
  expect((await client.getCompany(company.id)).company.documents).toEqual([]);
});

test('reads the link, the missing items, the history at its own address, keys and terminals', async () => {
  const { company } = await client.createCompany({
    ...body(),
    'shipping-address': { ...ADDRESS, 'business-name': 'Atelier' },
  });
  expect(await client.subscriptionLink(company.id)).toMatch(/^http.*\/subscription\/\w+$/);
  const progress = await client.registrationProgress(company.id);
  expect(progress.steps.find(({ code }) => code === 'documents')?.missing).toEqual(
    expect.arrayContaining(['kbis', 'iban']),
  );
  await expect(client.companyKeys(company.id)).rejects.toMatchObject({
    kind: 'rejected',
    status: 409,
    code: 'not-allowed',
  });
  await setStatus(company.id, 'available');
  const { rows } = await client.statusHistory(await today(), await today(1));
  expect(rows.find(({ id }) => id === company.id)).toEqual({
    id: company.id,
    'date-update': await today(),
    status: 'available',
    'terminated-by-service': null,
  });
  const keys = await client.companyKeys(company.id);
  expect(Object.keys(keys)).toEqual(['test', 'live']);
  const account = company.accounts[0]?.id ?? '';
  const terminal = await client.orderTerminal(company.id, account, 'Counter');
  expect(await client.listTerminals(company.id, account)).toEqual([terminal]);
  expect((await client.cancelTerminal(company.id, account, terminal.id)).status).toBe(
    'orderCancelled',
  );
  await setStatus(company.id, 'deactivate');
  const [ended] = (await client.statusHistory(await today(), await today(1))).rows.filter(
    ({ id }) => id === company.id,
  );
  expect(ended).toMatchObject({ status: 'deactivate', 'terminated-by-service': false });
});

test('finds a company whose creation has an unknown result by history, email and legal id', async () => {
  await client.createCompany(body());
  const sent = body();
  await sandbox.addFault({ route: 'POST /api/partners/company', kind: 'drop_after', count: 1 });
  await expect(client.createCompany(sent)).rejects.toMatchObject({ kind: 'unknown_outcome' });
  const sought = { email: sent.user.contact.email, registrationNumber: sent['legal-id'] };
  const found: string[] = [];
  for (const { id } of (await client.statusHistory(await today(), await today(1))).rows) {
    const { company, user } = await client.getCompany(id);
    const seen = { email: user.contact.email, registrationNumber: company['legal-id'] };
    if (isSought(seen, sought)) found.push(id);
  }
  expect(found).toHaveLength(1);
  await expect(client.createCompany(sent)).rejects.toMatchObject({
    kind: 'rejected',
    code: 'email-unavailable',
  });
});

test('finds nothing when a request goes to the wrong one of the two addresses', async () => {
  const swapped = new OnboardingClient(
    { partners: transports.manage, manage: transports.partners },
    KEY,
  );
  await expect(swapped.statusHistory(await today(), await today(1))).rejects.toMatchObject({
    kind: 'rejected',
    status: 404,
  });
  await expect(swapped.codes('/service')).rejects.toMatchObject({ kind: 'rejected', status: 404 });
});

test('calls fail at once while the provider is unavailable, and succeed again afterwards', async () => {
  const away = new ProviderTransport('http://127.0.0.1:9', { breakerFailures: 1, readRepeats: 0 });
  const lost = new OnboardingClient({ partners: away, manage: away }, KEY);
  await expect(lost.codes('/service')).rejects.toMatchObject({
    kind: 'unavailable',
    reason: 'unreachable',
  });
  await expect(lost.createCompany(body())).rejects.toMatchObject({
    kind: 'unavailable',
    reason: 'circuit_open',
  });
  await away.close();
  await app.restart();
  expect((await client.codes('/service')).length).toBeGreaterThan(0);
}, 60_000);

test('logs each call under its company, and no upload under its upload token', async () => {
  logged = [];
  const { company } = await client.createCompany(body(), 'mer_1');
  await client.getCompany(company.id);
  const uploads = await client.uploadUrls(company.id);
  await client.sendDocuments(company.id, uploads['company-documents'][0]?.['upload-url'] ?? '', {
    files: [{ name: 'kbis.pdf', content: content(PDF) }],
  });
  expect(logged).toEqual([
    'POST /company mer_1',
    `GET /company ${company.id}`,
    `GET /document-upload-url ${company.id}`,
    `POST /document/{id} ${company.id}`,
  ]);
});
