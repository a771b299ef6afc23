import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { ONBOARDING_REFUSALS } from './classify-outcome.js';
import { json, MisbehavingServer, raw, reset, silence } from './misbehaving-server.fixture.js';
import { OnboardingClient } from './onboarding-client.js';
import {
  type CompanyDetails,
  type DocumentFile,
  isProviderError,
  MAX_DOCUMENT_BYTES,
  type ProviderError,
  ProviderRejected,
} from '#psp';
import { ProviderTransport } from './provider-transport.js';
import type { TransportLimits } from './transport-limits.js';

const KEY = 'spart_test_canaryKey0123456789';
const COMPANY = 'comp_abcdefghijklmnopqrstuvwx';
const ACCOUNT = 'acct_abcdefghijklmnopqrstuvwx';
const DOCUMENT = 'dcmt_abcdefghijklmnopqrstuvwx';
const TERMINAL = 'term_abcdefghijklmnopqrstuvwx';
const PERSON = 'pers_abcdefghijklmnopqrstuvwx';
const TOKEN = 'a'.repeat(30);
const UPLOAD_URL = `https://elsewhere.example/api/partners/document/${TOKEN}`;

const CONTACT = { email: 'jane@example.test', phone: null, lang: null };
const PERSON_ANSWER = {
  id: PERSON,
  'first-name': 'Jane',
  'last-name': 'Doe',
  address: null,
  birth: null,
  contact: CONTACT,
  'country-residence': null,
  nationality: null,
};
const ANSWER = {
  company: {
    id: COMPANY,
    status: 'onHoliday',
    accounts: [{ id: ACCOUNT, name: 'A', created: '2026-03-01' }],
    'legal-id': '73282932000074',
    'legal-name': 'A',
    'enabled-services': [],
    contact: { ...CONTACT, name: 'A' },
    documents: [],
    owners: [],
    representatives: [],
  },
  'documents-to-upload': { 'company-documents': [], 'identity-documents': [] },
  user: {
    id: 'user_abcdefghijklmnopqrstuvwx',
    username: 'jane',
    contact: CONTACT,
    person: PERSON_ANSWER,
  },
};
const UPLOADED = {
  company: COMPANY,
  files: [{ id: DOCUMENT, 'file-type': 'application/pdf', 'user-file-name': 'kbis.pdf' }],
};
const TERMINAL_ANSWER = { id: TERMINAL, name: 'Counter', status: 'pendingOrder' };

const NEW_COMPANY: CompanyDetails = {
  contact: { firstName: 'Jane', lastName: 'Doe', email: 'jane@example.test' },
  company: { country: 'FR', legalForm: 'fr_sas', registrationNumber: '732829320', legalName: 'A' },
};

let server: MisbehavingServer;
let transports: ProviderTransport[] = [];

const clientOf = (limits: Partial<TransportLimits> = {}, url = server.url): OnboardingClient => {
  const at = (base: string): ProviderTransport => {
    const all = { breakerFailures: 1_000, ...limits };
    const transport = new ProviderTransport(base, all, ONBOARDING_REFUSALS);
    transports.push(transport);
    return transport;
  };
  return new OnboardingClient(
    {
      partners: at(`${url}/api/partners`),
      manage: at(`${url}/manage/api/partners`),
    },
    KEY,
  );
};

const errorOf = async (call: Promise<unknown>): Promise<ProviderError> => {
  const error: unknown = await call.then(
    () => 'it succeeded',
    (reason: unknown) => reason,
  );
  if (!isProviderError(error)) throw new Error(`expected a ProviderError, got ${inspect(error)}`);
  return error;
};

const asked = (): readonly string[] =>
  server.requests.map(({ method, url }) => `${method} ${url.replace('/api/partners', '')}`);

beforeAll(async () => {
  server = await MisbehavingServer.start();
});
afterEach(async () => {
  await Promise.all(transports.map((transport) => transport.close()));
  transports = [];
});
afterAll(() => server.stop());

type Call = (client: OnboardingClient) => Promise<unknown>;

const pdf = async function* (size = 20): AsyncGenerator<Uint8Array> {
  const head = Buffer.from('%PDF-1.7\n');
  yield head;
  for (let left = size - head.length; left > 0; left -= 65_536) {
    yield Buffer.alloc(Math.min(left, 65_536), 0x20);
  }
};
const file = (content = pdf(), name = 'kbis.pdf'): DocumentFile => ({ name, content });
const upload =
  (...files: DocumentFile[]): Call =>
  (client) =>
    client.sendDocuments(COMPANY, UPLOAD_URL, { files: files.length > 0 ? files : [file()] });

describe('each method', () => {
  const company = `company=${COMPANY}`;
  const account = `${company}&account=${ACCOUNT}`;
  const deleted = (id: string) => ({ deleted: true, id });
  const verbs: readonly [string, unknown, Call][] = [
    ['POST /company', ANSWER, (client) => client.createCompany(NEW_COMPANY, 'mer_1')],
    [`GET /company?id=${COMPANY}`, ANSWER, (client) => client.getCompany(COMPANY)],
    [
      `PATCH /company?id=${COMPANY}`,
      ANSWER,
      (client) => client.changeCompany(COMPANY, { company: { website: null } }),
    ],
    [
      `DELETE /company-head?${company}&id=${PERSON}&type=owner`,
      deleted(PERSON),
      (client) => client.removePerson(COMPANY, PERSON, 'owner'),
    ],
    [
      `PATCH /company?id=${COMPANY}`,
      ANSWER,
      (client) => client.putPerson(COMPANY, 'owner', { person: { id: PERSON } }),
    ],
    [`POST /document/${TOKEN}`, UPLOADED, upload()],
    [
      `PATCH /document/${TOKEN}`,
      UPLOADED,
      (client) => client.sendDocuments(COMPANY, UPLOAD_URL, { files: [file()], replaces: true }),
    ],
    [
      `DELETE /document?${company}&document=${DOCUMENT}`,
      deleted(DOCUMENT),
      (client) => client.removeDocument(COMPANY, DOCUMENT),
    ],
    [
      `GET /subscription-link?${company}`,
      { link: 'https://sign.example' },
      (client) => client.signatureLink(COMPANY),
    ],
    [
      `GET /registration-progress?${company}`,
      { company: COMPANY, status: 'notComplete', steps: [], percent: 0 },
      (client) => client.progress(COMPANY),
    ],
    [
      'GET /manage/company-status-history?since=2026-03-01&until=2026-03-02',
      [
        {
          id: COMPANY,
          'date-update': '2026-03-01',
          status: 'deactivate',
          'terminated-by-service': true,
        },
      ],
      (client) => client.statusHistory('2026-03-01', '2026-03-02'),
    ],
    [
      `GET /company-keys?${company}`,
      { test: 'stest_1', live: 'sprod_1' },
      (client) => client.companyKeys(COMPANY),
    ],
    [
      `POST /payment-terminal?${account}&name=Counter+1`,
      TERMINAL_ANSWER,
      (client) => client.orderTerminal(COMPANY, ACCOUNT, 'Counter 1'),
    ],
    [
      `GET /payment-terminal?${account}`,
      [TERMINAL_ANSWER],
      (client) => client.listTerminals(COMPANY, ACCOUNT),
    ],
    [
      `POST /cancel-payment-terminal-order?${account}&payment-terminal=${TERMINAL}`,
      TERMINAL_ANSWER,
      (client) => client.cancelTerminal(COMPANY, ACCOUNT, TERMINAL),
    ],
    ['GET /naf-code', [{ code: '47.71Z' }], (client) => client.codes({ list: 'activities' })],
    [
      'GET /countries?type=birth',
      ['fra'],
      (client) => client.codes({ list: 'countries', of: 'birth' }),
    ],
  ];

  test.each(verbs)('sends the specified request: %s', async (request, answer, call) => {
    server.always(json(200, answer));
    await call(clientOf());
    expect(asked()).toEqual([request]);
    const authorization = `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`;
    expect(server.requests[0]?.headers).toMatchObject({ authorization });
  });

  const writes = verbs.filter(([request]) => !request.startsWith('GET'));
  const reads = verbs.filter(([request]) => request.startsWith('GET'));

  test.each(writes)(
    'for a write has an unknown result if no response arrives, and does not repeat the request: %s',
    async (_request, _answer, call) => {
      const expected = { kind: 'unknown_outcome', reason: 'timeout' };
      server.always(silence);
      const limits = { exchangeTimeoutMs: 500, uploadTimeoutMs: 500 };
      expect(await errorOf(call(clientOf(limits)))).toMatchObject(expected);
      expect(server.requests).toHaveLength(1);
      server.always(json(200, { another: 'shape' }));
      expect(await errorOf(call(clientOf()))).toMatchObject({
        kind: 'unknown_outcome',
        reason: 'unreadable_answer',
      });
    },
  );

  test.each(reads)(
    'for a read repeats the request after a transient failure: %s',
    async (_request, answer, call) => {
      server.always(json(200, answer));
      server.first(reset, json(503, {}));
      await call(clientOf());
      expect(server.requests).toHaveLength(3);
      server.always(json(200, { another: 'shape' }));
      expect(await errorOf(call(clientOf()))).toMatchObject({
        kind: 'unavailable',
        reason: 'unreadable_answer',
      });
    },
  );
});

describe('responses of the provider', () => {
  test('keep an unknown status in the provider’s spelling, marked as unrecognized', async () => {
    server.always(json(200, ANSWER));
    expect((await clientOf().getCompany(COMPANY)).status).toBe('unrecognized onHoliday');
  });

  test('about a company that was not requested are not accepted', async () => {
    const other = { ...ANSWER.company, id: 'comp_another' };
    server.always(json(200, { ...ANSWER, company: other }));
    expect(await errorOf(clientOf().getCompany(COMPANY))).toMatchObject({ kind: 'unavailable' });
    expect(await errorOf(clientOf().changeCompany(COMPANY, {}))).toMatchObject({
      kind: 'unknown_outcome',
    });
    server.always(json(200, { ...UPLOADED, company: 'comp_another' }));
    expect(await errorOf(upload()(clientOf()))).toMatchObject({ kind: 'unknown_outcome' });
  });

  test('that reject a request become an error with the rejection’s code and the fields that caused it', async () => {
    server.always(json(409, { message: 'email unavailable', type: 'email-unavailable' }));
    expect(await errorOf(clientOf().createCompany(NEW_COMPANY, 'mer_1'))).toMatchObject({
      kind: 'rejected',
      status: 409,
      code: 'email_unavailable',
      faults: [{ field: 'contact.email', message: '' }],
    });
    const errors = [{ field: 'user.contact.email', message: 'jane@example.test is no email' }];
    server.always(json(422, { message: 'not valid', type: 'validation', errors }));
    const refused = await errorOf(clientOf().createCompany(NEW_COMPANY, 'mer_1'));
    expect(refused).toBeInstanceOf(ProviderRejected);
    expect(refused).toMatchObject({
      code: 'validation',
      faults: [{ field: 'contact.email', message: '[redacted] is no email' }],
    });
  });

  test('with 403 mean that the request is not allowed, and with 401 that the key is invalid', async () => {
    server.always(json(403, { message: 'finalized', type: 'not-allowed' }));
    expect(await errorOf(clientOf().readDocument(COMPANY, DOCUMENT))).toMatchObject({
      kind: 'rejected',
      status: 403,
      code: 'not_allowed',
    });
    server.always(json(401, { message: 'no key', type: 'unauthorized' }));
    expect(await errorOf(clientOf().readDocument(COMPANY, DOCUMENT))).toMatchObject({
      kind: 'unauthorized',
    });
  });

  test.each([
    [404, { error: 'not found' }],
    [404, { message: 'no route' }],
    [422, { type: 7, message: '' }],
  ])(
    'with %d but without the provider’s error body do not count as rejections',
    async (status, body) => {
      server.always(json(status, body));
      expect(await errorOf(clientOf().createCompany(NEW_COMPANY, 'mer_1'))).toMatchObject({
        kind: 'unknown_outcome',
        reason: 'unreadable_answer',
      });
    },
  );

  test('lead to errors that contain no key, upload URL, personal data or content', async () => {
    const canary = json(200, { secret: 'canary-answer', company: 'jane@example.test' });
    for (const behaviour of [canary, reset, json(401, {}), raw(502, 'canary-html', {})]) {
      server.always(behaviour);
      const client = clientOf({ readRepeats: 0 });
      const errors = [
        await errorOf(client.createCompany(NEW_COMPANY, 'mer_1')),
        await errorOf(upload(file(pdf(), 'canary-name.pdf'))(client)),
        await errorOf(
          client
            .readDocument('comp_canary', 'dcmt_canary')
            .then(() => {
              throw new Error('not read');
            })
            .catch((error: unknown) => {
              if (isProviderError(error)) throw error;
              return client.companyKeys('comp_canary');
            }),
        ),
      ];
      const shown = inspect([errors, client], { depth: 10, showHidden: true });
      expect(shown).not.toMatch(new RegExp(`canary|jane|${TOKEN}`));
    }
  });
});

test.each(['', 'comp_', '../ping', 'comp_a&company=comp_b', 'pers_a'])(
  'the invalid id %j is never sent as part of a URL',
  async (id) => {
    server.always(json(200, ANSWER));
    const refused = { name: 'AssertionFailed' };
    const client = clientOf();
    const calls: (() => Promise<unknown>)[] = [
      async () => client.getCompany(id),
      async () => client.companyKeys(id),
      async () => client.readDocument(COMPANY, id),
      async () => client.listTerminals(COMPANY, id),
      async () => client.sendDocuments(COMPANY, `https://x.example/document/${id}`, { files: [] }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(refused);
    expect(server.requests).toHaveLength(0);
  },
);

describe('documents', () => {
  test('are sent as multipart, only to our configured URL, with the data of the identity card last', async () => {
    server.always(json(200, UPLOADED));
    const jpeg = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from([0xff]);
      yield Buffer.from([0xd8, 0xff, 0xe0]);
    };
    const meta = { issuedOn: '2020-01-02', expiresOn: '2035-01-01', number: 'X1' };
    await clientOf().sendDocuments(COMPANY, UPLOAD_URL, {
      files: [file(pdf(), 'front"\r\nX: y.pdf'), file(jpeg(), 'back.jpg')],
      meta: () => meta,
    });
    const [request] = server.requests;
    const boundary = /boundary=(\S+)$/.exec(request?.headers['content-type'] ?? '')?.[1] ?? '';
    const parts = (request?.body ?? '').split(`--${boundary}`);
    expect(parts).toHaveLength(5);
    expect(parts[1]).toContain('name="file"; filename="front___X: y.pdf"');
    expect(parts[1]).toContain('Content-Type: application/pdf\r\n\r\n%PDF-1.7');
    expect(parts[2]).toContain('Content-Type: image/jpeg');
    expect(parts[3]).toContain('"date-issue":"2020-01-02"');
    expect(parts[3]).toMatch(/name="meta".*\r\nContent-Type: application\/json\r\n\r\n\{.*\}\r\n$/);
    expect(parts[4]).toBe('--\r\n');
    expect(request?.headers['transfer-encoding']).toBe('chunked');
  });

  test('of exactly 10 MiB are sent, and larger documents are rejected', async () => {
    server.always(json(200, UPLOADED));
    await upload(file(pdf(MAX_DOCUMENT_BYTES)))(clientOf());
    expect(server.requests[0]?.body.length).toBeGreaterThan(MAX_DOCUMENT_BYTES);
    await expect(upload(file(pdf(MAX_DOCUMENT_BYTES + 1)))(clientOf())).rejects.toMatchObject({
      name: 'Rejection',
      code: 'document_too_large',
      details: { field: 'file' },
    });
  });

  const bytes = async function* (content: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(content, 'latin1');
  };

  test.each([
    [
      'an executable that is called kbis.pdf',
      '\x7fELF\x02\x01\x01\x00\x00',
      'unsupported_document_type',
    ],
    ['nothing', '', 'document_empty'],
    ['one byte', '%', 'unsupported_document_type'],
  ])(
    'with %s are rejected with the name of the field, which does not count as a failure of the provider',
    async (_what, content, code) => {
      server.always(json(200, UPLOADED));
      const client = clientOf({ breakerFailures: 1 });
      await expect(upload(file(bytes(content)))(client)).rejects.toMatchObject({
        name: 'Rejection',
        code,
        details: { field: 'file' },
      });
      await expect(upload(file(), file(bytes(content)))(client)).rejects.toMatchObject({
        name: 'Rejection',
        code,
      });
      expect(server.requests).toHaveLength(0);
      await expect(upload()(client)).resolves.toEqual([DOCUMENT]);
    },
  );

  test('make the upload fail with the sender’s error if the sender disconnects during the upload', async () => {
    server.always(json(200, UPLOADED));
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('%PDF-1.7\n');
      throw new Error('the sender has disconnected');
    };
    const client = clientOf({ breakerFailures: 1 });
    await expect(upload(file(broken()))(client)).rejects.toThrow('the sender has disconnected');
    expect(server.requests).toHaveLength(0);
    await expect(upload()(client)).resolves.toEqual([DOCUMENT]);
  });

  test('leave no stream of the sender open, even if the upload ends before the stream', async () => {
    let isOpen = false;
    const watched = async function* (): AsyncGenerator<Uint8Array> {
      isOpen = true;
      try {
        for (;;) yield Buffer.from('%PDF-1.7\n'.repeat(1_000));
      } finally {
        isOpen = false;
      }
    };
    server.always(json(413, { message: 'too large', type: 'too-large' }));
    await upload(file(watched()))(clientOf({}, 'http://127.0.0.1:9')).catch(() => undefined);
    expect(isOpen).toBe(false);
    await upload(file(watched()))(clientOf()).catch(() => undefined);
    expect(isOpen).toBe(false);
  });

  test('are read no faster than the provider receives them, so they are never completely in memory', async () => {
    const deaf = createServer((request) => request.pause());
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;
    let produced = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of pdf(MAX_DOCUMENT_BYTES)) {
        produced += chunk.byteLength;
        yield chunk;
      }
    };
    const files = Array.from({ length: 10 }, () => file(counted()));
    const error = await errorOf(upload(...files)(clientOf({ uploadTimeoutMs: 1_500 }, url)));
    expect(error).toMatchObject({ kind: 'unknown_outcome', reason: 'timeout' });
    // At most one chunk and the content of the two sockets' buffers were read; the system chooses
    // the size of the buffers.
    expect(produced).toBeLessThan(2 * MAX_DOCUMENT_BYTES);
    deaf.closeAllConnections();
    await new Promise((resolve) => deaf.close(resolve));
  });

  test('are forwarded while they arrive, up to the maximum size', async () => {
    const read = async (size: number): Promise<number> => {
      const content = Buffer.alloc(size, 0x20);
      server.always(raw(200, content, { 'content-type': 'application/pdf' }));
      const opened = await clientOf().readDocument(COMPANY, DOCUMENT);
      expect(opened.mediaType).toBe('application/pdf');
      let seen = 0;
      for await (const chunk of opened.content) seen += chunk.byteLength;
      return seen;
    };
    expect(await read(3_000_000)).toBe(3_000_000);
    await expect(read(MAX_DOCUMENT_BYTES + 1)).rejects.toMatchObject({ name: 'MalformedWire' });
    server.always(json(500, {}));
    server.first(reset, json(502, {}), raw(200, 'x', { 'content-type': 'image/png' }));
    await expect(clientOf().readDocument(COMPANY, DOCUMENT)).resolves.toMatchObject({
      mediaType: 'image/png',
    });
    server.always(silence);
    expect(
      await errorOf(
        clientOf({ exchangeTimeoutMs: 300, readTimeoutMs: 500 }).readDocument(COMPANY, DOCUMENT),
      ),
    ).toMatchObject({ kind: 'unavailable', reason: 'timeout' });
    expect(
      await errorOf(clientOf({}, 'http://127.0.0.1:9').readDocument(COMPANY, DOCUMENT)),
    ).toMatchObject({ kind: 'unavailable', reason: 'unreachable' });
  });
});
