import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { MessagesModule } from '../../collection/messages/messages.module.js';
import { PageFlowModule } from '../../collection/page-flow/page-flow.module.js';
import { assetsController } from '../web/assets-controller.js';
import { InboxController } from './inbox.controller.js';
import { PayController } from './pay.controller.js';
import { SepaPageController } from './sepa.controller.js';
import { TryLimiter } from './try-limiter.js';

/** The hosted payment page. */
@Module({
  imports: [PageFlowModule, MessagesModule],
  controllers: [
    PayController,
    SepaPageController,
    InboxController,
    assetsController('page-assets', join(import.meta.dirname, 'browser')),
  ],
  providers: [TryLimiter],
})
export class PageModule {}
