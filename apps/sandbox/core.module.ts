import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { HealthChecks, LOGGER, type Logger } from '#platform';
import { DueWork } from './clock/due-work.js';
import { SandboxClock } from './clock/sandbox-clock.js';
import { Wake } from './clock/wake.js';
import { Database } from './database/database.js';
import { Store } from './database/store.js';
import { Faults } from './faults/faults.js';
import { fingerprintKey } from './fingerprint-key.js';
import { Fingerprints } from './fingerprints.js';
import { Resources } from './resources.js';
import { SANDBOX_CONFIG, type SandboxConfig } from './sandbox-config.js';

/** What every part of the sandbox stands on: its settings, database, clock and resources. */
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
              logger.warn({ err }, 'an idle connection broke');
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
        {
          provide: Fingerprints,
          inject: [Database],
          useFactory: async (database: Database) =>
            new Fingerprints(await fingerprintKey(database, config.secretsKey)),
        },
        { provide: Resources, useValue: new Resources(config.publicUrl) },
      ],
      exports: [
        SANDBOX_CONFIG, Database, SandboxClock, Wake, DueWork, Store, Fingerprints, Resources,
        Faults,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.end();
  }
}
