import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { PDFDocument } from 'pdf-lib';
import { Database } from '../../storage/database.js';
import { basic, type Harness, LIVE_KEY, startHarness, TEST_KEY } from '../../testing/harness.js';

const PDF = Buffer.from('%PDF-1.7\n% the merchant’s own document\n%%EOF');

let sandbox: Harness;

beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const newSepa = async (key?: string): Promise<string> => {
  const body = { name: 'Łucja Żółć Παπαδοπούλου', iban: 'DE79000000000000000002' };
  return String((await sandbox.call('POST', '/v2/sepa', body, key)).body['id']);
};

const create = async (more: object = {}) =>
  sandbox.call('POST', '/v2/mandates/', { sepa: await newSepa(), ...more });

const pathOf = (address: unknown): string => new URL(String(address)).pathname;

const upload = (address: unknown, document: Buffer = PDF, type = 'application/pdf') =>
  fetch(`${sandbox.url}${pathOf(address)}`, {
    method: 'POST',
    body: new Uint8Array(document),
    headers: { 'content-type': type },
  });

const download = (id: unknown): Promise<Response> =>
  fetch(`${sandbox.url}/v2/mandates/${String(id)}.pdf`, {
    headers: { authorization: basic(TEST_KEY) },
  });

const eventsOf = async (id: unknown): Promise<string[]> => {
  const database = sandbox.http.app.get(Database, { strict: false });
  const rows = await database.query<{ type: string }>(
    { name: 'spec:events-of', text: 'SELECT type FROM events WHERE object_id = $1 ORDER BY seq' },
    [id],
  );
  return rows.map(({ type }) => type);
};

let rums = 0;
const freshRum = (): string => `RUM-OF-A-SPEC-${(rums += 1)}`;

describe('an imported mandate', () => {
  test('keeps the merchant’s reference, and stays unsigned until its document is uploaded', async () => {
    const rum = freshRum();
    const { status, body } = await create({ rum });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^mndt_[a-zA-Z0-9]{24}$/),
      created_at: expect.any(Number),
      customer: null,
      sepa: expect.stringMatching(/^sepa_/),
      rum,
      sign_url: null,
      upload_url: expect.stringMatching(/\/mandate-documents\/[a-zA-Z0-9]{30}$/),
      url: null,
      signed_at: null,
      deleted_at: null,
    });
    expect((await sandbox.call('GET', `/v2/mandate/${String(body['id'])}/`)).body).toEqual(body);
    expect(await eventsOf(body['id'])).toEqual(['mandate.created']);
  });

  test('is signed by the upload of its document', async () => {
    const { body } = await create({ rum: freshRum() });
    const answer = await upload(body['upload_url']);
    expect(answer.status).toBe(200);
    const signed = (await answer.json()) as object;
    expect(signed).toEqual({
      ...body,
      signed_at: expect.any(Number),
      url: expect.stringMatching(new RegExp(`/v2/mandates/${String(body['id'])}\\.pdf$`)),
    });
    expect(await eventsOf(body['id'])).toEqual(['mandate.created', 'mandate.signed']);
    const document = await download(body['id']);
    expect(document.headers.get('content-type')).toBe('application/pdf');
    expect(document.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await document.arrayBuffer())).toEqual(PDF);
  });

  test('gets a generated reference when its document is uploaded, if it has no reference yet', async () => {
    const { body } = await create();
    expect(body['rum']).toBeNull();
    const signed = (await (await upload(body['upload_url'])).json()) as { rum: string };
    expect(signed.rum).toMatch(/^[A-Z0-9]{1,24}$/);
  });

  test('accepts a repeated upload of its document and rejects a different document', async () => {
    const { body } = await create();
    const both = await Promise.all([upload(body['upload_url']), upload(body['upload_url'])]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await both[0].json()).toEqual(await both[1].json());
    const other = await upload(body['upload_url'], Buffer.from('%PDF-1.7 another'));
    expect(other.status).toBe(409);
    expect(await eventsOf(body['id'])).toEqual(['mandate.created', 'mandate.signed']);
  });

  test.each([['application/octet-stream'], ['application/x-www-form-urlencoded'], ['text/plain']])(
    'is signed by a PDF, even if the upload declares the type %s',
    async (type) => {
      const { body } = await create();
      expect((await upload(body['upload_url'], PDF, type)).status).toBe(200);
    },
  );

  test('rejects a document that is not a PDF, is empty or is above 10 MiB, and stays unsigned', async () => {
    const { body } = await create();
    expect((await upload(body['upload_url'], Buffer.from('GIF89a'))).status).toBe(415);
    expect((await upload(body['upload_url'], Buffer.alloc(0))).status).toBe(415);
    const large = Buffer.concat([PDF, Buffer.alloc(10 * 1_024 * 1_024)]);
    expect((await upload(body['upload_url'], large)).status).toBe(413);
    const read = await sandbox.call('GET', `/v2/mandates/${String(body['id'])}`);
    expect(read.body).toEqual(body);
  });

  test('accepts no document at an unknown upload URL or after its deletion', async () => {
    const { body } = await create();
    const guessed = pathOf(body['upload_url']).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    expect((await upload(`http://sandbox.test${guessed}`)).status).toBe(404);
    await sandbox.call('DELETE', `/v2/mandates/${String(body['id'])}`);
    expect((await upload(body['upload_url'])).status).toBe(404);
  });
});

describe('the upload of a document', () => {
  /** Starts an upload but sends only the beginning of the document. */
  const begin = (address: unknown) => {
    const sent = request(`${sandbox.url}${pathOf(address)}`, {
      method: 'POST',
      headers: { 'content-length': PDF.length, expect: '100-continue' },
      agent: false,
    });
    const arrived = new Promise<void>((resolve) => sent.once('continue', resolve));
    sent.write(PDF.subarray(0, 8));
    const status = new Promise<number>((resolve, reject) => {
      sent.once('error', reject).once('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
    });
    return { arrived, status, finish: () => void sent.end(PDF.subarray(8)) };
  };

  test('is rejected before its body is read when the upload URL is unknown', async () => {
    expect(await begin(`http://sandbox.test/mandate-documents/${'a'.repeat(30)}`).status).toBe(404);
  });

  test('waits while the maximum number of uploads is in progress', async () => {
    const { body } = await create();
    const arriving = Array.from({ length: 4 }, () => begin(body['upload_url']));
    await Promise.all(arriving.map(({ arrived }) => arrived));
    await setTimeout(300);
    let isAnswered = false;
    const next = upload(body['upload_url']).finally(() => (isAnswered = true));
    await setTimeout(500);
    expect(isAnswered).toBe(false);
    for (const { finish } of arriving) finish();
    expect((await next).status).toBe(200);
    expect(await Promise.all(arriving.map(({ status }) => status))).toEqual([200, 200, 200, 200]);
  });
});

describe('a mandate for which the merchant sends signed_at', () => {
  test.each([
    ['epoch seconds', 1_750_000_000, 1_750_000_000],
    ['a date-time with its zone', '2025-06-15T17:06:40+02:00', 1_750_000_000],
  ])('is signed at its creation when signed_at is %s', async (_what, given, signedAt) => {
    const { body } = await create({ rum: freshRum(), signed_at: given });
    expect(body).toMatchObject({ signed_at: signedAt, url: expect.any(String) });
    expect(await eventsOf(body['id'])).toEqual(['mandate.created', 'mandate.signed']);
  });

  test('is signed by a PATCH with signed_at, and can then no longer be changed', async () => {
    const { body } = await create();
    const path = `/v2/mandates/${String(body['id'])}`;
    const rum = freshRum();
    expect((await sandbox.call('PATCH', path, { rum })).body).toEqual({ ...body, rum });
    const signedAt = '2026-01-05T08:00:00Z';
    const signed = await sandbox.call('PATCH', path, { signed_at: signedAt });
    expect(signed.body).toMatchObject({ rum, signed_at: Date.parse(signedAt) / 1_000 });
    const again = await sandbox.call('PATCH', path, { signed_at: signedAt, rum });
    expect(again).toMatchObject({ status: 200, body: signed.body });
    expect((await sandbox.call('PATCH', path, { rum: freshRum() })).status).toBe(409);
    expect((await sandbox.call('PATCH', path, { signed_at: 1 })).status).toBe(409);
    expect(await eventsOf(body['id'])).toEqual(['mandate.created', 'mandate.signed']);
  });

  test('has a generated document, even if the payer’s name has Greek or Polish letters', async () => {
    const { body } = await create({ signed_at: 1_750_000_000 });
    const [first, second] = await Promise.all([download(body['id']), download(body['id'])]);
    const bytes = await first.arrayBuffer();
    const document = await PDFDocument.load(bytes);
    expect(document.getPageCount()).toBe(1);
    expect(document.getTitle()).toContain(String(body['rum']));
    expect(Buffer.from(await second.arrayBuffer())).toEqual(Buffer.from(bytes));
  });

  test.each([
    ['created with signed_at', { signed_at: 1_750_000_000 }],
    ['signed by a PATCH', {}],
  ])('keeps its generated document when the bank account is changed: %s', async (_what, more) => {
    const { body } = await create(more);
    const id = String(body['id']);
    const signed = { signed_at: 1_750_000_000 };
    expect((await sandbox.call('PATCH', `/v2/mandates/${id}`, signed)).status).toBe(200);
    const before = Buffer.from(await (await download(id)).arrayBuffer());
    const change = { name: 'Another Person', bic: 'AGRIFRPP' };
    const { status } = await sandbox.call('PATCH', `/v2/sepa/${String(body['sepa'])}`, change);
    expect(status).toBe(200);
    expect(Buffer.from(await (await download(id)).arrayBuffer())).toEqual(before);
  });

  test('accepts an upload that replaces the generated document', async () => {
    const { body } = await create({ signed_at: 1_750_000_000 });
    expect(await (await upload(body['upload_url'])).json()).toEqual(body);
    expect(Buffer.from(await (await download(body['id'])).arrayBuffer())).toEqual(PDF);
  });
});

test.each([
  ['without an account', { sepa: undefined }, 'sepa'],
  ['of an account that does not exist', { sepa: `sepa_${'a'.repeat(24)}` }, 'sepa'],
  ['with a reference of 25 characters', { rum: 'x'.repeat(25) }, 'rum'],
  ['signed on a date that does not exist', { signed_at: '2026-02-31T00:00:00Z' }, 'signed_at'],
  ['signed before 1970', { signed_at: '1860-01-01T00:00:00Z' }, 'signed_at'],
  ['signed in the future', { signed_at: 9_999_999_999 }, 'signed_at'],
  ['signed at an invalid time', { signed_at: 'yesterday' }, 'signed_at'],
  ['with an unknown key', { iban: 'DE79000000000000000002' }, 'iban'],
])('a mandate %s is rejected with an error that names the field', async (_what, more, field) => {
  const { status, body } = await create(more);
  expect(status).toBe(422);
  expect(body).toMatchObject({
    detail: expect.arrayContaining([expect.objectContaining({ loc: ['body', field] })]),
  });
});

test('a mandate reference is unique in its mode', async () => {
  const rum = freshRum();
  await create({ rum });
  const second = await create({ rum });
  expect(second).toMatchObject({
    status: 409,
    body: { error: `rum \`${rum}\` is used by another mandate` },
  });
  const third = await create();
  const path = `/v2/mandates/${String(third.body['id'])}`;
  expect((await sandbox.call('PATCH', path, { rum })).status).toBe(409);
  const sepa = await newSepa(LIVE_KEY);
  expect((await sandbox.call('POST', '/v2/mandates', { sepa, rum }, LIVE_KEY)).status).toBe(200);
});

test('GET returns no document for an unsigned mandate, or with a key of the other mode', async () => {
  const { body } = await create();
  const answer = await download(body['id']);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({
    error: `Mandate document \`${String(body['id'])}\` not found`,
  });
  const path = `/v2/mandates/${String(body['id'])}`;
  expect((await sandbox.call('GET', `${path}.pdf`, undefined, LIVE_KEY)).body).toEqual({
    error: `Mandate \`${String(body['id'])}\` not found`,
  });
  expect((await sandbox.call('GET', '/v2/mandates/mndt_1.pdf')).status).toBe(422);
});

test('DELETE of a mandate returns the deleted mandate; a GET after the deletion returns 404', async () => {
  const { body } = await create({ signed_at: 1_750_000_000 });
  const path = `/v2/mandates/${String(body['id'])}`;
  const deleted = await sandbox.call('DELETE', path);
  expect(deleted.body).toEqual({ ...body, deleted_at: expect.any(Number) });
  expect((await sandbox.call('GET', path)).status).toBe(404);
  expect((await sandbox.call('DELETE', path)).status).toBe(404);
  expect((await download(body['id'])).status).toBe(404);
  const list = await sandbox.call('GET', '/v2/mandates?limit=1');
  expect(list.body).toMatchObject({ range: { count: 1, limit: 1 } });
  expect(JSON.stringify(list.body)).not.toContain(String(body['id']));
});
