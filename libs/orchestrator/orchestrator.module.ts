import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStoreModule, requireOwnLogOn } from '#log';
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
import { ORCHESTRATION } from './rules.js';

/** What every process of the orchestrator needs from its environment. */
export interface OrchestratorConfig extends ProviderPartsConfig {
  readonly databaseUrl: string;
}

const LAST_BROKEN = `
  SELECT extract(epoch FROM max(at))::float8 AS seconds FROM audit WHERE action IN ('break_glass.used', 'glass.broken')`;

/**
 * What every process of the orchestrator has once: pool, event store, business clock and the
 * provider's clients. A process that is api and worker gives one of these to both.
 */
@Module({})
export class OrchestratorModule implements OnModuleInit {
  /**
   * Every process shows when one person last did alone what takes two: mostly that is done while
   * the console is down.
   */
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    metrics: Metrics,
  ) {
    const help = 'When the glass was last broken, in Unix time; 0: never';
    metrics.gauge('break_glass_last_used_timestamp_seconds', help, [], async (gauge) => {
      gauge.set((await firstRow<{ seconds: number | null }>(pool, LAST_BROKEN))?.seconds ?? 0);
    });
  }

  /** First of all, process and database agree on whether this is production. */
  onModuleInit(): Promise<void> {
    return agreeOnProduction(this.pool);
  }

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
