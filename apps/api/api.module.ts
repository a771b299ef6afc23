import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Pool } from 'pg';
import { EventStoreModule } from '#event-store';
import { MerchantDetails } from '#onboarding';
import { ApiKeyStore, BusinessClockModule, createSecretBox, DatabaseModule } from '#platform';
import { OnboardingClients, providerParts, ProviderTransport } from '#provider';
import { ORCHESTRATION } from '#sagas';
import { AccountRegistry } from './accounts/account-registry.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { type ApiConfig } from './api-config.js';
import { KeyVerifier } from './auth/key-verifier.js';
import { Mandates } from './mandates/mandates.js';
import { MandatesController } from './mandates/mandates.controller.js';
import { MERCHANT_CONTROLLERS, MERCHANT_PARTS } from './merchants/merchant-parts.js';
import { LedgerReads } from './ledger/ledger-reads.js';
import { LedgerController } from './ledger/ledger.controller.js';
import { ChangeOrderHandler } from './orders/order.commands.js';
import { GetOrderHandler, ListOrdersHandler } from './orders/order.queries.js';
import { OrderAccounts } from './orders/order-accounts.js';
import { OrdersController } from './orders/orders.controller.js';
import { RefundsController } from './orders/refunds.controller.js';
import { CapturePaymentHandler, RefreshPaymentHandler } from './payments/payment.commands.js';
import { PaymentsController } from './payments/payments.controller.js';
import { RefundOrderHandler } from './payments/refund.commands.js';
import { PayoutReads } from './payouts/payout-reads.js';
import { PayoutsController } from './payouts/payouts.controller.js';
import { ReconciliationExceptions } from './reconciliation/exceptions.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { Idempotency } from './shared/idempotency.js';
import { Tenancy } from './shared/tenancy.js';
import { LogTail } from './story/log-tail.js';
import { EventStreams } from './story/event-streams.js';
import { MerchantStoryController, OrderStoryController } from './story/story.controller.js';
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
        EventStoreModule.forLog(ORCHESTRATION),
        BusinessClockModule.forRoot(),
        CqrsModule.forRoot(),
      ],
      controllers: [
        OrdersController, RefundsController, MandatesController, OrderStoryController,
        PaymentsController, AccountsController, WebhooksController, MerchantStoryController,
        PayoutsController, ReconciliationController, LedgerController, ...MERCHANT_CONTROLLERS,
      ],
      providers: [
        ...providerParts(config),
        {
          provide: KeyVerifier,
          inject: [Pool],
          useFactory: (pool: Pool) => new KeyVerifier(new ApiKeyStore(pool)),
        },
        {
          provide: MerchantDetails,
          inject: [Pool],
          useFactory: (pool: Pool) =>
            new MerchantDetails(pool, createSecretBox(config.secretsKey)),
        },
        Tenancy, Idempotency, AccountRegistry, LogTail, Story, EventStreams, ...MERCHANT_PARTS,
        OrderAccounts, Mandates,
        ChangeOrderHandler, CapturePaymentHandler, RefreshPaymentHandler,
        RefundOrderHandler, GetOrderHandler, ListOrdersHandler,
        PayoutReads, ReconciliationExceptions, LedgerReads,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.transport.close(), this.onboarding.close()]);
  }
}
