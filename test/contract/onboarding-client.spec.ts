import { newId, randomText } from '#kernel';
import { isSought } from '#onboarding';
import type { CompanyDetails, CompanyFacts, DocumentKind } from '#psp';
import { OnboardingClient, onboardingTransports, ProviderTransport } from '#psp-hosted';
import { createDatabase, freePort, type TestDatabase } from '#testing';
import type { RunningApp } from '../../tools/infra/apps.mjs';
import { Sandbox } from '../../tools/stack/sandbox.js';
import { startHere } from '../support/start-here.js';

/**
 * Runs the onboarding client over HTTP against the two base URLs of the sandbox's onboarding API.
 */

const KEY = 'spart_test_contractcontract01';

let database: TestDatabase;
let app: RunningApp;
let sandbox: Sandbox;
let transports: ReturnType<typeof onboardingTransports>;
let client: OnboardingClient;
/** The calls in the client's log, each as `method path` and the object's id. */
let logged: string[] = [];

beforeAll(async () => {
  database = await createDatabase('sandbox');
  const [port, managePort] = [await freePort(), await freePort()];
  // Without a certificate, the sandbox serves its second base URL over plain HTTP.
  delete process.env['TLS_CERT_FILE'];
  const own = `http://127.0.0.1:${port}`;
  app = await startHere({
    app: 'sandbox',
    port,
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
});

afterAll(async () => {
  await Promise.all([transports?.partners.close(), transports?.manage.close()]);
  await app?.stop();
  await database?.drop();
});

const ADDRESS = { line1: '12 rue des Lilas', postalCode: '75011', city: 'Paris', country: 'FR' };
const person = (firstName: string) => ({
  firstName,
  lastName: 'Martin',
  address: ADDRESS,
  nationality: 'FR',
  birth: { country: 'FR', date: '1984-05-17', department: '75', place: 'Paris' },
  residenceCountry: 'FR',
});
const details = (): CompanyDetails => ({
  contact: {
    firstName: 'Camille',
    lastName: 'Martin',
    email: `user-${randomText(12)}@example.test`,
  },
  company: {
    country: 'FR',
    legalForm: 'fr_sas',
    registrationNumber: '732829320',
    legalName: 'Atelier',
  },
});
const create = (more: Partial<CompanyDetails> = {}): Promise<CompanyFacts> =>
  client.createCompany({ ...details(), ...more }, 'mer_1');
/**
 * The URL to which a document of this kind is uploaded; empty when the provider expects no such
 * document.
 */
const uploadTo = ({ expected }: CompanyFacts, kind: DocumentKind): string =>
  expected.find((one) => one.kind === kind)?.uploadTo ?? '';

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

/**
 * Today's date in Europe/Paris by the sandbox's clock, plus `plusDays` days (negative: earlier).
 */
const today = async (plusDays = 0): Promise<string> => {
  const now = new Date(await sandbox.now());
  const day = now.toLocaleDateString('en-CA', { timeZone: 'Europe/Paris' });
  return new Date(Date.parse(day) + plusDays * 86_400_000).toISOString().slice(0, 10);
};

test('the client reads the provider’s lookup lists', async () => {
  expect(await client.codes({ list: 'activities' })).toHaveLength(732);
  expect(await client.codes({ list: 'countries', of: 'legal_form' })).toContain('FR');
  expect(await client.codes({ list: 'legal_forms', of: 'FR' })).toContain('fr_sas');
  const positions = { list: 'positions', of: 'fr_sas', country: 'FR' } as const;
  expect(await client.codes(positions)).toContain('president');
  const [basket] = await client.codes({ list: 'average_baskets', of: 'EUR' });
  expect(basket).toMatch(/^\d+_to_\d+$/);
  for (const list of [
    await client.codes({ list: 'forecast_turnovers', of: 'EUR' }),
    await client.codes({ list: 'sectors' }),
    await client.codes({ list: 'languages' }),
    await client.codes({ list: 'products' }),
  ])
    expect(list.length).toBeGreaterThan(0);
  await expect(client.codes({ list: 'legal_forms', of: 'XXX' })).rejects.toMatchObject({
    kind: 'rejected',
    status: 422,
    code: 'validation',
    faults: [{ field: 'company.country' }],
  });
});

test('the client creates, reads and changes a company, and adds and removes the company’s persons', async () => {
  const { companyId, status, identity } = await create();
  expect(status).toBe('incomplete');
  expect(identity.registrationNumber).toMatch(/^732829320\d{5}$/);
  const changed = await client.changeCompany(companyId, {
    company: { website: 'https://atelier.example.test' },
    owners: [
      { person: person('Camille'), ownershipPercent: 50, votingPercent: 50, controls: true },
      { person: person('Dominique'), ownershipPercent: 25, votingPercent: 50, controls: false },
    ],
    representatives: [
      { person: person('Camille'), position: 'president' },
      {
        company: {
          legalForm: 'fr_sas',
          country: 'FR',
          registrationNumber: '552081317',
          legalName: 'Holding',
          representatives: [{ person: person('Alex'), position: 'president' }],
        },
        position: 'president',
      },
    ],
  });
  const { owners, representatives } = changed.details;
  expect(owners?.map(({ ownershipPercent }) => ownershipPercent)).toEqual([50, 25]);
  expect(representatives?.[1]?.company?.representatives?.[0]?.person?.firstName).toBe('Alex');
  await client.removePerson(companyId, changed.owners[1]?.id ?? '', 'owner');
  await client.removePerson(companyId, changed.representatives[1]?.id ?? '', 'representative');
  const read = await client.getCompany(companyId);
  expect(read.details.company).toMatchObject({ website: 'https://atelier.example.test' });
  expect(read.owners).toHaveLength(1);
  await expect(
    client.removePerson(companyId, read.representatives[0]?.id ?? '', 'representative'),
  ).rejects.toMatchObject({ kind: 'rejected', status: 409 });
});

test('a rejection by the provider contains the error code and the rejected fields', async () => {
  const first = details();
  await create(first);
  await expect(create(first)).rejects.toMatchObject({
    kind: 'rejected',
    status: 409,
    code: 'email_unavailable',
  });
  const { company } = details();
  await expect(
    create({ payoutAccount: { iban: 'FR00' }, company: { ...company, legalForm: 'none' } }),
  ).rejects.toMatchObject({
    code: 'validation',
    faults: expect.arrayContaining([
      expect.objectContaining({ field: 'payoutAccount.iban' }),
      expect.objectContaining({ field: 'company.legalForm' }),
    ]),
  });
  await expect(client.getCompany(newId('comp'))).rejects.toMatchObject({
    kind: 'rejected',
    status: 404,
    code: 'not_found',
  });
  await expect(
    new OnboardingClient(transports, 'spart_test_unknown').codes({ list: 'products' }),
  ).rejects.toMatchObject({ kind: 'unauthorized' });
});

test('the client sends, replaces, reads and removes documents', async () => {
  const company = await create({
    representatives: [{ person: person('Camille'), position: 'president' }],
  });
  const { companyId } = company;
  const extract = uploadTo(company, 'registration_extract');
  const file = { name: 'kbis é.pdf', content: content(PDF) };
  const added = await client.sendDocuments(companyId, extract, { files: [file] });
  expect((await client.getCompany(companyId)).documents).toEqual([
    {
      documentId: added[0],
      kind: 'registration_extract',
      personId: null,
      name: 'kbis é.pdf',
    },
  ]);
  const [id = ''] = await client.sendDocuments(companyId, extract, {
    replaces: true,
    files: [{ name: 'new.pdf', content: content(PDF) }],
  });
  const opened = await client.readDocument(companyId, id);
  expect(opened.mediaType).toBe('application/pdf');
  const read: Uint8Array[] = [];
  for await (const chunk of opened.content) read.push(chunk);
  expect(Buffer.concat(read).toString('latin1')).toBe(PDF);
  const { documents } = await client.getCompany(companyId);
  expect(documents.map(({ documentId }) => documentId)).toEqual([id]);
  await client.removeDocument(companyId, id);
  const card = uploadTo(company, 'identity_card');
  const meta = { issuedOn: '2020-01-02', expiresOn: '2035-01-01', number: 'X4RTBPFW4' };
  const sides = [1, 2].map((side) => ({
    name: `${side}.jpg`,
    content: content('\xff\xd8\xff\xe0\x00\x10JFIF\xff\xd9'),
  }));
  const identity = await client.sendDocuments(companyId, card, { files: sides, meta: () => meta });
  expect(identity).toHaveLength(2);
  await expect(
    client.sendDocuments(companyId, uploadTo(company, 'bank_account_proof'), {
      files: [{ name: 'iban.pdf', content: content('\xff\xd8\xff\xe0\x00\x10JFIF\xff\xd9') }],
    }),
  ).rejects.toMatchObject({ kind: 'rejected', status: 415, code: 'unsupported_media_type' });
});

test('an upload that the client aborts stores no document', async () => {
  const company = await create();
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(600_000, '%PDF-1.7\n');
    throw new Error('the sender has disconnected');
  };
  await expect(
    client.sendDocuments(company.companyId, uploadTo(company, 'registration_extract'), {
      files: [{ name: 'kbis.pdf', content: broken() }],
    }),
  ).rejects.toThrow('the sender has disconnected');
  expect((await client.getCompany(company.companyId)).documents).toEqual([]);
});

test('the client reads the subscription link, missing documents, keys, terminals and the status history', async () => {
  const { companyId, companyAccountId } = await create({
    deliveryAddress: { ...ADDRESS, businessName: 'Atelier' },
  });
  expect(await client.signatureLink(companyId)).toMatch(/^http.*\/subscription\/\w+$/);
  const progress = await client.progress(companyId);
  expect(progress.steps.find(({ code }) => code === 'documents')?.missing).toEqual(
    expect.arrayContaining(['documents.registration_extract', 'documents.bank_account_proof']),
  );
  await expect(client.companyKeys(companyId)).rejects.toMatchObject({
    kind: 'rejected',
    status: 409,
    code: 'not_allowed',
  });
  const lastChange = async () => {
    const { changes } = await client.statusHistory(await today(), await today(1));
    return changes.find((change) => change.companyId === companyId);
  };
  await setStatus(companyId, 'available');
  expect(await lastChange()).toEqual({
    companyId,
    day: await today(),
    status: 'available',
    terminatedByProvider: null,
  });
  const keys = await client.companyKeys(companyId);
  expect(Object.keys(keys)).toEqual(['test', 'live']);
  const account = companyAccountId ?? '';
  const terminal = await client.orderTerminal(companyId, account, 'Counter');
  expect(await client.listTerminals(companyId, account)).toEqual([terminal]);
  expect((await client.cancelTerminal(companyId, account, terminal.terminalId)).status).toBe(
    'canceled',
  );
  await setStatus(companyId, 'deactivate');
  expect(await lastChange()).toMatchObject({ status: 'closed', terminatedByProvider: false });
});

test('after a creation with an unknown result, the client finds the company by status history, email and legal id', async () => {
  await create();
  const sent = details();
  await sandbox.addFault({ route: 'POST /api/partners/company', kind: 'drop_after', count: 1 });
  await expect(create(sent)).rejects.toMatchObject({ kind: 'unknown_outcome' });
  const { email } = sent.contact;
  const sought = { email, registrationNumber: sent.company.registrationNumber };
  const found: string[] = [];
  for (const id of (await client.createdCompanies(await today(), await today(1))).companyIds) {
    const { identity } = await client.getCompany(id);
    if (isSought(identity, sought)) found.push(id);
  }
  expect(found).toHaveLength(1);
  await expect(create(sent)).rejects.toMatchObject({
    kind: 'rejected',
    code: 'email_unavailable',
  });
});

test('the sandbox rejects a request that is sent to the wrong one of its two base URLs', async () => {
  const swapped = new OnboardingClient(
    { partners: transports.manage, manage: transports.partners },
    KEY,
  );
  await expect(swapped.statusHistory(await today(), await today(1))).rejects.toMatchObject({
    kind: 'rejected',
    status: 404,
  });
  await expect(swapped.codes({ list: 'products' })).rejects.toMatchObject({
    kind: 'rejected',
    status: 404,
  });
});

test('calls fail immediately while the provider is unavailable, and succeed when it is available again', async () => {
  const away = new ProviderTransport('http://127.0.0.1:9', { breakerFailures: 1, readRepeats: 0 });
  const lost = new OnboardingClient({ partners: away, manage: away }, KEY);
  await expect(lost.codes({ list: 'products' })).rejects.toMatchObject({
    kind: 'unavailable',
    reason: 'unreachable',
  });
  await expect(lost.createCompany(details(), 'mer_1')).rejects.toMatchObject({
    kind: 'unavailable',
    reason: 'circuit_open',
  });
  await away.close();
  await app.restart();
  expect((await client.codes({ list: 'products' })).length).toBeGreaterThan(0);
});

test('the client logs each call with its company, and logs no upload token', async () => {
  logged = [];
  const company = await create();
  const { companyId } = company;
  await client.getCompany(companyId);
  await client.sendDocuments(companyId, uploadTo(company, 'registration_extract'), {
    files: [{ name: 'kbis.pdf', content: content(PDF) }],
  });
  expect(logged).toEqual([
    'POST /company mer_1',
    `GET /company ${companyId}`,
    `POST /document/{id} ${companyId}`,
  ]);
});
