import { Module } from '@nestjs/common';
import { CardsModule } from '../cards/cards.module.js';
import { SepaModule } from '../sepa/sepa.module.js';
import { ApiAttempts } from './api-attempts.js';
import { CardAttempts } from './card-attempts.js';
import { Debits } from './debits.js';
import { InlineAccounts } from './inline-accounts.js';
import { IntentsController } from './intents.controller.js';
import { Intents } from './intents.service.js';
import { PaymentResources } from './payment-resources.js';
import { PaymentsController } from './payments.controller.js';
import { Payments } from './payments.service.js';
import { SinglePayments } from './single-payments.service.js';
import { Transitions } from './transitions.js';

/** Intents and payments. */
@Module({
  imports: [CardsModule, SepaModule],
  controllers: [IntentsController, PaymentsController],
  providers: [
    Intents,
    Payments,
    CardAttempts,
    ApiAttempts,
    SinglePayments,
    InlineAccounts,
    Debits,
    {
      provide: Transitions,
      inject: [PaymentResources],
      useFactory: (resources: PaymentResources) => new Transitions(resources),
    },
  ],
  exports: [Intents, Payments, Transitions, CardAttempts, Debits],
})
export class PaymentsModule {}
