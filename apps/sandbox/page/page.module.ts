import { join } from 'node:path';
import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { BankController } from '../bank/bank.controller.js';
import { MandatesModule } from '../mandates/mandates.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { InboxController } from './inbox.controller.js';
import { PayController } from './pay.controller.js';
import { SepaPageController } from './sepa.controller.js';
import { TryLimiter } from './try-limiter.js';
import { assetsController } from './web/assets-controller.js';
import { PageRequestMiddleware } from './web/page-request.middleware.js';

/** The hosted payment page and the page of the sandbox's own bank. */
@Module({
  imports: [PaymentsModule, MandatesModule, MessagesModule],
  controllers: [
    PayController, SepaPageController, InboxController, BankController,
    assetsController('page-assets', join(import.meta.dirname, 'browser')),
    assetsController('bank-assets', join(import.meta.dirname, '..', 'bank', 'browser')),
  ],
  providers: [TryLimiter],
})
export class PageModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(PageRequestMiddleware)
      .forRoutes(PayController, SepaPageController, BankController);
  }
}
