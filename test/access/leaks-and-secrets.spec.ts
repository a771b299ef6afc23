import { readFileSync } from 'node:fs';
import { assert, holdsCardNumber, randomText } from '#kernel';
import { specPool } from '#testing';
import { ORIGIN, TestBrowser } from '../../apps/admin/admin.fixture.js';
import { SECRETS_OF } from '../../tools/infra/app-environment.mjs';
import { type RunningApp, startApp } from '../../tools/infra/apps.mjs';
import { createConsoleUser } from '../../tools/ops-console-users.js';
import { readTopics } from '../../tools/stack/topics.js';
import { Payer } from '../../tools/stack/payer.js';
import { Flow } from '../support/flow.js';
import { runnersServers } from '../support/servers.js';
import { columnsWith } from './columns-with.js';
import { environmentOf, ROLES, rolesOn } from './running-processes.js';

/**
 * Sends personal data through the product, and collects secrets that the console shows once.
 * Tables, logs, messages and responses must contain neither. Each process knows only the secrets
 * that it needs.
 */

/**
 * A card number that occurs nowhere but in this spec; its last digit makes the Luhn checksum valid.
 */
const canaryCard = (): string => {
  const start = `9998${String(process.hrtime.bigint() % 100_000_000_000n).padStart(11, '7')}`;
  const last = Array.from({ length: 10 }, (_, digit) => String(digit)).find((digit) =>
    holdsCardNumber(start + digit),
  );
  return `${start}${last}`;
};

const CARD = canaryCard();
const KNOWN_CARD = '9999000000000012';
const IBAN = 'FR7630006000011234567890189';
const EMAIL = 'canary.payer.7341@example.test';
const spaced = (card: string): string => card.replace(/(.{4})(?=.)/g, '$1 ');
const CARDS = [CARD, KNOWN_CARD];
const CARD_NEEDLES = CARDS.flatMap((card) => [
  card,
  spaced(card),
  spaced(card).replaceAll(' ', '-'),
]);

/** The secrets that were entered in the console or that the console has shown once. */
interface Shown {
  readonly oneTimePassword: string;
  readonly password: string;
  readonly apiKey: string;
  readonly webhookUrl: string;
}

let flow: Flow;
let shown: Shown;
let answers: readonly { readonly path: string; readonly status: number; readonly text: string }[];
/** The columns of each database that contain each needle. */
let columns: Readonly<Record<'orchestrator' | 'sandbox', ReadonlyMap<string, readonly string[]>>>;
/** The roles with which the processes were connected to PostgreSQL after their work. */
let roles: readonly string[];
const refused: { readonly where: string; readonly status: number }[] = [];

const SECRETS = new Set(Object.values(SECRETS_OF).flat());

const processes = (): readonly RunningApp[] => {
  const { apps, fulfilment } = flow.stack;
  return [...apps, ...(fulfilment === null ? [] : [fulfilment])];
};

const plantAtTheApi = async (planted: string): Promise<void> => {
  const { platform } = flow;
  const order = {
    merchantId: flow.stack.merchantId,
    reference: 'leak-order',
    amountMinor: 100,
    currency: 'eur',
    capture: { policy: 'automatic' },
  };
  const bodies: Record<string, object> = {
    description: { ...order, description: `for ${planted}` },
    reference: { ...order, reference: planted.replaceAll(' ', '') },
    metadata: { ...order, metadata: { note: planted } },
    'metadata key': { ...order, metadata: { [planted]: 'note' } },
    'return url': { ...order, returnUrl: `https://shop.test/?x=${planted.replaceAll(' ', '')}` },
    'unknown field': { ...order, [planted]: planted },
    'wrong type': { ...order, amountMinor: planted },
  };
  for (const [where, body] of Object.entries(bodies)) {
    refused.push({ where, status: (await platform.send('POST', '/v1/orders', body)).status });
  }
  const key = planted.replaceAll(' ', '-');
  const byKey = await platform.send('POST', '/v1/orders', { ...order, currency: 'xxx' }, key);
  const byPath = await platform.send('GET', `/v1/orders/${encodeURIComponent(planted)}`);
  const byQuery = await platform.send('GET', `/v1/orders?reference=${encodeURIComponent(key)}`);
  refused.push({ where: 'key', status: byKey.status }, { where: 'path', status: byPath.status });
  expect(byQuery.status).toBeLessThan(500);
  await fetch(`${flow.stack.apis[0]?.url}/provider/webhooks/acc_1`, {
    method: 'POST',
    body: JSON.stringify({ id: 'evt_1', type: 'payment.created', data: planted }),
    headers: { 'content-type': 'application/json', 'service-signature': 't=1,v1=00' },
  });
};

/** Signs in as the console's first admin, and submits reasons with forbidden contents. */
const plantAtTheConsole = async (): Promise<TestBrowser> => {
  const pool = specPool(flow.stack.databases.orchestrator, 1);
  const printed = await createConsoleUser(
    pool,
    { actor: 'ops:spec', requestId: 'spec' },
    { name: 'ann', role: 'admin', reason: 'set up', breaksGlass: false },
  );
  await pool.end();
  const oneTimePassword = /one-time password: (\S+)/.exec(printed)?.[1] ?? '';
  const password = randomText(20);
  const browser = new TestBrowser(flow.stack.admin?.url ?? '');
  await browser.post('/v1/session', { name: 'ann', password: oneTimePassword });
  await browser.post('/v1/session/password', { current: oneTimePassword, next: password });
  const wanted = { platformId: 'other', scopes: ['orders:read'] };
  const made = await browser.post('/v1/api-keys', { ...wanted, reason: 'for a spec' });
  const webhookUrl = `https://hooks.example/${randomText(20)}`;
  const endpoint = { platformId: 'other', url: webhookUrl, reason: 'for a spec' };
  expect((await browser.post('/v1/webhook-endpoints', endpoint)).status).toBe(201);
  shown = { oneTimePassword, password, apiKey: String(made.body['key']), webhookUrl };
  for (const planted of [...CARDS, EMAIL, IBAN, shown.apiKey]) {
    const { status } = await browser.post('/v1/api-keys', { ...wanted, reason: `for ${planted}` });
    refused.push({ where: 'reason', status });
  }
  return browser;
};

/** The responses to every GET request of the console, and the pages of the paid order. */
const answersOf = async (
  browser: TestBrowser,
  orderId: string,
  paymentId: string,
): Promise<typeof answers> => {
  const { paths } = JSON.parse(readFileSync('docs/generated/openapi.admin.json', 'utf8')) as {
    readonly paths: Readonly<Record<string, object>>;
  };
  const lists = Object.entries(paths)
    .filter(([path, verbs]) => 'get' in verbs && !path.includes('{'))
    .map(([path]) => path);
  const entities = [`order/${orderId}`, `payment/${paymentId}`].flatMap((entity) => [
    `/v1/entities/${entity}`,
    `/v1/entities/${entity}/timeline`,
  ]);
  const read: { path: string; status: number; text: string }[] = [];
  for (const path of [...lists, ...entities, `/v1/search?q=${orderId}`]) {
    const { status, text } = await browser.get(path);
    read.push({ path, status, text });
  }
  return read;
};

beforeAll(async () => {
  // Each app runs in a separate process, whose log contains everything that the app writes to its
  // outputs.
  flow = await Flow.start({
    startApp,
    shape: 'apart',
    env: { LOG_LEVEL: 'trace', ADMIN_ORIGIN: ORIGIN },
    console: true,
    fulfilment: true,
  });
  const browser = await plantAtTheConsole();
  const { id } = await flow.place();
  const { pageUrl, paymentId } = await flow.page(id);
  const payer = new Payer(pageUrl);
  for (const card of [CARD, spaced(CARD), 'x'.repeat(9) + CARD]) {
    await payer.card(card).catch(() => undefined);
  }
  await payer.pay(KNOWN_CARD);
  await flow.stack.sandbox.api('POST', '/v2/customers', { email: EMAIL, name: 'Canary' });
  for (const card of CARDS) await plantAtTheApi(card);
  await plantAtTheApi(EMAIL);
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(id, 'paid');
  await flow.stack.sandbox.advance('P2D');
  await flow.paymentIs(id, 'captured');
  answers = await answersOf(browser, id, paymentId);
  roles = await rolesOn(Object.values(flow.stack.databases));
  const needles = [...CARD_NEEDLES, EMAIL, IBAN, ...Object.values(shown)];
  const { orchestrator, sandbox } = flow.stack.databases;
  columns = {
    orchestrator: await columnsWith(orchestrator, needles),
    sandbox: await columnsWith(sandbox, needles),
  };
});
afterAll(() => flow.stop());

const logsWith = (needle: string): string[] =>
  flow.stack.apps
    .filter(({ logFile }) => readFileSync(logFile, 'utf8').includes(needle))
    .map(({ logFile }) => logFile);

const messagesWith = async (needles: readonly string[]): Promise<string[]> => {
  const messages = await readTopics(flow.stack);
  expect(messages.length).toBeGreaterThan(5);
  return messages
    .map(({ event }) => JSON.stringify(event))
    .filter((text) => needles.some((needle) => text.includes(needle)));
};

test('the api refuses a request body that contains a card number in any text field', () => {
  expect(refused.filter(({ status }) => status < 400 || status >= 500)).toEqual([]);
});

test('the processes run with the most verbose log level, so that the logs would show a leak', () => {
  for (const { logFile } of flow.stack.apps) {
    expect(readFileSync(logFile, 'utf8').length).toBeGreaterThan(500);
  }
  expect(logsWith('/v1/orders')).not.toEqual([]);
});

test.each(CARD_NEEDLES)('the card number %s is in no table of either database', (needle) => {
  expect(columns.orchestrator.get(needle)).toEqual([]);
  expect(columns.sandbox.get(needle)).toEqual([]);
});

test('the card number is in no log and in no message', async () => {
  for (const needle of CARD_NEEDLES) expect(logsWith(needle)).toEqual([]);
  expect(await messagesWith(CARD_NEEDLES)).toEqual([]);
  expect(await messagesWith(['"amountMinor":4250'])).not.toEqual([]);
});

test('the email address is stored at the provider and in none of our tables', () => {
  expect(columns.sandbox.get(EMAIL)).toEqual(['customers.email', 'events.body']);
  expect(columns.orchestrator.get(EMAIL)).toEqual([]);
});

test('no response of the console contains the personal data or a secret', () => {
  const read = answers.filter(({ status }) => status === 200).map(({ path }) => path);
  expect(read.length).toBeGreaterThan(25);
  expect(answers.filter(({ text }) => text.includes('captured'))).not.toEqual([]);
  for (const needle of [...CARD_NEEDLES, EMAIL, IBAN, ...Object.values(shown)]) {
    expect(needle.length).toBeGreaterThan(10);
    expect(answers.filter(({ text }) => text.includes(needle)).map(({ path }) => path)).toEqual([]);
  }
});

test('secrets that the console shows once and texts that it refuses are in no log and in no table', () => {
  for (const needle of [IBAN, ...Object.values(shown)]) {
    expect(logsWith(needle)).toEqual([]);
    expect(columns.orchestrator.get(needle)).toEqual([]);
  }
});

test('the email address is in no log and in no message', async () => {
  expect(logsWith(EMAIL)).toEqual([]);
  expect(await messagesWith([EMAIL])).toEqual([]);
});

test('each process gets only the secrets that it needs', () => {
  for (const one of processes()) {
    const names = [...environmentOf(one).keys()].filter((name) => SECRETS.has(name));
    const own = SECRETS_OF[one.app] ?? [];
    expect([one.app, names.filter((name) => !own.includes(name))]).toEqual([one.app, []]);
    expect(names.length).toBeGreaterThan(1);
  }
});

test('sandbox and orchestrator cannot decrypt each other’s secrets', () => {
  const environments = processes().map((one) => ({ app: one.app, env: environmentOf(one) }));
  const sandbox = environments.find(({ app }) => app === 'sandbox')?.env;
  const key = sandbox?.get('SANDBOX_SECRETS_KEY');
  assert(key !== undefined, 'the sandbox has a key');
  for (const { app, env } of environments) {
    if (app !== 'sandbox') expect([...env.values()]).not.toContain(key);
  }
});

test('no process knows the password of the PostgreSQL superuser', () => {
  const { password } = new URL(runnersServers().databaseUrl);
  for (const one of processes()) {
    for (const [name, value] of environmentOf(one)) {
      expect([one.app, name, value.includes(password)]).toEqual([one.app, name, false]);
    }
  }
});

test('each process connects to PostgreSQL with the role of its app', () => {
  expect(roles).toEqual(ROLES);
});
