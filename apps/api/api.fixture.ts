import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { EventStore } from '#log';
import { instantFromMs, newId, randomText } from '#kernel';
import { orderAggregate } from '#order';
import { type Observation, paymentAggregate } from '#payment';
import { ApiKeyStore, createLogger, type HttpApp, type Scope, SCOPES } from '#platform';
import { createDatabase, type Received, send, specPool, type TestDatabase } from '#testing';
import { type ApiConfig } from './api-config.js';
import { startApi } from './api-app.js';

type Json = Readonly<Record<string, unknown>>;

const credentialsOf = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

/**
 * A double of the provider: an HTTP server with the routes that the API calls, whose responses a
 * spec sets.
 */
export class ProviderDouble {
  intent: Json | null = null;
  attempts: readonly Json[] = [];
  refunds: readonly Json[] = [];
  disputes: readonly Json[] = [];
  /** When set, every response has this status. */
  failWith: number | null = null;
  /** A delay of the provider: awaited before each response. */
  before: () => Promise<unknown> = () => Promise.resolve();
  readonly secret = randomBytes(32).toString('hex');
  calls = 0;
  /**
   * The webhook endpoints of each key's provider account. Each key belongs to a different account,
   * unless `sameAccount` has assigned two keys to one account.
   */
  private readonly endpoints = new Map<string, Json[]>();
  private readonly accounts = new Map<string, string>();

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.calls += 1;
        void this.before().then(() => {
          const [status, body] = this.answer(request, Buffer.concat(chunks).toString());
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(JSON.stringify(body));
        });
      });
    });
  }

  static async start(): Promise<ProviderDouble> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ProviderDouble(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Makes both keys belong to one provider account. */
  sameAccount(key: string, other: string): void {
    this.accounts.set(credentialsOf(other), this.accountOf(credentialsOf(key)));
  }

  private accountOf(credentials: string): string {
    return this.accounts.get(credentials) ?? credentials;
  }

  private endpointsOf({ headers }: IncomingMessage): Json[] {
    const account = this.accountOf(headers.authorization ?? '');
    const own = this.endpoints.get(account) ?? [];
    this.endpoints.set(account, own);
    return own;
  }

  private answer(request: IncomingMessage, body: string): readonly [number, unknown] {
    if (this.failWith !== null) return [this.failWith, { error: 'no' }];
    const path = request.url ?? '';
    const range = { start: 0, end: 0, limit: 100, count: 1, has_more: false };
    if (path.startsWith('/v2/webhooks')) {
      const endpoints = this.endpointsOf(request);
      if (request.method === 'GET') return [200, { webhook_endpoints: endpoints, range }];
      const { url } = JSON.parse(body) as { url: string };
      const endpoint = { id: newId('we'), url, enabled: true, secret: this.secret };
      endpoints.unshift(endpoint);
      return [200, endpoint];
    }
    if (path.includes('/payments')) return [200, this.attempts];
    if (path.includes('/refunds')) return [200, this.ofAttempt(this.refunds)];
    if (path.includes('/disputes')) return [200, this.ofAttempt(this.disputes)];
    return this.intent === null ? [404, { error: 'not found' }] : [200, this.intent];
  }

  /** The refunds or disputes of the payment's attempt. */
  private ofAttempt(shown: readonly Json[]): readonly Json[] {
    return shown.map((one) => ({ ...one, payment: this.attempts[0]?.['id'] }));
  }
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

interface CallOptions {
  readonly key?: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Checks that the Location header of a 201 response is one segment below the request's path. */
const expectLocation = (path: string, { headers }: Received): void => {
  const [base = ''] = path.split('?', 1);
  const location = headers.get('location') ?? '';
  if (/^\/\w+$/.test(location.replace(base, ''))) return;
  throw new Error(`POST ${path} was answered 201 with Location '${location}'`);
};

/** A running api with a separate database and a provider whose responses the test sets. */
export class ApiFixture {
  constructor(
    readonly http: HttpApp,
    readonly pool: pg.Pool,
    readonly provider: ProviderDouble,
    readonly config: ApiConfig,
    private readonly database: TestDatabase,
  ) {}

  async stop(): Promise<void> {
    await this.http.close();
    await this.pool.end();
    await this.provider.stop();
    await this.database.drop();
  }

  get store(): EventStore {
    return this.http.app.get(EventStore);
  }

  newKey(platformId: string, scopes: readonly Scope[] = SCOPES): Promise<string> {
    return new ApiKeyStore(this.pool).create(platformId, scopes);
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const { key, body, idempotencyKey, headers } = options;
    const response = await send(`${this.http.url}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      body,
    });
    const { status, headers: received, text } = response;
    const isJson = (received.get('content-type') ?? '').includes('json');
    const parsed = isJson ? (JSON.parse(text) as Json) : {};
    if (status === 201) expectLocation(path, response);
    return { status, headers: received, body: parsed };
  }

  post(path: string, key: string, body: unknown = {}, idempotencyKey = randomText(16)) {
    return this.call('POST', path, { key, body, idempotencyKey });
  }

  get(path: string, key: string): Promise<Reply> {
    return this.call('GET', path, { key });
  }

  /** A platform with a key and one merchant (`m1`) that can be paid. */
  async newPlatform(): Promise<{ platformId: string; key: string; accountId: string }> {
    const platformId = `p-${randomText(8)}`;
    const key = await this.newKey(platformId);
    const body = { merchantId: 'm1', mode: 'test', apiKey: `stest_${randomText(24)}` };
    const { body: account } = await this.post('/v1/provider-accounts', key, body);
    return { platformId, key, accountId: String(account['id']) };
  }

  /** Creates the intent of the order's payment at the provider, as a worker does. */
  async openPayment(orderId: string): Promise<string> {
    const at = instantFromMs(Date.now());
    const metadata = {
      correlationId: orderId,
      causationId: 'spec',
      actor: 'provider',
      traceparent: null,
    };
    return this.store.step(metadata, async (step) => {
      const order = await step.load(orderAggregate, orderId);
      if (order.status === 'not_placed') throw new Error('no such order');
      const { amountMinor, currency } = order.terms;
      const paymentId = order.payments.at(-1) ?? '';
      const observation: Observation = {
        intent: {
          intentId: newId('pi'),
          reference: paymentId,
          pageUrl: 'https://pay.test/p',
          status: 'open',
          amountMinor,
          currency,
        },
        attempts: [],
        refunds: null,
        disputes: null,
      };
      await step.execute(paymentAggregate, paymentId, {
        type: 'ObservePayment',
        paymentId,
        observation,
        at,
      });
      return paymentId;
    });
  }

  /** Sets the status of the payment's intent at the provider double, with one attempt. */
  async providerShows(
    paymentId: string,
    status: string,
    method: 'card' | 'sepa' = 'card',
  ): Promise<void> {
    const { state } = await this.store.load(paymentAggregate, paymentId);
    if (!('intentId' in state)) throw new Error('the payment has no intent');
    const seconds = Math.floor(Date.now() / 1_000);
    const attempt = {
      id: newId('paym'),
      status,
      amount: state.terms.amountMinor,
      currency: state.terms.currency,
      created: seconds,
      method,
      response: '00',
    };
    this.provider.attempts = [attempt];
    this.provider.intent = {
      id: state.intentId,
      status,
      amount: state.terms.amountMinor,
      currency: state.terms.currency,
      capture: false,
      url: state.pageUrl,
      created_at: seconds,
      payment: attempt.id,
      order_id: paymentId,
    };
  }
}

/** The `Service-Signature` header, computed as the provider computes it. */
export const signature = (secret: string, body: string, seconds = Date.now() / 1_000): string => {
  const t = Math.floor(seconds);
  const mac = createHmac('sha256', Buffer.from(secret, 'hex')).update(`${t}.${body}`);
  return `t=${t},v1=${mac.digest('hex')}`;
};

export const orderBody = (changes: Json = {}): Json => ({
  merchantId: 'm1',
  reference: `ref-${randomText(12)}`,
  amountMinor: 1_250,
  currency: 'eur',
  capture: { policy: 'manual' },
  ...changes,
});

/** Starts an api for a spec; `changes` alter its configuration. */
export const startApiFixture = async (changes: Partial<ApiConfig> = {}): Promise<ApiFixture> => {
  const database = await createDatabase('orchestrator');
  const provider = await ProviderDouble.start();
  const config: ApiConfig = {
    databaseUrl: database.urlFor('api'),
    port: 0,
    internalPort: 0,
    tls: undefined,
    providerUrl: provider.url,
    partnersUrl: provider.url,
    manageUrl: provider.url,
    partnerKeys: { test: null, live: null },
    publicWebhookUrl: 'https://api.test',
    secretsKey: `k1:${randomBytes(32).toString('base64')}`,
    requestsPerSecond: 1_000,
    ...changes,
  };
  const logger = createLogger('api', { level: process.env['SPEC_LOG'] ?? 'silent' });
  const http = await startApi(config, { logger, ownsProcess: false });
  const pool = specPool(database.url, 4);
  // The database is dropped while the pool is still open; the pool's errors are expected.
  pool.on('error', () => {});
  return new ApiFixture(http, pool, provider, config, database);
};
