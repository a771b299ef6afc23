import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Pool } from 'pg';
import { EventStoreModule } from '#event-store';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';
import { BusinessClockModule, DatabaseModule } from '#platform';
import { OnboardingClients, providerParts, ProviderTransport } from '#provider';
import { AccountRegistry } from './accounts/account-registry.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { type ApiConfig } from './api-config.js';
import { ApiKeyStore } from './auth/api-key-store.js';
import { KeyVerifier } from './auth/key-verifier.js';
import { Mandates } from './mandates/mandates.js';
import { MandatesController } from './mandates/mandates.controller.js';
import { ChangeOrderHandler } from './orders/order.commands.js';
import { GetOrderHandler, ListOrdersHandler } from './orders/order.queries.js';
import { OrdersController } from './orders/orders.controller.js';
import { RefundsController } from './orders/refunds.controller.js';
import { CapturePaymentHandler, RefreshPaymentHandler } from './payments/payment.commands.js';
import { PaymentsController } from './payments/payments.controller.js';
import { RefundOrderHandler } from './payments/refund.commands.js';
import { Idempotency } from './shared/idempotency.js';
import { Tenancy } from './shared/tenancy.js';
import { LogTail } from './story/log-tail.js';
import { StoryController } from './story/story.controller.js';
import { Story } from './story/story.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

/** HTTP in, for platforms and for the provider's webhooks. */
@Module({})
export class ApiModule implements OnApplicationShutdown {
  constructor(
    private readonly transport: ProviderTransport,
    private readonly onboarding: OnboardingClients,
  ) {}

  static forRoot(config: ApiConfig): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        DatabaseModule.forRoot({ applicationName: 'api', connectionString: config.databaseUrl }),
        EventStoreModule.forAggregates([orderAggregate, paymentAggregate]),
        BusinessClockModule.forRoot(),
        CqrsModule.forRoot(),
      ],
      controllers: [
        OrdersController, RefundsController, MandatesController, StoryController, PaymentsController, AccountsController,
        WebhooksController,
      ],
      providers: [
        ...providerParts(config),
        {
          provide: KeyVerifier,
          inject: [Pool],
          useFactory: (pool: Pool) => new KeyVerifier(new ApiKeyStore(pool)),
        },
        Tenancy, Idempotency, Mandates, AccountRegistry, LogTail, Story,
        ChangeOrderHandler, CapturePaymentHandler, RefreshPaymentHandler,
        RefundOrderHandler, GetOrderHandler, ListOrdersHandler,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.transport.close(), this.onboarding.close()]);
  }
}
