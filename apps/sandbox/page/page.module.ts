import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { BankAssetsController } from '../bank/assets.controller.js';
import { BankController } from '../bank/bank.controller.js';
import { MandatesModule } from '../mandates/mandates.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { PageAssetsController } from './assets.controller.js';
import { InboxController } from './inbox.controller.js';
import { PayController } from './pay.controller.js';
import { SepaPageController } from './sepa.controller.js';
import { TryLimiter } from './try-limiter.js';
import { PageRequestMiddleware } from './web/page-request.middleware.js';

/** The hosted payment page and the page of the sandbox's own bank. */
@Module({
  imports: [PaymentsModule, MandatesModule, MessagesModule],
  controllers: [
    PayController, SepaPageController, InboxController, PageAssetsController, BankController,
    BankAssetsController,
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
