import { type DynamicModule, Module } from '@nestjs/common';
import { PingController } from './api/ping.controller.js';
import { ClockController } from './clock/clock.controller.js';
import { ClockModule } from './clock/clock.module.js';
import { AddressesModule } from './collection/addresses/addresses.module.js';
import { ClearingModule } from './collection/clearing/clearing.module.js';
import { CustomersModule } from './collection/customers/customers.module.js';
import { MessagesController } from './collection/messages/messages.controller.js';
import { MessagesModule } from './collection/messages/messages.module.js';
import { PaymentsModule } from './collection/payments/payments.module.js';
import { ProductsModule } from './collection/products/products.module.js';
import { SubscriptionsModule } from './collection/subscriptions/subscriptions.module.js';
import { CoreModule } from './core.module.js';
import { FaultsController } from './faults/faults.controller.js';
import { BooksController } from './money/books.controller.js';
import { OnboardingModule } from './onboarding/onboarding.module.js';
import { BankModule } from './people/bank/bank.module.js';
import { PageModule } from './people/page/page.module.js';
import { InboxController } from './people/subscription-page/inbox.controller.js';
import { SubscriptionPageModule } from './people/subscription-page/subscription-page.module.js';
import { UserAreaModule } from './people/user-area/user-area.module.js';
import type { SandboxConfig } from './settings/sandbox-config.js';
import { TestValuesController } from './test-values.controller.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The provider sandbox. */
@Module({})
export class AppModule {
  static forRoot(config: SandboxConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.forRoot(config),
        ClockModule,
        WebhooksModule,
        AddressesModule,
        MessagesModule,
        ProductsModule,
        CustomersModule,
        PaymentsModule,
        ClearingModule,
        SubscriptionsModule,
        OnboardingModule,
        PageModule,
        BankModule,
        SubscriptionPageModule,
        UserAreaModule.forRoot(config),
      ],
      controllers: [
        PingController,
        TestValuesController,
        ...(config.control
          ? [
              ClockController,
              FaultsController,
              InboxController,
              MessagesController,
              BooksController,
              DeliveriesController,
            ]
          : []),
      ],
    };
  }
}
