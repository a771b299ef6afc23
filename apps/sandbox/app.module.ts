import { type DynamicModule, Module } from '@nestjs/common';
import { AddressesModule } from './addresses/addresses.module.js';
import { ClockController } from './clock/clock.controller.js';
import { ClockModule } from './clock/clock.module.js';
import { CoreModule } from './core.module.js';
import { CustomersModule } from './customers/customers.module.js';
import { FaultsController } from './faults/faults.controller.js';
import { PingController } from './http/ping.controller.js';
import { TestValuesController } from './http/test-values.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { MessagesModule } from './messages/messages.module.js';
import { BooksController } from './money/books.controller.js';
import { MoneyModule } from './money/money.module.js';
import { OnboardingModule } from './onboarding/onboarding.module.js';
import { InboxController } from './onboarding/subscription-page/inbox.controller.js';
import { PageModule } from './page/page.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { ProductsModule } from './products/products.module.js';
import type { SandboxConfig } from './sandbox-config.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { UserAreaModule } from './user-area/user-area.module.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The provider sandbox. */
@Module({})
export class AppModule {
  static forRoot(config: SandboxConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.forRoot(config), ClockModule, PaymentsModule, WebhooksModule, PageModule,
        MessagesModule, OnboardingModule, AddressesModule, CustomersModule, ProductsModule, SubscriptionsModule,
        MoneyModule, ...(config.control ? [UserAreaModule] : []),
      ],
      controllers: [
        PingController,
        TestValuesController,
        ...(config.control
          ? [
              ClockController, FaultsController, InboxController, MessagesController,
              BooksController, DeliveriesController,
            ]
          : []),
      ],
    };
  }
}
