import { Module } from '@nestjs/common';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { MerchantNames } from '../../storage/merchant-names.js';
import { Store } from '../../storage/store.js';
import { CardsModule } from '../cards/cards.module.js';
import { Cards } from '../cards/cards.service.js';
import { MandatesModule } from '../mandates/mandates.module.js';
import { CardAttempts } from '../payments/card-attempts.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { Transitions } from '../payments/transitions.js';
import { SepaModule } from '../sepa/sepa.module.js';
import { CardPageFlow } from './card-page-flow.js';
import { PageFlow } from './page-flow.js';
import { SepaPageFlow } from './sepa-page-flow.js';

/** The payer's flow on the page, by card and by direct debit. */
@Module({
  imports: [CardsModule, SepaModule, MandatesModule, PaymentsModule],
  providers: [
    SepaPageFlow,
    {
      provide: PageFlow,
      inject: [Store, MerchantNames, SandboxClock, Transitions, Cards, CardAttempts],
      useFactory: (
        store: Store,
        names: MerchantNames,
        clock: SandboxClock,
        transitions: Transitions,
        cards: Cards,
        attempts: CardAttempts,
      ) => new CardPageFlow(store, names, clock, transitions, cards, attempts),
    },
  ],
  exports: [PageFlow, SepaPageFlow],
})
export class PageFlowModule {}
