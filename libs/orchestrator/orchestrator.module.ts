import type { BlockList } from 'node:net';
import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { Pool } from 'pg';
import { ConnectionCheck, EventStore, EventStoreModule } from '#log';
import { MerchantDetails } from '#onboarding';
import {
  agreeOnProduction,
  BusinessClockModule,
  ClockCheck,
  createSecretBox,
  DatabaseModule,
  firstRow,
  HealthChecks,
  type Logger,
  LOGGER,
  Metrics,
} from '#platform';
import { ProviderAccounts } from '#psp';
import {
  HostedAdapter,
  hostedDetailsOf,
  ProviderModule,
  type ProviderPartsConfig,
} from '#psp-hosted';
import { NoneAdapter } from '#psp-none';
import { StoredEndpointDetails, WEBHOOK_TARGETS, type WebhookTargets } from '#webhook';
import { BusinessMetrics } from './business-metrics.js';
import { ORCHESTRATION } from './rules.js';

/** The settings that every orchestrator process reads from its environment. */
export interface OrchestratorConfig extends ProviderPartsConfig {
  readonly databaseUrl: string;
  /** Whether webhooks may be sent to loopback addresses: for development. */
  readonly webhooksToLoopback?: boolean;
  /** Public addresses to which no webhook may be sent. */
  readonly webhooksRefused?: BlockList;
}

const LAST_BROKEN = `
  SELECT extract(epoch FROM max(at))::float8 AS seconds FROM audit WHERE action IN ('break_glass.used', 'glass.broken')`;

/**
 * The shared objects of an orchestrator process: pool, event store, business clock and provider
 * clients. A process that runs api and worker shares one set.
 */
@Module({})
export class OrchestratorModule implements OnModuleInit {
  /**
   * Every process exports the time of the last break-glass access, because the console is usually
   * down at such a time.
   */
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    metrics: Metrics,
    store: EventStore,
  ) {
    new BusinessMetrics(metrics).watch(store);
    const help = 'Time of the last break-glass access, in Unix seconds; 0: never';
    metrics.gauge('break_glass_last_used_timestamp_seconds', help, [], async (gauge) => {
      gauge.set((await firstRow<{ seconds: number | null }>(pool, LAST_BROKEN))?.seconds ?? 0);
    });
  }

  /** This check runs first: process and database must agree on whether this is production. */
  onModuleInit(): Promise<void> {
    return agreeOnProduction(this.pool);
  }

  /** `applicationName` appears in pg_stat_activity. */
  static forRoot(applicationName: string, config: OrchestratorConfig): DynamicModule {
    const { databaseUrl: connectionString, publicWebhookUrl, secretsKey } = config;
    const { webhooksToLoopback: allowsLoopback = false, webhooksRefused: refused } = config;
    const check = new ConnectionCheck();
    const targets: WebhookTargets = { allowsLoopback, ...(refused && { refused }) };
    return {
      module: OrchestratorModule,
      global: true,
      imports: [
        // The database module must be first: Nest closes modules in reverse order, and the other
        // modules write until they are closed.
        DatabaseModule.forRoot({ applicationName, connectionString, verify: check.verify }),
        EventStoreModule.forLog(ORCHESTRATION, check),
        BusinessClockModule.forRoot(),
        ProviderModule.forRoot(config),
      ],
      providers: [
        {
          provide: MerchantDetails,
          inject: [Pool],
          useFactory: (pool: Pool) =>
            new MerchantDetails(pool, createSecretBox(secretsKey), hostedDetailsOf),
        },
        {
          provide: ProviderAccounts,
          inject: [Pool, HostedAdapter],
          // All provider adapters; every account belongs to one of them.
          useFactory: (pool: Pool, hosted: HostedAdapter) =>
            new ProviderAccounts({
              pool,
              adapters: [hosted, new NoneAdapter()],
              secretBox: createSecretBox(secretsKey),
              publicWebhookUrl,
            }),
        },
        {
          provide: StoredEndpointDetails,
          inject: [Pool],
          useFactory: (pool: Pool) => new StoredEndpointDetails(pool, createSecretBox(secretsKey)),
        },
        { provide: WEBHOOK_TARGETS, useValue: targets },
        {
          provide: ClockCheck,
          inject: [Pool, HealthChecks, Metrics, LOGGER],
          useFactory: (pool: Pool, health: HealthChecks, metrics: Metrics, logger: Logger) =>
            new ClockCheck(pool, health, metrics, logger),
        },
      ],
      exports: [
        MerchantDetails,
        ProviderAccounts,
        StoredEndpointDetails,
        WEBHOOK_TARGETS,
        ClockCheck,
      ],
    };
  }
}
