import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { EventStoreModule } from '#event-store';
import { BusinessClockModule, DatabaseModule } from '#platform';
import { OnboardingClients, providerParts, ProviderTransport } from '#provider';
import { SessionController } from './access/session.controller.js';
import { SignIn } from './access/sign-in.js';
import { SignInLimits } from './access/sign-in-limits.js';
import { Sessions } from './access/sessions.js';
import { UsersController } from './access/users.controller.js';
import { Users } from './access/users.js';
import { type AdminConfig, CONSOLE_ORIGIN } from './admin-config.js';
import { AuditController } from './audit/audit.controller.js';
import { Audit } from './audit/audit.js';
import { EntitiesController } from './entities/entities.controller.js';
import { AGGREGATES } from './entities/entity-types.js';
import { Timeline } from './entities/timeline.js';
import { OrdersController } from './orders/orders.controller.js';

/** For operations: what the console reads and does. */
@Module({})
export class AdminModule implements OnApplicationShutdown {
  constructor(
    private readonly transport: ProviderTransport,
    private readonly onboarding: OnboardingClients,
  ) {}

  static forRoot(config: AdminConfig): DynamicModule {
    return {
      module: AdminModule,
      imports: [
        DatabaseModule.forRoot({ applicationName: 'admin', connectionString: config.databaseUrl }),
        EventStoreModule.forAggregates(AGGREGATES),
        BusinessClockModule.forRoot(),
      ],
      controllers: [
        SessionController, UsersController, AuditController, OrdersController, EntitiesController,
      ],
      providers: [
        ...providerParts(config),
        { provide: CONSOLE_ORIGIN, useValue: { origin: config.origin } },
        Sessions, SignInLimits, SignIn, Users, Audit, Timeline,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.transport.close(), this.onboarding.close()]);
  }
}
