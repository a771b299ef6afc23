import { join } from 'node:path';
import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { PageFlowModule } from '../../collection/page-flow/page-flow.module.js';
import { assetsController } from '../web/assets-controller.js';
import { PageRequestMiddleware } from '../web/page-request.middleware.js';
import { BankController } from './bank.controller.js';

/** The page of the sandbox's own bank, at which payers approve payments. */
@Module({
  imports: [PageFlowModule],
  controllers: [
    BankController,
    assetsController('bank-assets', join(import.meta.dirname, 'browser')),
  ],
})
export class BankModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(PageRequestMiddleware).forRoutes(BankController);
  }
}
