import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { PageFlowModule } from '../../collection/page-flow/page-flow.module.js';
import { assetsController } from '../web/assets-controller.js';
import { BankController } from './bank.controller.js';

/** The page of the sandbox's own bank, at which payers approve payments. */
@Module({
  imports: [PageFlowModule],
  controllers: [
    BankController,
    assetsController('bank-assets', join(import.meta.dirname, 'browser')),
  ],
})
export class BankModule {}
