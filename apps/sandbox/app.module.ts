import { type DynamicModule, Module } from '@nestjs/common';
import { ClockController } from './clock/clock.controller.js';
import { ClockModule } from './clock/clock.module.js';
import { CoreModule } from './core.module.js';
import { CustomersController } from './customers/customers.controller.js';
import { FaultsController } from './faults/faults.controller.js';
import { PingController } from './http/ping.controller.js';
import { TestValuesController } from './http/test-values.controller.js';
import { OnboardingModule } from './onboarding/onboarding.module.js';
import { InboxController } from './onboarding/subscription-page/inbox.controller.js';
import { PageModule } from './page/page.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import type { SandboxConfig } from './sandbox-config.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The provider sandbox. */
@Module({})
export class AppModule {
  static forRoot(config: SandboxConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.forRoot(config), ClockModule, PaymentsModule, WebhooksModule, PageModule,
        OnboardingModule,
      ],
      controllers: [
        PingController,
        CustomersController,
        TestValuesController,
        ...(config.control ? [ClockController, FaultsController, InboxController] : []),
      ],
    };
  }
}
