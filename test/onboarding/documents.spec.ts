import { request as httpRequest } from 'node:http';
import { randomText } from '#kernel';
import { isRegistered } from '#onboarding';
import { createLogger } from '#platform';
import { MAX_DOCUMENT_BYTES } from '#psp';
import { startApi } from '../../apps/api/api-app.js';
import { JPEG, PDF } from '../../tools/stack/seller.js';
import { EXECUTABLE, OnboardingFixture, upload } from '../support/onboarding.js';

/** Tests the api's routes for a merchant's documents, with the sandbox as the provider. */

const quiet = createLogger('api', { level: 'silent' });

let fixture: OnboardingFixture;
let key: string;
let id: string;
let companyId: string;
let personId: string;

beforeAll(async () => {
  fixture = await OnboardingFixture.start();
  key = await fixture.api.newKey(`p-${randomText(8)}`);
});
afterAll(() => fixture.stop());

const register = async () => {
  const company = await fixture.registered(key);
  const { expected } = await fixture.client.getCompany(company.companyId);
  const card = expected.find(({ kind }) => kind === 'identity_card');
  return { ...company, personId: card?.personId ?? '' };
};

/** The company of all tests that leave it unchanged, while such tests run. */
let unchanged: Awaited<ReturnType<typeof register>> | null = null;

beforeEach(async () => {
  ({ id, companyId, personId } = unchanged ?? (await register()));
});

const at = (query: string) => `/v1/merchants/${id}/documents${query}`;
const LOST_ANSWER = { route: 'POST /api/partners/document/{token}', kind: 'drop_after' } as const;
const META = { issuedOn: '2020-01-02', expiresOn: '2035-01-01', number: 'X4RTBPFW4' };

const sent = async (): Promise<readonly string[]> => {
  const { body } = await fixture.api.get(at(''), key);
  return (body['sent'] as { id: string }[]).map((one) => one.id);
};

const pdfOf = (size: number): Buffer => Buffer.concat([PDF, Buffer.alloc(size - PDF.length, 32)]);

test('the api lists the expected and the uploaded documents', async () => {
  const { body } = await fixture.api.get(at(''), key);
  expect(body).toEqual({
    expected: [
      { kind: 'registration_extract', personId: null, reference: null },
      { kind: 'bank_account_proof', personId: null, reference: null },
      { kind: 'identity_card', personId, reference: null },
    ],
    sent: [],
  });
});

test('a platform can upload, read, replace and remove a document', async () => {
  const added = await upload(fixture, key, at('?kind=registration_extract'), {
    files: [['kbis.pdf', PDF]],
  });
  expect(added).toMatchObject({
    status: 201,
    body: { documentIds: [expect.stringMatching(/^dcmt_/)] },
  });
  const [first] = added.body['documentIds'] as string[];
  const location = added.headers.get('location');
  expect(location).toBe(at(`/${first}`));
  const read = await fetch(`${fixture.api.http.url}${location}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(Buffer.from(await read.arrayBuffer())).toEqual(PDF);
  expect(Object.fromEntries(read.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'x-content-type-options': 'nosniff',
    'content-disposition': 'attachment',
    'cache-control': 'no-store',
  });
  const replaced = await upload(fixture, key, at('?kind=registration_extract'), {
    method: 'PUT',
    files: [['new.pdf', PDF]],
  });
  expect(replaced.status).toBe(200);
  const [second] = replaced.body['documentIds'] as string[];
  expect(await sent()).toEqual([second]);
  const merchant = await fixture.state(id);
  expect(isRegistered(merchant) && merchant.documents).toEqual([
    { documentId: second, kind: 'registration_extract', personId: null },
  ]);
  const remove = () => fixture.api.call('DELETE', at(`/${second}`), { key });
  expect((await remove()).status).toBe(204);
  expect(await remove()).toMatchObject({ status: 404, body: { code: 'document_not_found' } });
  expect(await sent()).toEqual([]);
});

test('a repeated removal is recorded when the provider’s response to the first was lost', async () => {
  const { body } = await upload(fixture, key, at('?kind=registration_extract'), {
    files: [['kbis.pdf', PDF]],
  });
  const [documentId] = body['documentIds'] as string[];
  await fixture.sandbox.addFault({
    route: 'DELETE /api/partners/document',
    kind: 'drop_after',
    count: 1,
  });
  const remove = () => fixture.api.call('DELETE', at(`/${documentId}`), { key });
  expect(await remove()).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
  expect((await remove()).status).toBe(204);
  const merchant = await fixture.state(id);
  expect(isRegistered(merchant) && merchant.documents).toEqual([]);
  expect((await remove()).status).toBe(404);
});

test('the api accepts the parts of an identity card (front, back, meta) in any order', async () => {
  const sides = [
    ['front.jpg', JPEG],
    ['back.jpg', JPEG],
  ] as const;
  const query = `?kind=identity_card&personId=${personId}`;
  const added = await upload(fixture, key, at(query), { files: sides, meta: META });
  expect(added.status).toBe(201);
  expect(await sent()).toHaveLength(2);
  const before = new FormData();
  before.append('meta', new Blob([JSON.stringify(META)]), 'meta.json');
  for (const [name, bytes] of sides) {
    before.append('file', new Blob([new Uint8Array(bytes)]), name);
  }
  const first = await fetch(`${fixture.api.http.url}${at(query)}`, {
    method: 'PUT',
    body: before,
    headers: { authorization: `Bearer ${key}` },
  });
  expect(first.status).toBe(200);
  expect(await sent()).toHaveLength(2);
});

/**
 * A request body as clients that are generated from our OpenAPI document send it: each part has a
 * content type, and `meta` has no file name.
 */
const typed = (meta: string, type: string): { body: Buffer; headers: Record<string, string> } => {
  const boundary = `-${randomText(24)}`;
  const part = (head: string, content: Buffer): readonly Buffer[] => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ];
  const side = (name: string) =>
    part(`name="file"; filename="${name}"\r\nContent-Type: image/jpeg`, JPEG);
  const parts = [
    ...side('front.jpg'),
    ...side('back.jpg'),
    ...part(`name="meta"\r\nContent-Type: ${type}`, Buffer.from(meta)),
  ];
  return {
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
};

const sendTyped = async (meta: string, type: string): Promise<Response> => {
  const { body, headers } = typed(meta, type);
  return fetch(`${fixture.api.http.url}${at(`?kind=identity_card&personId=${personId}`)}`, {
    method: 'PUT',
    body: new Uint8Array(body),
    headers: { ...headers, authorization: `Bearer ${key}` },
  });
};

test.each(['application/json', 'application/json; charset=utf-8', 'text/plain'])(
  'the api accepts the `meta` part of an identity card with the content type %s',
  async (type) => {
    expect((await sendTyped(JSON.stringify(META), type)).status).toBe(200);
    expect(await sent()).toHaveLength(2);
  },
);

test.each(['{', '"text"', JSON.stringify(JSON.stringify(META)), 'null', '[1]'])(
  'the api rejects a `meta` part of type application/json with invalid content: %s',
  async (meta) => {
    const answer = await sendTyped(meta, 'application/json');
    expect([answer.status, await answer.json()]).toEqual([
      422,
      expect.objectContaining({
        errors: [expect.objectContaining({ pointer: expect.stringMatching(/^#\/meta/) })],
      }),
    ]);
    expect(await sent()).toEqual([]);
  },
);

describe('an upload is refused, and no document is stored, when', () => {
  beforeAll(async () => {
    unchanged = await register();
  });
  afterAll(() => {
    unchanged = null;
  });

  test.each<[string, string, Parameters<typeof upload>[3], number, string, string]>([
    [
      'the file is an executable named as a PDF',
      '?kind=registration_extract',
      { files: [['kbis.pdf', EXECUTABLE]] },
      415,
      'unsupported_document_type',
      '#/file',
    ],
    [
      'the file is empty',
      '?kind=registration_extract',
      { files: [['kbis.pdf', Buffer.alloc(0)]] },
      422,
      'document_empty',
      '#/file',
    ],
    [
      'the file exceeds the maximum by one byte',
      '?kind=registration_extract',
      { files: [['kbis.pdf', pdfOf(MAX_DOCUMENT_BYTES + 1)]] },
      413,
      'document_too_large',
      '#/file',
    ],
    [
      'the second file is not a document',
      '?kind=registration_extract',
      {
        files: [
          ['a.pdf', PDF],
          ['b.pdf', EXECUTABLE],
        ],
      },
      415,
      'unsupported_document_type',
      '#/file',
    ],
    [
      'a bank account proof is not a PDF',
      '?kind=bank_account_proof',
      { files: [['iban.jpg', JPEG]] },
      415,
      'unsupported_document_type',
      '#/file',
    ],
    [
      'the file is missing',
      '?kind=registration_extract',
      { files: [] },
      422,
      'validation_failed',
      '#/file',
    ],
    [
      'a company document has a `meta` part',
      '?kind=registration_extract',
      { files: [['a.pdf', PDF]], meta: META },
      422,
      'validation_failed',
      '#/meta',
    ],
    [
      'the file name may be a card number',
      '?kind=registration_extract',
      { files: [['4242 4242-4242 4242.pdf', PDF]] },
      422,
      'card_number_not_allowed',
      '#/file',
    ],
    [
      'the file name contains an IBAN',
      '?kind=bank_account_proof',
      { files: [['FR1420041010050500013M02606.pdf', PDF]] },
      422,
      'iban_not_allowed',
      '#/file',
    ],
  ])('%s', async (_, query, files, status, code, pointer) => {
    const answer = await upload(fixture, key, at(query), files);
    expect(answer).toMatchObject({
      status,
      body: { code, errors: [expect.objectContaining({ pointer })] },
    });
    expect(await sent()).toEqual([]);
  });

  test.each<[string, unknown, string, number]>([
    ['an identity card has no `meta` part', undefined, '#/meta', 2],
    ['an identity card has no number', { ...META, number: '' }, '#/meta/number', 2],
    [
      'the number of an identity card may be that of a payment card',
      { ...META, number: '4242424242424242' },
      '#/meta/number',
      2,
    ],
    ['the date of issue is invalid', { ...META, issuedOn: '2099-13-01' }, '#/meta/issuedOn', 2],
    ['an identity card has only one side', META, '#/file', 1],
  ])('%s', async (_, meta, pointer, sides) => {
    const files = Array.from({ length: sides }, () => ['side.jpg', JPEG] as const);
    const query = `?kind=identity_card&personId=${personId}`;
    const answer = await upload(fixture, key, at(query), {
      files,
      ...(meta === undefined ? {} : { meta }),
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [expect.objectContaining({ pointer })] },
    });
    expect(await sent()).toEqual([]);
  });

  test.each([
    ['?kind=identity_card', 'personId'],
    [`?kind=identity_card&personId=pers_${'x'.repeat(24)}`, 'personId'],
    ['?kind=passport', 'kind'],
    ['?kind=registration_extract&personId=pers_x', 'personId'],
  ])('no document of this kind is expected: %s', async (query, parameter) => {
    const answer = await upload(fixture, key, at(query), { files: [['a.pdf', PDF]] });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [expect.objectContaining({ parameter })] },
    });
  });

  test('the body is not multipart', async () => {
    expect(await fixture.api.post(at('?kind=registration_extract'), key, {})).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
    const form = new FormData();
    form.append('a', 'b');
    const other = await fetch(`${fixture.api.http.url}/v1/orders`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': randomText(16) },
    });
    expect(other.status).toBe(415);
  });

  test('the contract is signed', async () => {
    ({ id, companyId } = await register());
    await fixture.moveTo(id, companyId, 'in_review');
    const answer = await upload(fixture, key, at('?kind=registration_extract'), {
      files: [['a.pdf', PDF]],
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'not_allowed' } });
  });

  test('the sender aborts the upload', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
    const call = httpRequest(`${fixture.api.http.url}${at('?kind=registration_extract')}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'idempotency-key': randomText(16),
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': 1_000_000,
      },
    });
    call.on('error', () => undefined);
    call.write(Buffer.concat([Buffer.from(head), pdfOf(300_000)]));
    await new Promise((resolve) => setTimeout(resolve, 300));
    call.destroy();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await sent()).toEqual([]);
  });
});

test('the api accepts a file of exactly 10 MiB', async () => {
  const answer = await upload(fixture, key, at('?kind=registration_extract'), {
    files: [['kbis.pdf', pdfOf(MAX_DOCUMENT_BYTES)]],
  });
  expect(answer.status).toBe(201);
});

test('a document is added only once under one Idempotency-Key, and the key is refused for a different document', async () => {
  const files = [['kbis.pdf', PDF]] as const;
  const idempotencyKey = randomText(16);
  const first = await upload(fixture, key, at('?kind=registration_extract'), {
    files,
    idempotencyKey,
  });
  const second = await upload(fixture, key, at('?kind=registration_extract'), {
    files,
    idempotencyKey,
  });
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(await sent()).toHaveLength(1);
  expect(
    await upload(fixture, key, at('?kind=bank_account_proof'), { files, idempotencyKey }),
  ).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
});

test.each([
  ['', { count: 0, left: 1 }],
  [' and one response is lost', { count: 1, left: 2 }],
])(
  'no document is lost when two processes concurrently upload a document under one Idempotency-Key%s',
  async (_, play) => {
    const other = await startApi(fixture.api.config, { logger: quiet, ownsProcess: false });
    try {
      const idempotencyKey = randomText(16);
      const send = (url: string) => {
        const form = new FormData();
        form.append('file', new Blob([new Uint8Array(pdfOf(2_000_000))]), 'kbis.pdf');
        return fetch(`${url}${at('?kind=registration_extract')}`, {
          method: 'POST',
          body: form,
          headers: { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
        });
      };
      if (play.count > 0) await fixture.sandbox.addFault({ ...LOST_ANSWER, count: play.count });
      const answers = await Promise.all([send(fixture.api.http.url), send(other.url)]);
      const [first, second] = await Promise.all(answers.map((answer) => answer.json()));
      expect(second).toEqual(first);
      const { documentIds } = first as { documentIds: string[] };
      expect(documentIds).toEqual(await sent());
      expect(documentIds.length).toBeLessThanOrEqual(play.left);
    } finally {
      await other.close();
    }
  },
);

test('the api finds and records an uploaded document when the provider’s response was lost', async () => {
  await fixture.sandbox.addFault({ ...LOST_ANSWER, count: 1 });
  const answer = await upload(fixture, key, at('?kind=registration_extract'), {
    files: [['kbis.pdf', PDF]],
  });
  expect(answer.status).toBe(201);
  expect(answer.body['documentIds']).toEqual(await sent());
});

test('the api replays an upload when our stored response is missing but the provider has the document', async () => {
  const send = (idempotencyKey: string) =>
    upload(fixture, key, at('?kind=registration_extract'), {
      files: [['kbis.pdf', PDF]],
      idempotencyKey,
    });
  const other = await send('another-document');
  const first = await send('broken-off');
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  // Deletes the stored response, as if the process had died before it stored the response.
  await fixture.api.pool.query(`DELETE FROM idempotency_keys WHERE key = 'broken-off'`);
  const again = await send('broken-off');
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(await sent()).toEqual([
    ...(other.body['documentIds'] as string[]),
    ...(first.body['documentIds'] as string[]),
  ]);
});

test('the api returns 503 when an upload does not reach the provider, and accepts a repetition', async () => {
  await fixture.sandbox.addFault({
    route: 'POST /api/partners/document/{token}',
    kind: 'drop_before',
    count: 1,
  });
  const send = () =>
    upload(fixture, key, at('?kind=registration_extract'), {
      files: [['kbis.pdf', PDF]],
      idempotencyKey: 'again-and-again',
    });
  expect(await send()).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
  expect(await sent()).toEqual([]);
  expect((await send()).status).toBe(201);
});
