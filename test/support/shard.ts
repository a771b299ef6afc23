import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { logLag } from '#kafka';
import { type Scope, SCOPES } from '#platform';
import { createDatabase, freePort, specPool, waitFor } from '#testing';
import { environmentFor } from '../../tools/infra/app-environment.mjs';
import type { RunningApp } from '../../tools/infra/apps.mjs';
import { registerAccount } from '../../tools/infra/provider-account.mjs';
import { CARDS, Payer } from '../../tools/stack/payer.js';
import { type OrderView, type PaymentView, Platform } from '../../tools/stack/platform.js';
import { createKey, type Stack } from '../../tools/stack/stack.js';
import { startHere } from './start-here.js';

const SOON = { timeoutMs: 20_000, everyMs: 50 };

type Environment = Readonly<Record<string, string>>;

/** A platform in one shard, with the shard's URL and the platform's API key for this shard. */
export class Tenant {
  readonly platform: Platform;
  private placed = 0;

  constructor(
    readonly url: string,
    readonly apiKey: string,
    merchantId: string,
  ) {
    this.platform = new Platform([url], apiKey, merchantId);
  }

  async place(): Promise<string> {
    this.placed += 1;
    const { status, body } = await this.platform.place({
      reference: `order-${this.placed}`,
      amountMinor: 4_250,
      capture: { policy: 'automatic' },
    });
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return String(body['id']);
  }

  /** The order's payment, as soon as it has a payment page. */
  page(orderId: string): Promise<PaymentView & { readonly pageUrl: string }> {
    return waitFor(async () => {
      const { payment } = await this.platform.read(orderId);
      return payment?.pageUrl ? { ...payment, pageUrl: payment.pageUrl } : null;
    }, SOON);
  }

  orderIs(orderId: string, status: string): Promise<OrderView> {
    return waitFor(async () => {
      const order = await this.platform.read(orderId);
      if (order.status === status) return order;
      throw new Error(`the order is ${order.status}`);
    }, SOON);
  }

  async pay(orderId: string): Promise<void> {
    const { id, pageUrl } = await this.page(orderId);
    await new Payer(pageUrl).pay(CARDS.plain);
    await this.platform.pageCompleted(id);
    await this.orderIs(orderId, 'paid');
  }

  async placePaid(): Promise<string> {
    const id = await this.place();
    await this.pay(id);
    return id;
  }
}

export interface LoggedEvent {
  readonly stream: string;
  readonly version: number;
  readonly eventId: string;
}

/** A database with an event log, and the process with the api and the relay of this log. */
export class Shard {
  readonly pool: pg.Pool;

  private constructor(
    readonly app: RunningApp,
    readonly databaseUrl: string,
    private readonly drop: () => Promise<void>,
  ) {
    this.pool = specPool(databaseUrl, 2);
  }

  /** The shard that consists of the stack's own app and database. */
  static of({ apis, databases }: Stack): Shard {
    const [app] = apis;
    if (app === undefined) throw new Error('the stack has no process');
    return new Shard(app, databases.orchestrator, () => Promise.resolve());
  }

  /**
   * Starts a second shard beside a stack. It shares the stack's topics, provider and clock, but has
   * a separate database, secrets and ports.
   */
  static async beside({ env }: Stack): Promise<Shard> {
    const database = await createDatabase('orchestrator');
    const [port, tlsPort, workerPort] = [await freePort(), await freePort(), await freePort()];
    const own: Environment = {
      ...env,
      DATABASE_URL: database.url,
      SECRETS_KEY: `second:${randomBytes(32).toString('base64')}`,
      API_PORT: String(port),
      API_TLS_PORT: String(tlsPort),
      WORKER_PORT: String(workerPort),
      PUBLIC_WEBHOOK_URL: `https://127.0.0.1:${tlsPort}`,
    };
    const app = await startHere({
      app: 'all',
      port,
      internalPort: workerPort,
      env: environmentFor('all', own),
    });
    return new Shard(app, database.url, () => database.drop());
  }

  /** Creates a key of a platform; by default the key has all scopes. */
  async tenant(
    platformId: string,
    merchantId: string,
    scopes: readonly Scope[] = SCOPES,
  ): Promise<Tenant> {
    const apiKey = await createKey(this.databaseUrl, platformId, scopes);
    return new Tenant(this.app.url, apiKey, merchantId);
  }

  /** Creates a platform's key, and registers the provider account of its merchant. */
  async admit(platformId: string, merchantId: string, providerKey: string): Promise<Tenant> {
    const tenant = await this.tenant(platformId, merchantId);
    const { url, apiKey } = tenant;
    await registerAccount({ apiUrl: url, apiKey, merchantId, providerKey });
    return tenant;
  }

  /** The events of the log, in the order of their streams and versions. */
  async log(): Promise<readonly LoggedEvent[]> {
    const { rows } = await this.pool.query<LoggedEvent>(
      `SELECT stream_type || '/' || stream_id AS stream, version::int, event_id AS "eventId"
         FROM events ORDER BY stream, version`,
    );
    return rows;
  }

  /** Waits until the relay has published the whole log. */
  async published(): Promise<void> {
    await waitFor(async () => (await logLag(this.pool)).events === 0, SOON);
  }

  /** Makes the database reject all connections, or accept them again. */
  async setDatabase(administrator: pg.Pool, state: 'unavailable' | 'available'): Promise<void> {
    const name = new URL(this.databaseUrl).pathname.slice(1);
    await administrator.query(
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${state === 'available' ? 'true' : 'false'}`,
    );
    if (state === 'available') return;
    await administrator.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
      [name],
    );
  }

  /**
   * Closes the spec's connections, stops the app, and drops the database if this shard was started
   * by `beside`.
   */
  async stop(): Promise<void> {
    await this.app.stop();
    await this.pool.end();
    await this.drop();
  }
}
