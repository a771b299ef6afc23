import { request as httpRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { waitFor } from '#testing';
import { basic, type Harness, startHarness } from '../../testing/harness.js';
import { companyAnswerSchema, uploadsAnswer } from '../companies/company-answer.js';
import { misfits } from '../testing/answers.js';
import {
  type CompanyReply,
  createCompany,
  fullCompany,
  IBAN,
  person,
  readCompany,
} from '../testing/company.js';
import { ask, KEY, OTHER } from '../testing/partner.js';
import {
  addressOf,
  EXECUTABLE,
  JPEG,
  localUrl,
  META,
  PDF,
  PNG,
  send,
  sendAll,
} from '../testing/upload.js';
import { uploadResultAnswer } from './document-wire.js';
import { MAX_FILE_BYTES } from './upload-body.js';

let sandbox: Harness;
let made: CompanyReply;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  made = await createCompany(sandbox);
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const kbis = (): string => addressOf(made, 'kbis');
const card = (): string =>
  made['documents-to-upload']['identity-documents'][0]?.['upload-url'] ?? '';
const now = (): Promise<CompanyReply> => readCompany(sandbox, made.company.id);
const large = (size: number): Buffer => Buffer.concat([PDF, Buffer.alloc(size - PDF.length, 7)]);

const query = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: sandbox.database.url });
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows;
};

const unclaimedChunks = async (): Promise<number | undefined> => {
  const [chunks] = await query<{ count: number }>(`
    SELECT count(*)::int FROM onboarding_document_chunks c WHERE NOT EXISTS (
      SELECT FROM onboarding_documents d WHERE d.id = c.document_id)`);
  return chunks?.count;
};

const download = (document: string, key: string = KEY): Promise<Response> =>
  fetch(`${sandbox.url}/api/partners/document?company=${made.company.id}&document=${document}`, {
    headers: { authorization: basic(key) },
  });

describe('GET /document-upload-url', () => {
  test('returns an unguessable upload URL for each expected document, the same URL as the company response', async () => {
    const path = `/document-upload-url?company=${made.company.id}`;
    const { status, body } = await ask(sandbox, 'GET', path);
    expect(status).toBe(200);
    expect(misfits(uploadsAnswer, body)).toEqual([]);
    expect(body).toEqual(made['documents-to-upload']);
    const addresses = [
      ...made['documents-to-upload']['company-documents'],
      ...made['documents-to-upload']['identity-documents'],
    ].map((each) => each['upload-url']);
    expect(new Set(addresses).size).toBe(4);
    expect(
      addresses.every((address) => /\/api\/partners\/document\/[A-Za-z0-9]{30}$/.test(address)),
    ).toBe(true);
    expect((await ask(sandbox, 'GET', path, undefined, OTHER)).status).toBe(404);
  });
});

describe('an upload URL', () => {
  test('accepts a file without a key and returns its id, type and name', async () => {
    const { status, body } = await send(sandbox, kbis(), [{ bytes: PDF, name: 'extrait.pdf' }]);
    expect(status).toBe(200);
    expect(misfits(uploadResultAnswer, body)).toEqual([]);
    expect(body).toMatchObject({
      company: made.company.id,
      files: [{ 'file-type': 'application/pdf', 'user-file-name': 'extrait.pdf' }],
    });
    expect((await now()).company.documents).toMatchObject([
      {
        'document-type': 'kbis',
        'document-name': 'extrait.pdf',
        name: 'Atelier Lumière',
        number: '73282932000017',
        'date-birth': null,
      },
    ]);
  });

  test('adds one or several files by POST, and replaces all files by PATCH', async () => {
    await send(sandbox, kbis(), [
      { bytes: PDF, name: '1' },
      { bytes: PNG, name: '2' },
    ]);
    await send(sandbox, kbis(), [{ bytes: JPEG, name: '3' }]);
    const names = async (): Promise<unknown> =>
      (await now()).company.documents.map((each) => (each as never)['document-name']);
    expect(await names()).toEqual(['1', '2', '3']);
    await send(sandbox, kbis(), [{ bytes: PDF, name: '4' }], undefined, 'PATCH');
    expect(await names()).toEqual(['4']);
    expect(await unclaimedChunks()).toBe(0);
  });

  test('accepts an identity card as two sides and a meta part', async () => {
    const { status } = await send(sandbox, card(), [{ bytes: JPEG }, { bytes: PNG }], META);
    expect(status).toBe(200);
    const after = await now();
    expect(misfits(companyAnswerSchema, after)).toEqual([]);
    const record = {
      'document-type': 'idcard',
      'date-issue': '2020-01-02',
      'date-expiry': '2035-01-01',
      number: 'X4RTBPFW4',
      name: 'Camille Martin',
      city: 'Paris',
      'date-birth': '1984-05-17',
    };
    expect(after.company.representatives[0]?.documents).toMatchObject([record, record]);
    // This person is both representative and owner: the documents are returned with the
    // representative only.
    expect(after.company.owners[0]?.documents).toEqual([]);
  });

  test.each<[string, number, unknown, string]>([
    ['one side', 1, META, 'file'],
    ['three sides', 3, META, 'file'],
    ['no meta', 2, undefined, 'meta'],
    ['a meta that is not JSON', 2, '{"number":', 'meta'],
    ['a meta without a number', 2, { ...META, number: undefined }, 'meta.number'],
    ['a meta with an unknown field', 2, { ...META, name: 'x' }, 'meta.name'],
    [
      'a date of issue in the future',
      2,
      { ...META, 'date-issue': '2999-01-01' },
      'meta.date-issue',
    ],
    [
      'an expiry date before the date of issue',
      2,
      { ...META, 'date-expiry': '2019-01-01' },
      'meta.date-expiry',
    ],
  ])('rejects an identity card that has %s with 422', async (_, sides, meta, field) => {
    const files = Array.from({ length: sides }, () => ({ bytes: JPEG }));
    const { status, body } = await send(sandbox, card(), files, meta);
    expect([status, body]).toMatchObject([422, { type: 'validation', errors: [{ field }] }]);
    expect((await now()).company.representatives[0]?.documents).toEqual([]);
  });

  test('detects the media type from the content of a file, never from its name', async () => {
    const asPdf = { name: 'kbis.pdf', type: 'application/pdf' };
    expect(await send(sandbox, kbis(), [{ bytes: EXECUTABLE, ...asPdf }])).toMatchObject({
      status: 415,
      body: { type: 'unsupported-media-type', message: expect.stringContaining('`file`') },
    });
    const disguised = [{ bytes: PNG, name: 'kbis.exe', type: 'application/octet-stream' }];
    expect(await send(sandbox, kbis(), disguised)).toMatchObject({
      status: 200,
      body: { files: [{ 'file-type': 'image/png' }] },
    });
  });

  test('accepts only a PDF for the document iban', async () => {
    const iban = addressOf(made, 'iban');
    expect(await send(sandbox, iban, [{ bytes: PNG, name: 'iban.pdf' }])).toMatchObject({
      status: 415,
    });
    expect((await send(sandbox, iban, [{ bytes: PDF }])).status).toBe(200);
    expect((await now()).company.documents).toMatchObject([
      { 'document-type': 'iban', iban: IBAN },
    ]);
  });

  test('rejects an empty or missing file, an unknown part and unexpected meta with 422', async () => {
    const field = async (answer: ReturnType<typeof send>): Promise<unknown> => {
      const { status, body } = await answer;
      return [status, (body as { errors: { field: string }[] }).errors[0]?.field];
    };
    expect(await field(send(sandbox, kbis(), [{ bytes: Buffer.alloc(0) }]))).toEqual([422, 'file']);
    expect(await field(send(sandbox, kbis(), [], { a: 1 }))).toEqual([422, 'file']);
    expect(await field(send(sandbox, kbis(), [{ bytes: PDF }], META))).toEqual([422, 'meta']);
    const form = new FormData();
    form.append('paper', new Blob(['%PDF-1.7']), 'x.pdf');
    const strange = await fetch(localUrl(sandbox, kbis()), { method: 'POST', body: form });
    expect([strange.status, await strange.json()]).toMatchObject([
      422,
      { errors: [{ field: 'paper' }] },
    ]);
  });

  test('accepts 10 MiB; rejects one byte more with a 413 naming the field, and stores nothing', async () => {
    expect((await send(sandbox, kbis(), [{ bytes: large(MAX_FILE_BYTES) }])).status).toBe(200);
    const answer = await send(sandbox, kbis(), [
      { bytes: PDF },
      { bytes: large(MAX_FILE_BYTES + 1) },
    ]);
    expect([answer.status, answer.body]).toEqual([
      413,
      { type: 'too-large', message: '`file` has more than 10 MiB' },
    ]);
    expect((await now()).company.documents).toHaveLength(1);
    const [chunks] = await query<{ bytes: number }>(
      'SELECT sum(length(bytes))::int AS bytes FROM onboarding_document_chunks',
    );
    const [rows] = await query<{ bytes: number }>(
      'SELECT sum(size_bytes)::int AS bytes FROM onboarding_documents',
    );
    expect(chunks?.bytes).toBe(rows?.bytes);
  });

  test('accepts only complete multipart bodies, and only with a valid token', async () => {
    const json = await fetch(localUrl(sandbox, kbis()), {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([json.status, ((await json.json()) as { type: string }).type]).toEqual([
      415,
      'unsupported-media-type',
    ]);
    const cut = await fetch(localUrl(sandbox, kbis()), {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-',
    });
    expect(cut.status).toBe(422);
    const elsewhere = kbis().replace(/.{30}$/, 'a'.repeat(30));
    expect((await send(sandbox, elsewhere, [{ bytes: PDF }])).status).toBe(404);
  });

  test('keeps no data of an interrupted upload', async () => {
    const body = large(3_000_000);
    const upload = httpRequest(localUrl(sandbox, kbis()), {
      method: 'POST',
      headers: {
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': body.length + 500,
      },
    });
    const closed = new Promise<void>((resolve) => upload.on('error', () => resolve()));
    upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    upload.write(body);
    await waitFor(async () => ((await unclaimedChunks()) ?? 0) > 0);
    upload.destroy(new Error('aborted'));
    await closed;
    await waitFor(async () => (await unclaimedChunks()) === 0);
    expect((await now()).company.documents).toEqual([]);
  });
});

describe('an upload', () => {
  const part = (name: string, more = '', body = 'x'): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${body}\r\n`;
  const file = (body = '%PDF-1.7'): string => part('file', '; filename="a.pdf"', body);
  const json = '\r\nContent-Type: application/json';
  const raw = async (address: string, body: string): Promise<unknown> => {
    const answer = await fetch(localUrl(sandbox, address), {
      method: 'POST',
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    return [answer.status, await answer.json()];
  };
  const fault = (field: string, message: string): unknown => [
    422,
    { type: 'validation', errors: [{ field, message: expect.stringContaining(message) }] },
  ];
  const end = '--b--\r\n';

  test.each<[string, string, string, string]>([
    ['a meta of invalid JSON', `${part('meta', json, '{"number":')}${end}`, 'meta', 'must be JSON'],
    [
      'a meta that is too long',
      `${part('meta', json, `"${'x'.repeat(5_000)}"`)}${end}`,
      'meta',
      'must be JSON',
    ],
    ['a field named __proto__', `${part('__proto__')}${end}`, '__proto__', 'is an unknown part'],
    [
      'a file field named __proto__',
      `${part('__proto__', '; filename="a"')}${end}`,
      '__proto__',
      'is an unknown part',
    ],
    ['a body that ends within a file', file().slice(0, -8), 'file', 'is malformed'],
    ['a body that ends after a file, without the final boundary', file(), 'file', 'is malformed'],
    [
      'a body that ends within meta',
      part('meta', json, '{"a":1').slice(0, -2),
      'file',
      'is malformed',
    ],
    ["a body that ends within a part's head", '--b\r\nContent-Dispo', 'file', 'is malformed'],
    ['eleven files', `${file().repeat(11)}${end}`, 'file', 'at most 10 times'],
    ['a hundred files', `${file().repeat(100)}${end}`, 'file', 'at most 10 times'],
  ])('with %s is rejected with a 422 that names the problem', async (_, body, field, message) => {
    expect(await raw(kbis(), body)).toMatchObject(fault(field, message) as object);
    expect(await unclaimedChunks()).toBe(0);
    expect((await now()).company.documents).toEqual([]);
  });

  test('with a third file for an identity card is rejected before the third file is read', async () => {
    const sides = [{ bytes: JPEG }, { bytes: PNG }, { bytes: large(MAX_FILE_BYTES + 1) }];
    const { status, body } = await send(sandbox, card(), sides, META);
    expect([status, body]).toMatchObject(fault('file', 'at most 2 times') as object);
  });
});

test("the maximum number of documents of a company allows both sides of each person's identity card", async () => {
  const owners = Array.from({ length: 40 }, (_, index) => ({
    person: person(`Owner ${index}`, 'Many'),
  }));
  made = await createCompany(sandbox, fullCompany({ owners }));
  await sendAll(sandbox, made);
  const { company } = await now();
  const cards = [...company.owners, ...company.representatives].flatMap((each) => each.documents);
  expect(cards).toHaveLength(2 * 41);
});

test('memory use stays constant during many large concurrent uploads', async () => {
  const bytes = large(MAX_FILE_BYTES);
  const boundary = 'b';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  /**
   * Uploads from one shared buffer, so that the client's copies do not count as the server's
   * memory.
   */
  const stream = (address: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const upload = httpRequest(
        localUrl(sandbox, address),
        {
          method: 'POST',
          headers: {
            'content-type': `multipart/form-data; boundary=${boundary}`,
            'content-length': head.length + bytes.length + tail.length,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      upload.on('error', reject);
      upload.write(head);
      const step = 65_536;
      const write = (from: number): void => {
        if (from >= bytes.length) upload.end(tail);
        else upload.write(bytes.subarray(from, from + step), () => write(from + step));
      };
      write(0);
    });
  /**
   * The memory in use after garbage collection. The second collection waits until the first has
   * freed its buffers, which happens in the background; buffers of chunks that arrive later are not
   * counted.
   */
  const held = async (): Promise<number> => {
    const begun = performance.now();
    collectGarbage();
    collectGarbage();
    const bytes = process.memoryUsage().arrayBuffers;
    // Garbage collection pauses the process. The uploads continue during this wait, which is at
    // least as long as the pause, so that the uploads do not time out on a slow machine.
    await setTimeout(Math.max(50, performance.now() - begun));
    return bytes;
  };
  await stream(kbis());
  const before = await held();
  const peaks: number[] = [];
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) peaks.push((await held()) - before);
  };
  const watched = watch();
  const statuses = await Promise.all(Array.from({ length: 4 }, () => stream(kbis())));
  isOver = true;
  await watched;
  expect(statuses).toEqual(Array.from({ length: 4 }, () => 200));
  // Four files of 10 MiB were uploaded, with only some chunks of each in memory: at most 3 MiB were
  // measured. A server that holds whole files has up to 40 MiB.
  expect(Math.max(...peaks)).toBeLessThan(MAX_FILE_BYTES);
});

describe('an uploaded document', () => {
  test('is returned byte for byte, with its type and name', async () => {
    const bytes = large(1_000_000);
    const { body } = await send(sandbox, kbis(), [{ bytes, name: 'extrait é.pdf' }]);
    const [file] = (body as { files: { id: string }[] }).files;
    const response = await download(file?.id ?? '');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-disposition')).toContain('extrait%20%C3%A9.pdf');
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await download(file?.id ?? '', OTHER)).status).toBe(404);
    expect((await download(`dcmt_${'a'.repeat(24)}`)).status).toBe(404);
  });

  test('returns 404 after it was deleted', async () => {
    await send(sandbox, kbis(), [{ bytes: PDF }]);
    const id = (await now()).company.documents[0]?.id ?? '';
    const path = `/document?company=${made.company.id}&document=${id}`;
    expect(await ask(sandbox, 'DELETE', path)).toMatchObject({
      status: 200,
      body: { deleted: true, id },
    });
    expect((await ask(sandbox, 'DELETE', path)).status).toBe(404);
    expect((await now()).company.documents).toEqual([]);
    expect((await download(id)).status).toBe(404);
  });
});
