import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { EventStore, PostgresLog } from '#log';
import { type Clock, type Instant, newId, parseInstant, plusMs } from '#kernel';
import { type Payment, paymentAggregate, type PaymentCommand } from '#payment';
import { createLogger, createSecretBox } from '#platform';
import { openStore, UPCASTERS } from '#orchestrator';
import {
  type Capabilities,
  type NewIntent,
  notePauses,
  type Payments,
  type ProviderAdapter,
} from '#psp';
import { HostedAdapter, ProviderTransport } from '#psp-hosted';
import { type DatabaseApp, lendDatabases, openDatabase, specPool } from '#testing';

export const START: Instant = parseInstant('2030-03-01T12:00:00Z');
export const ACCOUNT = 'acc_1';

/** A business clock that moves only when the spec moves it. */
export class TestClock implements Clock {
  private at: Instant = START;

  now(): Instant {
    return this.at;
  }

  advance(ms: number): void {
    this.at = plusMs(this.at, ms);
  }
}

export const quiet = createLogger('spec', { level: process.env['SPEC_LOG'] ?? 'silent' });

export const specSecretsKey = `spec:${randomBytes(32).toString('base64')}`;
export const specSecretBox = createSecretBox(specSecretsKey);

/**
 * Long timeouts, so that the provider does not seem unresponsive on a slow machine. Time limits are
 * tested in the transport's spec.
 */
export const PATIENT = {
  connectTimeoutMs: 60_000,
  answerTimeoutMs: 60_000,
  exchangeTimeoutMs: 60_000,
  readTimeoutMs: 60_000,
  readRepeats: 0,
  breakerFailures: 1_000,
};

/** Creates the intent of a payment that `requestIntent` has requested. */
export const newIntent = (reference: string): NewIntent => ({
  reference,
  amountMinor: 1_999,
  currency: 'eur',
  methods: ['card'],
  description: null,
  returnUrl: null,
});

export interface BenchOptions {
  readonly databases?: ReturnType<typeof lendBenchDatabases> | undefined;
  readonly sagas?: boolean;
  readonly app?: 'worker' | 'ops';
  readonly adapter?: ProviderAdapter;
}

/** Opens a database with connections by role. */
const openBenchDatabase = () =>
  openDatabase('orchestrator', ({ url, urlFor }) => {
    const of = (app: DatabaseApp): Pool => specPool(urlFor(app));
    return { admin: specPool(url), worker: of('worker'), ops: of('ops') };
  });

type BenchDatabase = Awaited<ReturnType<typeof openBenchDatabase>>;

/** The databases of a spec file that opens a bench for each of its tests. */
export const lendBenchDatabases = () => {
  const databases = lendDatabases(openBenchDatabase);
  afterAll(() => databases.end());
  return databases;
};

/** A database with the current schema for the spec, and an event store on it. */
export class WorkerBench {
  readonly clock = new TestClock();
  readonly store: EventStore;

  private constructor(
    readonly database: BenchDatabase,
    /** A pool with the database permissions of the tested app. */
    readonly pool: Pool,
    /** A pool with all permissions, for the spec's reads and writes. */
    readonly admin: Pool,
    readonly transport: ProviderTransport,
    private readonly adapter: ProviderAdapter,
    sagas: boolean,
  ) {
    this.store = sagas
      ? openStore(pool, this.clock)
      : new EventStore(new PostgresLog(pool), UPCASTERS, null);
  }

  /**
   * `sagas`: whether sagas react, as in production; without sagas a spec tests one module alone.
   * `app`: the app whose database permissions apply. `adapter`: replaces the adapter of the hosted
   * provider. `databases`: lends the database, instead of a new one.
   */
  static async open(
    providerUrl: string,
    { sagas = false, app = 'worker', adapter, databases }: BenchOptions = {},
  ): Promise<WorkerBench> {
    const database = await (databases === undefined ? openBenchDatabase() : databases.lend());
    const { admin, [app]: pool } = database.pools;
    const listeners = { onRateLimited: notePauses(pool, quiet) };
    const transport = new ProviderTransport(providerUrl, PATIENT, undefined, listeners);
    const used = adapter ?? new HostedAdapter(transport);
    return new WorkerBench(database, pool, admin, transport, used, sagas);
  }

  readonly clientOf = (): Promise<Payments> =>
    Promise.resolve(this.adapter.client('stest_spec').payments);

  readonly capabilitiesOf = (): Promise<Capabilities> => Promise.resolve(this.adapter.capabilities);

  metadata(orderId: string) {
    return { correlationId: orderId, causationId: 'spec', actor: 'user:spec', traceparent: null };
  }

  /** Creates a payment with a requested intent. */
  async requestIntent(mandateId?: string, amountMinor = 1_999): Promise<string> {
    const id = newId('pay');
    await this.command(id, {
      type: 'RequestIntent',
      orderId: `ord_${id}`,
      platformId: 'plat_1',
      accountId: ACCOUNT,
      amountMinor,
      currency: 'eur',
      returnUrl: null,
      description: null,
      ...(mandateId === undefined ? { methods: ['card'] } : { methods: ['sepa'], mandateId }),
      at: this.clock.now(),
    });
    return id;
  }

  command(id: string, command: PaymentCommand): Promise<Payment> {
    return this.store.execute(paymentAggregate, id, command, this.metadata(`ord_${id}`));
  }

  async payment(id: string): Promise<Payment> {
    return (await this.store.load(paymentAggregate, id)).state;
  }

  /** The types of all events of a payment, in order. */
  async story(id: string): Promise<readonly string[]> {
    const events = await this.store.readStreams([{ streamType: 'payment', streamId: id }]);
    return events.map(({ type }) => type);
  }

  async rows<Row extends object>(sql: string, ...values: unknown[]): Promise<readonly Row[]> {
    return (await this.admin.query<Row>(sql, values)).rows;
  }

  async close(): Promise<void> {
    await this.transport.close();
    await this.database.close();
  }
}
