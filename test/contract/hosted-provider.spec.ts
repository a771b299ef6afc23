import { createServer, type Server } from 'node:https';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { assert } from '#kernel';
import type { CompanyDetails, WebhookDelivery } from '#psp';
import { type Arranged, type ArrangedOnboarding, providerContract } from '#psp/contract';
import { HostedAdapter, onboardingTransports, ProviderTransport } from '#psp-hosted';
import {
  createDatabase,
  developmentCertificate,
  freePort,
  type TestDatabase,
  waitFor,
} from '#testing';
import { STATUS_AT_PROVIDER } from '../../apps/worker/merchants/partner-model.fixture.js';
import { CARDS, IBANS, Payer } from '../../tools/stack/payer.js';
import type { RunningApp } from '../../tools/infra/apps.mjs';
import { Sandbox } from '../../tools/stack/sandbox.js';
import { sellerDetails } from '../../tools/stack/seller.js';
import { startHere } from '../support/start-here.js';

/** Runs the adapter of the hosted provider against the sandbox, over HTTP. */

const KEY = 'stest_contractcontract01';
const PARTNER_KEY = 'spart_test_contractcontract01';

let database: TestDatabase;
let app: RunningApp;
let receiver: Server;
let transport: ProviderTransport;
const received: Omit<WebhookDelivery, 'secret'>[] = [];

// The port is chosen before the sandbox starts, because the adapter needs the URL and is
// constructed when the file loads.
const port = await freePort();
const own = `http://127.0.0.1:${port}`;
const partners = onboardingTransports(`${own}/api/partners`, own);
const adapter = new HostedAdapter(
  {
    send: (key, request, decode) => transport.send(key, request, decode),
  },
  partners,
);

/** The details as the provider returns them: without delivery address and sector. */
const shownOf = ({ deliveryAddress: _address, ...shown }: CompanyDetails) => {
  const { sector: _sector, ...activity } = shown.company.activity ?? {};
  return { ...shown, company: { ...shown.company, activity } };
};

const onboardingAt = (sandbox: Sandbox): ArrangedOnboarding => ({
  client: adapter.onboarding(PARTNER_KEY),
  stranger: adapter.onboarding('spart_test_nobodysnobodys01'),
  newDetails: () => {
    const details = sellerDetails() as unknown as CompanyDetails;
    return { ...details, company: { ...details.company, legalName: 'Contract' } };
  },
  shownOf,
  loseAnswerOfCreation: () =>
    sandbox.addFault({ route: 'POST /api/partners/company', kind: 'drop_after', count: 1 }),
  reach: async (companyId, status) => {
    const url = `${own}/api/partners/company-status?company=${companyId}`;
    const authorization = `Basic ${Buffer.from(`${PARTNER_KEY}:`).toString('base64')}`;
    const answer = await fetch(url, {
      method: 'PATCH',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ status: STATUS_AT_PROVIDER[status] }),
    });
    assert(answer.ok, `the company is ${status}`);
  },
  day: async (plusDays = 0) => {
    const now = new Date(await sandbox.now());
    const today = now.toLocaleDateString('en-CA', { timeZone: 'Europe/Paris' });
    return new Date(Date.parse(today) + plusDays * 86_400_000).toISOString().slice(0, 10);
  },
});

const receive = async (): Promise<Server> => {
  const { certFile, keyFile } = developmentCertificate();
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
  server.on('request', (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const nowSeconds = Date.now() / 1_000;
      received.push({ headers: incoming.headers, rawBody: Buffer.concat(chunks), nowSeconds });
      outgoing.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

const arrange = async (): Promise<Arranged> => {
  database = await createDatabase('sandbox');
  receiver = await receive();
  app = await startHere({
    app: 'sandbox',
    port,
    env: {
      SANDBOX_DATABASE_URL: database.urlFor('sandbox'),
      SANDBOX_PORT: String(port),
      SANDBOX_PUBLIC_URL: own,
      SANDBOX_TEST_KEY: KEY,
      LOG_LEVEL: 'warn',
      SANDBOX_PARTNERS: `contract:${PARTNER_KEY}:spart_live_contractcontract01`,
      SANDBOX_WEBHOOK_LOOPBACK: '1',
      SANDBOX_WEBHOOK_CA: developmentCertificate().caFile,
    },
  });
  transport = new ProviderTransport(own, { breakerFailures: 1_000 });
  const sandbox = new Sandbox(own, KEY);
  const client = adapter.client(KEY);
  const { port: receiverPort } = receiver.address() as AddressInfo;
  const { secret } = await client.endpoints.createWebhookEndpoint(
    `https://127.0.0.1:${receiverPort}/`,
  );
  return {
    client,
    onboarding: onboardingAt(sandbox),
    stranger: adapter.client('stest_nobodysnobodys01'),
    payByCard: async (pageUrl) => {
      assert((await new Payer(pageUrl).pay(CARDS.plain)) === 'confirm', 'the card pays');
    },
    signMandate: (pageUrl) => new Payer(pageUrl).debit(IBANS.accepted),
    loseAnswerOfCreation: () =>
      sandbox.addFault({ route: 'POST /v2/payment_intents', kind: 'drop_after', count: 1 }),
    untilSent: () => sandbox.advance('P1D'),
    untilPaidOut: () => sandbox.advance('P5D'),
    webhooksAbout: (intentId) =>
      waitFor(() => {
        const about = received.filter(({ rawBody }) => Buffer.from(rawBody).includes(intentId));
        return about.length > 1 ? about.map((one) => ({ ...one, secret })) : null;
      }),
  };
};

providerContract(adapter, arrange);

afterAll(async () => {
  await Promise.all([transport?.close(), partners.partners.close(), partners.manage.close()]);
  await app?.stop();
  receiver?.close();
  await database?.drop();
});
