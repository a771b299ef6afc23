import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import { ClockModule } from '../../clock/clock.module.js';
import { DisputesModule } from '../../collection/disputes/disputes.module.js';
import { PaymentsModule } from '../../collection/payments/payments.module.js';
import { PayoutsModule } from '../../collection/payouts/payouts.module.js';
import { RefundsModule } from '../../collection/refunds/refunds.module.js';
import type { SandboxConfig } from '../../settings/sandbox-config.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { assetsController } from '../web/assets-controller.js';
import { AccountList } from './accounts/account-list.js';
import { AreaAccountsController } from './accounts/accounts.controller.js';
import { Desk } from './desk.js';
import { AreaDisputesController } from './payments/disputes.controller.js';
import { AreaIntentsController } from './payments/intents.controller.js';
import { Dossiers } from './payments/payment-dossier.js';
import { PaymentSearch } from './payments/payment-search.js';
import { AreaPaymentsController } from './payments/payments.controller.js';
import { AreaRefundsController } from './payments/refunds.controller.js';
import { PayoutLedger } from './payouts/payout-ledger.js';
import { AreaPayoutsController } from './payouts/payouts.controller.js';
import { AreaSessions } from './sign-in/area-sessions.js';
import { AreaSignInController } from './sign-in/sign-in.controller.js';
import { AreaStartController } from './start.controller.js';
import { AreaClockController } from './tools/clock.controller.js';
import { AreaFaultsController } from './tools/faults.controller.js';
import { AreaMessagesController } from './tools/messages.controller.js';
import { EndpointList } from './webhooks/endpoint-list.js';
import { EventLog } from './webhooks/event-log.js';
import { AreaEventsController } from './webhooks/events.controller.js';
import { AreaWebhooksController } from './webhooks/webhooks.controller.js';

const PAGES = [
  AreaSignInController,
  AreaStartController,
  AreaPaymentsController,
  AreaIntentsController,
  AreaRefundsController,
  AreaPayoutsController,
  AreaWebhooksController,
  AreaEventsController,
  AreaAccountsController,
];

/** The pages that do what the control routes do, and are served only with them. */
const CONTROL_PAGES = [AreaMessagesController, AreaClockController, AreaFaultsController];

/** The sandbox's web pages for merchants. A browser on another machine needs a key. */
@Module({
  imports: [
    ClockModule,
    PaymentsModule,
    RefundsModule,
    DisputesModule,
    PayoutsModule,
    WebhooksModule,
  ],
  controllers: [
    ...PAGES,
    // This controller is not in `PAGES`, because the form for dispute evidence may be larger than
    // the other forms. The controller checks the origin itself.
    AreaDisputesController,
    assetsController('user-area-assets', join(import.meta.dirname, 'browser')),
  ],
  providers: [
    Desk,
    PaymentSearch,
    Dossiers,
    PayoutLedger,
    EndpointList,
    EventLog,
    AccountList,
    AreaSessions,
  ],
  exports: [Desk, AreaSessions],
})
export class UserAreaModule {
  static forRoot({ control }: SandboxConfig): DynamicModule {
    return { module: UserAreaModule, controllers: control ? CONTROL_PAGES : [] };
  }
}
