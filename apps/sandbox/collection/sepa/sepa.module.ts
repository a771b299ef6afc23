import { Module } from '@nestjs/common';
import { Accounts } from './accounts.js';
import { SepaController } from './sepa.controller.js';
import { Sepas } from './sepa.service.js';

/** Bank accounts, for the API, the page and payments. */
@Module({ controllers: [SepaController], providers: [Sepas, Accounts], exports: [Accounts] })
export class SepaModule {}
