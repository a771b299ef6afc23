import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type pg from 'pg';
import type { DestinationStream } from 'pino';
import { EventStore, inTransaction } from '#log';
import { newId, randomText } from '#kernel';
import { createLogger, type HttpApp } from '#platform';
import { createDatabase, send, specPool, type TestDatabase } from '#testing';
import { startAdmin } from './admin-app.js';
import { type AdminConfig, SECOND_FACTOR } from './admin-config.js';
import type { Role } from './access/role.js';
import { Users } from './access/users.js';
import { CONSOLE_FILES } from './static/console-files.js';

type Json = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

export const ORIGIN = 'http://console.test';

/** A browser of one user: stores its cookies and sends the headers of the console. */
export class TestBrowser {
  /** The session cookie. */
  cookie = '';
  /** The cookie that marks a browser in which the user has signed in before. */
  device = '';
  /** The cookie of a sign-in at the identity provider that was begun. */
  begun = '';
  csrfToken = '';

  constructor(private readonly url: string) {}

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const {
      status,
      headers: received,
      text,
    } = await send(`${this.url}${path}`, {
      method,
      headers: {
        origin: ORIGIN,
        ...(this.cookies === '' ? {} : { cookie: this.cookies }),
        ...(this.csrfToken === '' ? {} : { 'x-csrf-token': this.csrfToken }),
        ...headers,
      },
      body,
    });
    for (const set of received.getSetCookie()) {
      const [pair = ''] = set.split(';', 1);
      if (/^(?:__Host-)?device=/.test(pair)) this.device = pair;
      else if (/^(?:__Host-)?sign-in=/.test(pair)) this.begun = pair;
      else this.cookie = pair;
    }
    const isJson = (received.get('content-type') ?? '').includes('json');
    const parsed = isJson && text !== '' && !text.includes('\n{') ? (JSON.parse(text) as Json) : {};
    if (status === 201 && !/^\/v1\/\w/.test(received.get('location') ?? '')) {
      throw new Error(`POST ${path} was answered 201 without the header Location`);
    }
    if (typeof parsed['csrfToken'] === 'string') this.csrfToken = parsed['csrfToken'];
    return { status, headers: received, text, body: parsed };
  }

  private get cookies(): string {
    return [this.cookie, this.device, this.begun].filter((one) => one !== '').join('; ');
  }

  get(path: string): Promise<Reply> {
    return this.call('GET', path);
  }

  post(path: string, body: unknown = {}): Promise<Reply> {
    return this.call('POST', path, body);
  }
}

/** The password of all users who are signed in by `signedIn`. */
const PASSWORD = randomText(20);
/**
 * The password is hashed at the lowest cost. At the cost of production, each sign-in of a spec
 * would take 12 CPU milliseconds.
 */
const PASSWORD_HASH = hash(PASSWORD, { memoryCost: 64, timeCost: 1, parallelism: 1 });

const DEED = { origin: { actor: 'ops:spec', requestId: 'spec' }, reason: 'for a spec' };

const newName = (): string => `u-${randomText(12).toLowerCase()}`;

/** A running admin app on its own database. */
export class AdminFixture {
  constructor(
    readonly http: HttpApp,
    readonly pool: pg.Pool,
    readonly config: AdminConfig,
    private readonly database: TestDatabase,
  ) {}

  async stop(): Promise<void> {
    await this.http.close();
    await this.pool.end();
    await this.database.drop();
  }

  get store(): EventStore {
    return this.http.app.get(EventStore);
  }

  browser(): TestBrowser {
    return new TestBrowser(this.http.url);
  }

  /** Creates a user like the set-up command does. */
  async newUser(role: Role): Promise<{ name: string; id: string; oneTimePassword: string }> {
    const name = newName();
    const users = this.http.app.get(Users);
    const { user, oneTimePassword } = await users.create(name, role, DEED.origin, DEED.reason);
    return { name, id: user.id, oneTimePassword };
  }

  /** Switches the setting ADMIN_SECOND_FACTOR of the running app. */
  requireSecondFactor(isRequired: boolean): void {
    Object.assign(this.http.app.get<object>(SECOND_FACTOR), { isRequired });
  }

  /** Signs in a new user of this role who has a password that is not a one-time password. */
  async signedIn(role: Role): Promise<TestBrowser & { readonly userId: string }> {
    const [id, name, passwordHash] = [newId('usr'), newName(), await PASSWORD_HASH];
    const users = this.http.app.get(Users);
    await inTransaction(this.pool, async (client) => {
      await users.insert(client, { id, name, role, passwordHash }, DEED);
      await client.query('UPDATE admin_users SET password_expires_at = NULL WHERE id = $1', [id]);
    });
    const browser = this.browser();
    const { status } = await browser.post('/v1/session', { name, password: PASSWORD });
    if (status !== 201) throw new Error('the spec cannot sign in');
    return Object.assign(browser, { userId: id });
  }
}

/**
 * Starts an admin app for a spec; `changes` alter its configuration. `destination` receives all log
 * lines; default: none are written.
 */
export const startAdminFixture = async (
  changes: Partial<AdminConfig> = {},
  destination?: DestinationStream,
): Promise<AdminFixture> => {
  const database = await createDatabase('orchestrator');
  const config: AdminConfig = {
    databaseUrl: database.urlFor('admin'),
    port: 0,
    origin: ORIGIN,
    trustedProxies: '127.0.0.1',
    requiresSecondFactor: false,
    identityProvider: null,
    notices: null,
    accountCoolingOffMs: null,
    requestsPerSecond: 10_000,
    traceUrl: 'https://traces.example/{traceId}',
    consoleFiles: CONSOLE_FILES,
    providerUrl: 'http://127.0.0.1:9',
    partnersUrl: 'http://127.0.0.1:9',
    manageUrl: 'http://127.0.0.1:9',
    partnerKeys: { test: null, live: null },
    publicWebhookUrl: 'https://api.test',
    secretsKey: `k1:${randomBytes(32).toString('base64')}`,
    ...changes,
  };
  const logger = createLogger('admin', {
    level: destination === undefined ? (process.env['SPEC_LOG'] ?? 'silent') : 'trace',
    ...(destination !== undefined && { destination }),
  });
  const http = await startAdmin(config, { logger, ownsProcess: false });
  const pool = specPool(database.url, 4);
  // The database is dropped before the pool ends; the pool's errors are expected.
  pool.on('error', () => {});
  return new AdminFixture(http, pool, config, database);
};
