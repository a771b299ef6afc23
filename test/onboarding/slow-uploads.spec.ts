import { type ClientRequest, request as httpRequest } from 'node:http';
import { randomText } from '#kernel';
import { PDF } from '../../tools/stack/seller.js';
import { OnboardingFixture } from '../support/onboarding.js';

/** Slow uploads must not delay the requests of other clients. */

let fixture: OnboardingFixture;

beforeAll(async () => {
  fixture = await OnboardingFixture.start();
});
afterAll(() => fixture.stop());

const merchantOf = async (key: string): Promise<string> =>
  `/v1/merchants/${(await fixture.registered(key)).id}/documents`;

interface SlowUpload {
  readonly answered: Promise<{ readonly status: number; readonly code: unknown }>;
  readonly end: () => void;
}

/** Starts the upload of a document, and sends one byte at a time until a response arrives. */
const slowUpload = (key: string, path: string): SlowUpload => {
  const call: ClientRequest = httpRequest(
    `${fixture.api.http.url}${path}?kind=registration_extract`,
    {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        'idempotency-key': randomText(16),
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '1000000',
      },
    },
  );
  call.write(
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n' +
      'content-type: application/pdf\r\n\r\n',
  );
  call.write(PDF);
  const trickle = setInterval(() => call.write(' '), 200);
  const answered = new Promise<{ status: number; code: unknown }>((resolve) => {
    call.on('error', () => resolve({ status: 0, code: 'cut' }));
    call.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          code: (JSON.parse(text) as { code: unknown }).code,
        }),
      );
    });
  }).finally(() => clearInterval(trickle));
  return { answered, end: () => call.destroy() };
};

test('slow uploads of one platform are aborted, and delay no reads of other platforms', async () => {
  const [slow, other] = [await fixture.api.newKey('slow'), await fixture.api.newKey('other')];
  const [path, otherPath] = [await merchantOf(slow), await merchantOf(other)];
  const uploads = Array.from({ length: 120 }, () => slowUpload(slow, path));
  let open = uploads.length;
  for (const { answered } of uploads) void answered.then(() => (open -= 1));
  const reads = new Map<number, number>();
  try {
    while (open > 0) {
      const { status } = await fixture.api.get(otherPath, other);
      reads.set(status, (reads.get(status) ?? 0) + 1);
      if (status !== 200) break;
    }
  } finally {
    for (const { end } of uploads) end();
  }
  expect([...reads.keys()]).toEqual([200]);
  const codes = new Map<unknown, number>();
  for (const { answered } of uploads) {
    const { code } = await answered;
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  expect(Object.fromEntries(codes)).toEqual({ upload_too_slow: 8, too_many_documents: 112 });
});

test('a platform whose slow uploads were aborted can upload documents again', async () => {
  const key = await fixture.api.newKey('again');
  const path = await merchantOf(key);
  const uploads = Array.from({ length: 8 }, () => slowUpload(key, path));
  await Promise.all(uploads.map(({ answered }) => answered));
  for (let n = 0; n < 9; n += 1) {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(PDF)]), 'kbis.pdf');
    const answer = await fetch(`${fixture.api.http.url}${path}?kind=registration_extract`, {
      method: 'PUT',
      body: form,
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
  }
});
