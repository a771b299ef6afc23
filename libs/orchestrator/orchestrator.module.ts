import { type DynamicModule, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStoreModule, requireOwnLogOn } from '#log';
import { MerchantDetails } from '#onboarding';
import {
  BusinessClockModule,
  ClockCheck,
  createSecretBox,
  DatabaseModule,
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
import { GlassMetrics } from './glass-metrics.js';
import { ProductionMark } from './production-mark.js';
import { ORCHESTRATION } from './rules.js';

/** What every process of the orchestrator needs from its environment. */
export interface OrchestratorConfig extends ProviderPartsConfig {
  readonly databaseUrl: string;
}

/**
 * What every process of the orchestrator has once: pool, event store, business clock and the
 * provider's clients. A process that is api and worker gives one of these to both.
 */
@Module({})
export class OrchestratorModule {
  /** `applicationName` is shown in pg_stat_activity. */
  static forRoot(applicationName: string, config: OrchestratorConfig): DynamicModule {
    const { databaseUrl: connectionString, publicWebhookUrl, secretsKey } = config;
    return {
      module: OrchestratorModule,
      global: true,
      imports: [
        // First: Nest closes in reverse order, and what comes after it writes to the end.
        DatabaseModule.forRoot({ applicationName, connectionString, verify: requireOwnLogOn }),
        EventStoreModule.forLog(ORCHESTRATION),
        BusinessClockModule.forRoot(),
        ProviderModule.forRoot(config),
      ],
      providers: [
        ProductionMark,
        GlassMetrics,
        {
          provide: MerchantDetails,
          inject: [Pool],
          useFactory: (pool: Pool) =>
            new MerchantDetails(pool, createSecretBox(secretsKey), hostedDetailsOf),
        },
        {
          provide: ProviderAccounts,
          inject: [Pool, HostedAdapter],
          // The whole list of adapters: what is not here no account can be of.
          useFactory: (pool: Pool, hosted: HostedAdapter) =>
            new ProviderAccounts({
              pool,
              adapters: [hosted, new NoneAdapter()],
              secretBox: createSecretBox(secretsKey),
              publicWebhookUrl,
            }),
        },
        {
          provide: ClockCheck,
          inject: [Pool, HealthChecks, Metrics, LOGGER],
          useFactory: (pool: Pool, health: HealthChecks, metrics: Metrics, logger: Logger) =>
            new ClockCheck({ pool, health, metrics, logger }),
        },
      ],
      exports: [MerchantDetails, ProviderAccounts, ClockCheck],
    };
  }
}
