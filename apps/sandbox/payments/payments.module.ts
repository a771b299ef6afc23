import { Module } from '@nestjs/common';
import { CardsModule } from '../cards/cards.module.js';
import { Cards } from '../cards/cards.service.js';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { Store } from '../database/store.js';
import { Resources } from '../resources.js';
import { SepaModule } from '../sepa/sepa.module.js';
import { ApiAttempts } from './api-attempts.js';
import { CardAttempts } from './card-attempts.js';
import { CardPageFlow } from './card-page-flow.js';
import { Debits } from './debits.js';
import { DuePayments } from './due-payments.js';
import { InlineAccounts } from './inline-accounts.js';
import { IntentsController } from './intents.controller.js';
import { Intents } from './intents.service.js';
import { PageFlow } from './page-flow.js';
import { PaymentsController } from './payments.controller.js';
import { Payments } from './payments.service.js';
import { SinglePayments } from './single-payments.service.js';
import { Transitions } from './transitions.js';

/** Intents, payments and the payer's way through the page. */
@Module({
  imports: [CardsModule, SepaModule],
  controllers: [IntentsController, PaymentsController],
  providers: [
    Intents,
    Payments,
    DuePayments,
    CardAttempts,
    ApiAttempts,
    SinglePayments,
    InlineAccounts,
    Debits,
    {
      provide: Transitions,
      inject: [Resources],
      useFactory: (resources: Resources) => new Transitions(resources),
    },
    {
      provide: PageFlow,
      inject: [Store, SandboxClock, Transitions, Cards, CardAttempts],
      useFactory: (
        store: Store,
        clock: SandboxClock,
        transitions: Transitions,
        cards: Cards,
        attempts: CardAttempts,
      ) => new CardPageFlow(store, clock, transitions, cards, attempts),
    },
  ],
  exports: [Intents, Payments, DuePayments, PageFlow, Transitions, CardAttempts, Debits],
})
export class PaymentsModule {}
