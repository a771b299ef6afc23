import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { HealthChecks, LOGGER, type Logger } from '#platform';
import { DueWork } from './clock/due-work.js';
import { SandboxClock } from './clock/sandbox-clock.js';
import { MandateResources } from './collection/mandates/mandate-resources.js';
import { PaymentResources } from './collection/payments/payment-resources.js';
import { Faults } from './faults/faults.js';
import { SANDBOX_CONFIG, type SandboxConfig } from './settings/sandbox-config.js';
import { Database } from './storage/database.js';
import { fingerprintKey } from './storage/fingerprint-key.js';
import { Fingerprints } from './storage/fingerprints.js';
import { MerchantNames } from './storage/merchant-names.js';
import { Store } from './storage/store.js';
import { Wake } from './storage/wake.js';

/**
 * The common services of all sandbox modules: settings, database, clock, and the resources whose
 * responses contain the sandbox's public URL.
 */
@Module({})
export class CoreModule implements OnApplicationShutdown {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(HealthChecks) health: HealthChecks,
  ) {
    health.add('postgres', () => database.pool.query('SELECT 1'));
  }

  static forRoot(config: SandboxConfig): DynamicModule {
    return {
      module: CoreModule,
      global: true,
      providers: [
        { provide: SANDBOX_CONFIG, useValue: config },
        {
          provide: Database,
          inject: [LOGGER],
          useFactory: (logger: Logger) =>
            new Database(config.databaseUrl, (err) => {
              logger.warn({ err }, 'an idle database connection failed');
            }),
        },
        {
          provide: SandboxClock,
          inject: [Database],
          useFactory: async (database: Database) => {
            const clock = new SandboxClock(database);
            await clock.load();
            return clock;
          },
        },
        Wake,
        DueWork,
        Faults,
        Store,
        MerchantNames,
        {
          provide: Fingerprints,
          inject: [Database],
          useFactory: async (database: Database) =>
            new Fingerprints(await fingerprintKey(database, config.secretsKey)),
        },
        { provide: PaymentResources, useValue: new PaymentResources(config.publicUrl) },
        { provide: MandateResources, useValue: new MandateResources(config.publicUrl) },
      ],
      exports: [
        SANDBOX_CONFIG,
        Database,
        SandboxClock,
        Wake,
        DueWork,
        Store,
        MerchantNames,
        Fingerprints,
        PaymentResources,
        MandateResources,
        Faults,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.end();
  }
}
