import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Payments, ProviderCallLog } from '#psp';
import { HostedAdapter, ProviderTransport } from '#psp-hosted';
import { quiet, START, WorkerBench } from './worker.fixture.js';

/**
 * Values that must not be stored: a card number, a bank account, an address, a name and an API key.
 */
const CANARIES = [
  '4242424242424242',
  'DE89370400440532013000',
  'canary.payer@example.com',
  'Canary Payer',
  'stest_canarykey0123456789abcd',
];
const [CARD = '', IBAN = '', EMAIL = '', NAME = '', KEY = ''] = CANARIES;

let bench: WorkerBench;
let server: Server;
let log: ProviderCallLog;
let client: Payments;
let transport: ProviderTransport;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9');
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url?.includes('refused')) return void response.socket?.destroy();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          id: 'pi_1',
          status: 'authorized',
          amount: 1_250,
          currency: 'eur',
          url: 'https://pay.test',
          created_at: 1_800_000_000,
          order_id: 'pay_1',
          customer: null,
          payment: null,
          payer: { email: EMAIL, name: NAME, iban: IBAN, card: { number: CARD } },
          message: `card ${CARD} of ${EMAIL}, account ${IBAN}, key ${KEY}`,
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  log = new ProviderCallLog(bench.pool, quiet, { now: () => START });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  transport = new ProviderTransport(url, { readRepeats: 0 }, undefined, { onExchange: log.note });
  client = new HostedAdapter(transport).client(KEY).payments;
});
beforeEach(() => bench.admin.query('TRUNCATE api_requests'));
afterAll(async () => {
  await transport.close();
  server.closeAllConnections();
  server.close();
  await bench.close();
});

test('the log of provider calls stores a request and its response without the payer’s data and the API key', async () => {
  await client.createIntent({
    reference: 'pay_1',
    amountMinor: 1_250,
    currency: 'eur',
    methods: ['card'],
    description: `${NAME} ${EMAIL}`,
    returnUrl: `https://shop.test/?mail=${EMAIL}`,
  });
  await log.flush();
  const rows = await bench.rows<{ all: string }>('SELECT c::text AS all FROM api_requests c');
  for (const canary of CANARIES) expect(rows[0]?.all).not.toContain(canary);
  expect(
    await bench.rows(
      `SELECT method, path, reference, status, request->>'amount' AS amount,
            answer->>'status' AS state, business_at AS "businessAt" FROM api_requests`,
    ),
  ).toEqual([
    {
      method: 'POST',
      path: '/v2/payment_intents/',
      reference: 'pay_1',
      status: 200,
      amount: '1250',
      state: 'authorized',
      businessAt: new Date(START),
    },
  ]);
});

test('the log of provider calls stores a missing response as a failure', async () => {
  await expect(client.getIntent('pi_refused')).rejects.toThrow();
  await log.flush();
  expect(await bench.rows('SELECT object_id, status, failure FROM api_requests')).toEqual([
    { object_id: 'pi_refused', status: null, failure: expect.stringContaining('connection_lost') },
  ]);
});
