import { createHash } from 'node:crypto';
import { HOUSE_TEST } from '../../storage/account-scope.js';
import { basic, type Harness, startHarness, TEST_KEY } from '../../testing/harness.js';
import { capturedPayment } from '../../testing/money.js';
import { Disputes } from './disputes.service.js';

/** Evidence as a multipart form, from the API and from the User Area. */

let sandbox: Harness;
let disputes: Disputes;
beforeAll(async () => {
  sandbox = await startHarness();
  disputes = sandbox.http.app.get(Disputes, { strict: false });
});
afterAll(() => sandbox.stop());

const MIB = 1_048_576;
const MAX_FILE_BYTES = 5 * MIB;

const newDispute = async (): Promise<string> =>
  (await disputes.open(HOUSE_TEST, await capturedPayment(sandbox), '45')).id;

const part = (name: string, more = '', body = 'x'): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${body}\r\n`;
const file = part('file', '; filename="a.pdf"', '%PDF-1.7');
const json = '\r\nContent-Type: application/json';
const end = '--b--\r\n';

const send = async (
  id: string,
  body: string | FormData,
  type?: string,
): Promise<{ status: number; body: unknown }> => {
  const answer = await fetch(`${sandbox.url}/v2/disputes/${id}/evidence`, {
    method: 'POST',
    body,
    headers: {
      authorization: basic(TEST_KEY),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
  });
  return { status: answer.status, body: await answer.json() };
};

const formOf = (...parts: readonly (readonly [string, string | File])[]): FormData => {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
};

const expectOpen = async (id: string): Promise<void> => {
  expect((await sandbox.call('GET', `/v2/disputes/${id}`)).body).toMatchObject({ status: 'open' });
  expect(await disputes.evidenceOf([id])).toEqual([]);
};

const fault = (field: string | null, type: string): object => ({
  status: 422,
  body: { detail: [{ loc: ['body', ...(field === null ? [] : [field])], type }] },
});

describe('a form with evidence', () => {
  test('may have a file of 5 MiB, whose size and digest are stored', async () => {
    const id = await newDispute();
    const bytes = Buffer.alloc(MAX_FILE_BYTES, 'a');
    expect(await send(id, formOf(['file', new File([bytes], 'scan.pdf')]))).toMatchObject({
      status: 200,
    });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await disputes.evidenceOf([id])).toMatchObject([
      { files: [{ size: MAX_FILE_BYTES, sha256 }] },
    ]);
  });

  test.each([
    ['a file that is larger', [MAX_FILE_BYTES + 1]],
    ['a file that is much larger', [4 * MAX_FILE_BYTES]],
    ['a larger file before a small one', [MAX_FILE_BYTES + MIB, 1]],
    ['six files', [1, 1, 1, 1, 1, 1]],
  ])('with %s is rejected with 413, and the dispute stays open', async (_, sizes) => {
    const id = await newDispute();
    const files = sizes.map(
      (size, n) => ['file', new File([Buffer.alloc(size, 'a')], `${n}.pdf`)] as const,
    );
    expect(await send(id, formOf(['text', 'See the file.'], ...files))).toEqual({
      status: 413,
      body: { error: 'Evidence may have at most 5 files of at most 5 MiB each' },
    });
    await expectOpen(id);
  });

  test('may have a text of 20,000 characters, which is stored unchanged', async () => {
    const id = await newDispute();
    const text = '😀'.repeat(20_000);
    expect(await send(id, formOf(['text', text]))).toMatchObject({ status: 200 });
    expect(await disputes.evidenceOf([id])).toMatchObject([{ text }]);
  });

  test.each([
    ['a', 20_001],
    ['a', 100_000],
    ['😀', 20_001],
    ['😀', 30_000],
  ])('with a text of too many characters (%s, %d times) is rejected with 422', async (char, n) => {
    const id = await newDispute();
    const form = formOf(['text', char.repeat(n)]);
    expect(await send(id, form)).toMatchObject(fault('text', 'string_too_long'));
    await expectOpen(id);
  });

  test.each<[string, string, string | null, string]>([
    ['no final boundary', part('text'), null, 'form_invalid'],
    ['an end within a file', file.slice(0, -6), null, 'form_invalid'],
    ["an end within a part's head", '--b\r\nContent-Dispo', null, 'form_invalid'],
    ['a text of invalid JSON', part('text', json, '{"a":') + end, null, 'json_invalid'],
    ['a text that is a JSON object', part('text', json, '{"a":1}') + end, 'text', 'string_type'],
    ['an unknown field', part('text') + part('colour') + end, 'colour', 'extra_forbidden'],
    ['the field of another form', part('text') + part('token') + end, 'token', 'extra_forbidden'],
    ['two texts', part('text') + part('text') + end, 'text', 'extra_forbidden'],
    ['a field named constructor', part('constructor') + end, null, 'extra_forbidden'],
    [
      'a file field named __proto__',
      part('__proto__', '; filename="a"') + end,
      null,
      'extra_forbidden',
    ],
    ['no part', end, 'text', 'missing'],
    ['an empty text', part('text', '', ' ') + end, 'text', 'missing'],
  ])('with %s is rejected with 422', async (_, body, field, type) => {
    const id = await newDispute();
    expect(await send(id, body, 'multipart/form-data; boundary=b')).toMatchObject(
      fault(field, type),
    );
    await expectOpen(id);
  });

  test('without a boundary is rejected with 422', async () => {
    const id = await newDispute();
    expect(await send(id, part('text') + end, 'multipart/form-data')).toMatchObject(
      fault(null, 'form_invalid'),
    );
    await expectOpen(id);
  });

  test.each([
    ['name', { name: 'a'.repeat(201), type: '' }],
    ['type', { name: 'a', type: `text/${'a'.repeat(100)}` }],
  ])('with a %s of a file that is too long is rejected with 422', async (field, { name, type }) => {
    const id = await newDispute();
    const files = ['1.pdf', name].map((each) => ['file', new File(['a'], each, { type })] as const);
    expect(await send(id, formOf(...files))).toMatchObject({
      status: 422,
      body: {
        detail: expect.arrayContaining([
          expect.objectContaining({ loc: ['body', 'files', 1, field] }),
        ]),
      },
    });
    await expectOpen(id);
  });
});

describe('the form of the User Area', () => {
  /** Submits the form with these parts, and the token of the browser. */
  const submit = async (
    id: string,
    parts: readonly (readonly [string, string | File])[],
    language = 'en',
  ): Promise<{ status: number; notice: unknown }> => {
    const page = await fetch(`${sandbox.url}/user-area/test/clock`);
    const [cookie = ''] = (page.headers.get('set-cookie') ?? '').split(';');
    const token = /name="token" value="(\w+)"/.exec(await page.text())?.[1] ?? '';
    const answer = await fetch(`${sandbox.url}/user-area/test/disputes/${id}/evidence`, {
      method: 'POST',
      redirect: 'manual',
      body: formOf(['token', token], ...parts),
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'accept-language': language },
    });
    const set = answer.headers.getSetCookie().find((one) => one.startsWith('area_notice=')) ?? '';
    const value = /=([^;]*)/.exec(set)?.[1] ?? '';
    return { status: answer.status, notice: JSON.parse(decodeURIComponent(value)) };
  };

  test('sends the text and files as evidence', async () => {
    const id = await newDispute();
    expect(
      await submit(id, [
        ['text', 'Delivered.'],
        ['files', new File(['a'], 'a.txt')],
      ]),
    ).toMatchObject({ status: 303, notice: { tone: 'good' } });
    expect(await disputes.evidenceOf([id])).toMatchObject([
      { text: 'Delivered.', files: [{ name: 'a.txt', size: 1 }] },
    ]);
  });

  test('shows why evidence is rejected, in English and in French', async () => {
    const id = await newDispute();
    const large = new File([Buffer.alloc(MAX_FILE_BYTES + 1)], 'a.pdf');
    const cases = [
      [['files', large], 'at most 5 MiB each', '5 Mio au plus'],
      [['text', 'a'.repeat(20_001)], 'more than 20000 characters', 'plus de 20000 caractères'],
      [['text', ''], 'a text or a file', 'un texte ou un fichier'],
      [['colour', 'blue'], 'Extra inputs', 'champ inconnu'],
    ] as const;
    for (const [sent, english, french] of cases) {
      const text = expect.stringContaining(english);
      expect(await submit(id, [sent])).toMatchObject({ notice: { tone: 'bad', text } });
      const inFrench = expect.stringContaining(french);
      expect(await submit(id, [sent], 'fr')).toMatchObject({ notice: { text: inFrench } });
    }
    await expectOpen(id);
  });
});
