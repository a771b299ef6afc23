import { createLogger, type HttpApp } from '#platform';
import { createDatabase, type Received, send, type TestDatabase } from '#testing';
import { PageFlow } from '../collection/page-flow/page-flow.js';
import { startSandbox } from '../sandbox-app.js';
import type { SandboxConfig } from '../settings/sandbox-config.js';
import { checkAnswer, checkEvents } from './check-answers.js';

export const TEST_KEY = 'stest_harnessharnessharness01';
export const LIVE_KEY = 'sprod_harnessharnessharness01';

export const PARTNERS = [
  {
    name: 'marketplace',
    testKey: 'spart_test_harnessharness01',
    liveKey: 'spart_live_harnessharness01',
  },
  {
    name: 'another',
    testKey: 'spart_test_harnessharness02',
    liveKey: 'spart_live_harnessharness02',
  },
] as const;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON body, loosely typed. */
  readonly body: Readonly<Record<string, never>>;
}

/** A sandbox with its own database. */
export interface Harness {
  readonly url: string;
  readonly database: TestDatabase;
  readonly pageFlow: PageFlow;
  readonly http: HttpApp;
  /** Throws when the response does not match the API document. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Starts another app on the same database; the spec closes it. */
  startAnother(): Promise<HttpApp>;
  /** Stops the app, keeps the database, and starts a new app on it. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** Rejects when an event does not match the API document. */
  stop(): Promise<void>;
}

export const basic = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

/**
 * The body of a response, validated against its API document; undefined when the response has no
 * body.
 */
export const checkedJson = (
  { status, headers, text }: Received,
  asked: { readonly method: string; readonly path: string; readonly sent?: unknown },
): unknown => {
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  checkAnswer({ ...asked, status, contentType: headers.get('content-type'), body });
  return body;
};

const configFor = (database: TestDatabase, more: Partial<SandboxConfig>): SandboxConfig => ({
  databaseUrl: database.urlFor('sandbox'),
  host: '127.0.0.1',
  port: 0,
  tls: null,
  publicUrl: 'http://sandbox.test',
  testKey: TEST_KEY,
  liveKey: LIVE_KEY,
  merchantName: 'Maison Tilleul',
  partners: PARTNERS,
  managePort: null,
  control: true,
  webhookLoopback: true,
  forward: null,
  webhookCaFile: null,
  secretsKey: null,
  ...more,
});

/** Starts a sandbox for a spec; LOG_LEVEL sets its log level, which is silent by default. */
export const startHarness = async (more: Partial<SandboxConfig> = {}): Promise<Harness> => {
  const database = await createDatabase('sandbox');
  const logger = createLogger('sandbox', { level: process.env['LOG_LEVEL'] ?? 'silent' });
  const start = (): Promise<HttpApp> =>
    startSandbox(configFor(database, more), { logger, ownsProcess: false });
  let http = await start();
  return {
    database,
    get url() {
      return http.url;
    },
    get http() {
      return http;
    },
    get pageFlow() {
      return http.app.get<PageFlow>(PageFlow, { strict: false });
    },
    call: async (method, path, body, key = TEST_KEY) => {
      const headers = { authorization: basic(key) };
      const response = await send(`${http.url}${path}`, { method, headers, body });
      const json = checkedJson(response, { method, path, sent: body });
      return {
        status: response.status,
        headers: response.headers,
        body: (json ?? {}) as Answer['body'],
      };
    },
    startAnother: start,
    restart: async (meanwhile) => {
      await http.close();
      await meanwhile?.();
      http = await start();
    },
    stop: async () => {
      await http.close();
      await checkEvents(database.url).finally(() => database.drop());
    },
  };
};
