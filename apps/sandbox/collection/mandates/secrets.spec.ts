import { createLogger, type HttpApp } from '#platform';
import { createDatabase, type TestDatabase } from '#testing';
import { startSandbox } from '../../sandbox-app.js';
import { basic, PARTNERS } from '../../testing/harness.js';

const KEY = 'stest_secretssecretssecrets01';
const IBAN = 'DE79000000000000000002';
const PHONE = '+33639980012';

let database: TestDatabase;
let http: HttpApp;
const lines: string[] = [];

beforeAll(async () => {
  database = await createDatabase('sandbox');
  const logger = createLogger('sandbox', {
    level: 'trace',
    destination: { write: (line) => lines.push(line) },
  });
  http = await startSandbox(
    {
      databaseUrl: database.urlFor('sandbox'),
      host: '127.0.0.1',
      port: 0,
      tls: null,
      publicUrl: 'http://sandbox.test',
      testKey: KEY,
      liveKey: 'sprod_secretssecretssecrets01',
      merchantName: 'Sandbox merchant',
      partners: PARTNERS,
      managePort: null,
      control: true,
      webhookLoopback: true,
      forward: null,
      webhookCaFile: null,
      secretsKey: null,
    },
    { logger, ownsProcess: false },
  );
});
afterAll(async () => {
  await http.close();
  await database.drop();
});

const call = async (method: string, path: string, body?: object): Promise<unknown> => {
  const answer = await fetch(`${http.url}${path}`, {
    method,
    headers: { authorization: basic(KEY), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.json();
};

interface Made {
  readonly id: string;
}

test('the logs contain no IBAN, telephone number, signing code, token or API key', async () => {
  const { id: sepa } = (await call('POST', '/v2/sepa', { name: 'Eve', iban: IBAN })) as Made;
  await call('POST', '/v2/sepa', { name: 'Eve', iban: `${IBAN}9` });
  const mandate = (await call('POST', '/v2/mandates', { sepa })) as { upload_url: string };
  const upload = new URL(mandate.upload_url).pathname;
  await fetch(`${http.url}${upload}`, { method: 'POST', body: 'no PDF' });
  const { id: intent } = (await call('POST', '/v2/payment_intents', { amount: 1 })) as Made;
  await call('POST', `/pay/${intent}/sepa`, { name: 'Eve Martin', iban: IBAN, phone: PHONE });
  const { messages } = (await call('GET', '/sandbox/messages')) as {
    messages: readonly [{ body: string }];
  };
  const code = /^\d{4}/.exec(messages[0].body)?.[0] ?? '';
  const signed = (await call('POST', `/pay/${intent}/sign`, { code })) as { documentPath: string };
  await fetch(`${http.url}${signed.documentPath}`);

  const log = lines.join('');
  expect(log).toContain(`/pay/${intent}/sign`);
  const token = signed.documentPath.split('/')[2] ?? '';
  const secrets = [
    IBAN,
    IBAN.slice(4),
    PHONE,
    PHONE.slice(3),
    token,
    upload.split('/')[2] ?? '',
    KEY,
    `"${code}"`,
  ];
  expect(secrets.filter((secret) => secret === '' || log.includes(secret))).toEqual([]);
});
