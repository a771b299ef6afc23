import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Pool } from 'pg';
import { Lists } from '#lists';
import { LedgerReads, StatementReads } from '#ledger';
import { LogTail } from '#log';
import { OrchestratorModule } from '#orchestrator';
import { ApiKeyStore, createSecretBox } from '#platform';
import { AccountReads } from './accounts/account-reads.js';
import { AccountRegistry } from './accounts/account-registry.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { type ApiConfig } from './api-config.js';
import { KeyVerifier } from './auth/key-verifier.js';
import { LiveKeys } from './auth/live-keys.js';
import { EVENT_CONTROLLERS } from './events/events.controller.js';
import { FeedController } from './events/feed.controller.js';
import { Feed } from './events/feed.js';
import { LedgerController } from './ledger/ledger.controller.js';
import { DailyLimits } from './limits/daily-limits.js';
import { LIST_CONTROLLERS } from './lists.js';
import { MERCHANT_CONTROLLERS, MERCHANT_PARTS } from './merchants/merchant-parts.js';
import { Captures } from './orders/captures.js';
import { OrderAccounts } from './orders/order-accounts.js';
import { GetOrderHandler } from './orders/order.queries.js';
import { OrdersController } from './orders/orders.controller.js';
import { ChangeOrderHandler } from './orders/orders.js';
import { PageWait } from './orders/page-wait.js';
import { RefundsController } from './orders/refunds.controller.js';
import { RefreshPaymentHandler } from './payments/payment-refresh.js';
import { PaymentsController } from './payments/payments.controller.js';
import { RefundOrderHandler } from './payments/refunds.js';
import { PayoutsController } from './payouts/payouts.controller.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { Idempotency } from './shared/idempotency.js';
import { Tenancy } from './shared/tenancy.js';
import { StatementsController } from './statements/statements.controller.js';
import { Cursors } from './events/cursors.js';
import { EventStreams } from './story/event-streams.js';
import { MerchantStoryController, OrderStoryController } from './story/story.controller.js';
import { Story } from './story/story.js';
import { WebhookDeliveriesController } from './webhook-endpoints/deliveries.controller.js';
import { WebhookDeliveries } from './webhook-endpoints/deliveries.js';
import { WebhookEndpointsController } from './webhook-endpoints/endpoints.controller.js';
import { WebhookEndpoints } from './webhook-endpoints/endpoints.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

/** The HTTP API for platforms, and for the provider's webhooks. */
@Module({})
export class ApiModule {
  /**
   * Pass `orchestrator` if API and worker run in one process, so that both use the same instance.
   */
  static forRoot(
    config: ApiConfig,
    orchestrator = OrchestratorModule.forRoot('api', config),
  ): DynamicModule {
    return {
      module: ApiModule,
      imports: [orchestrator, CqrsModule.forRoot()],
      controllers: [
        ...LIST_CONTROLLERS,
        OrdersController,
        RefundsController,
        OrderStoryController,
        PaymentsController,
        AccountsController,
        WebhooksController,
        MerchantStoryController,
        PayoutsController,
        ReconciliationController,
        LedgerController,
        StatementsController,
        ...MERCHANT_CONTROLLERS,
        ...EVENT_CONTROLLERS,
        FeedController,
        WebhookEndpointsController,
        WebhookDeliveriesController,
      ],
      providers: [
        {
          provide: KeyVerifier,
          inject: [Pool],
          useFactory: (pool: Pool) => new KeyVerifier(new ApiKeyStore(pool)),
        },
        LiveKeys,
        Tenancy,
        Idempotency,
        DailyLimits,
        AccountReads,
        AccountRegistry,
        // The average pause is 22 ms, but the few events of one payer are delivered immediately.
        LogTail.provider({ gather: 22, burst: 4 }),
        PageWait,
        Story,
        {
          provide: Cursors,
          useFactory: () => new Cursors(createSecretBox(config.secretsKey, 'cursors')),
        },
        EventStreams,
        Feed,
        WebhookEndpoints,
        WebhookDeliveries,
        ...MERCHANT_PARTS,
        OrderAccounts,
        Captures,
        ChangeOrderHandler,
        GetOrderHandler,
        RefreshPaymentHandler,
        RefundOrderHandler,
        LedgerReads,
        StatementReads,
        Lists,
      ],
    };
  }
}
