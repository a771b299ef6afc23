import { callbackify } from 'node:util';
import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { envInt } from './config.js';
import { HealthChecks } from './health.js';
import { LOGGER, type Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { databaseUrlFromEnv } from './production.js';

interface PoolOptions {
  /** The name of the app in pg_stat_activity. */
  readonly applicationName: string;
  /** The URL of the database; default: DATABASE_URL. */
  readonly connectionString?: string;
  /** The maximum number of connections; default: DATABASE_POOL_SIZE or 10. */
  readonly max?: number;
  /** Verifies each new connection before its first use; a rejected connection is closed. */
  readonly verify?: (client: pg.PoolClient) => Promise<void>;
  /** The statement timeout in milliseconds; default 10 000. */
  readonly statementTimeoutMs?: number;
}

const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/**
 * The maximum duration of a transaction. All log consumers wait for the oldest write transaction on
 * the server, so a long transaction would delay them.
 */
const TRANSACTION_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * How long after the statement timeout, which the server applies, a query also fails on this side.
 * Without this limit, a query on a connection that has become silent (e.g. because a firewall or a
 * failed machine drops its packets) waits for a quarter of an hour, while its job stays claimed.
 */
const ANSWER_GRACE_MS = 5_000;

/**
 * Creates a pool with the time limits of every app. `onIdleError` is called when an idle connection
 * breaks.
 */
export const createPool = (options: PoolOptions, onIdleError: (error: Error) => void): pg.Pool => {
  const { verify, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const pool = new pg.Pool({
    connectionString: options.connectionString ?? databaseUrlFromEnv(),
    application_name: options.applicationName,
    max: options.max ?? envInt('DATABASE_POOL_SIZE', 10, { min: 1, max: 1_000 }),
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: `-c transaction_timeout=${TRANSACTION_TIMEOUT_MS}`,
    keepAlive: true,
    ...(verify && { verify: callbackify(verify) }),
  });
  pool.on('error', onIdleError);
  // A connection in use may break between two statements. The error is ignored here, because the
  // next statement fails anyway.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/** Provides `pg.Pool` to the app, with a `postgres` readiness check and pool metrics. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    @Inject(pg.Pool) private readonly pool: pg.Pool,
    @Inject(HealthChecks) health: HealthChecks,
    @Inject(Metrics) metrics: Metrics,
  ) {
    health.add('postgres', () => pool.query('SELECT 1'));
    metrics.gauge(
      'pg_pool_connections',
      'Number of connections of the pool, by state',
      ['state'],
      (gauge) => {
        gauge.set({ state: 'total' }, pool.totalCount);
        gauge.set({ state: 'idle' }, pool.idleCount);
        gauge.set({ state: 'waiting' }, pool.waitingCount);
      },
    );
  }

  static forRoot(options: PoolOptions): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        {
          provide: pg.Pool,
          inject: [LOGGER],
          useFactory: (logger: Logger) =>
            createPool(options, (err) =>
              logger.warn({ err }, 'an idle database connection was lost'),
            ),
        },
      ],
      exports: [pg.Pool],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
