import { Inject, Module } from '@nestjs/common';
import { DueWork } from '../clock/due-work.js';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { Database } from '../database/database.js';
import { Store } from '../database/store.js';
import { SANDBOX_CONFIG, type SandboxConfig } from '../sandbox-config.js';
import { CardsController } from './cards.controller.js';
import { CardPageFlow } from './card-page-flow.js';
import { DuePayments } from './due-payments.js';
import { fingerprintKey } from './fingerprint-key.js';
import { IntentsController } from './intents.controller.js';
import { Intents } from './intents.service.js';
import { PageFlow } from './page-flow.js';
import { PaymentsController } from './payments.controller.js';
import { Payments } from './payments.service.js';
import { Resources } from './resources.js';
import { Transitions } from './transitions.js';

/** Intents, payments and the payer's way through the page. */
@Module({
  controllers: [IntentsController, PaymentsController, CardsController],
  providers: [
    Intents,
    Payments,
    DuePayments,
    {
      provide: Transitions,
      inject: [Resources],
      useFactory: (resources: Resources) => new Transitions(resources),
    },
    {
      provide: PageFlow,
      inject: [Store, SandboxClock, Transitions, Resources, Database, SANDBOX_CONFIG],
      useFactory: async (
        store: Store,
        clock: SandboxClock,
        transitions: Transitions,
        resources: Resources,
        database: Database,
        config: SandboxConfig,
      ) => {
        const key = await fingerprintKey(database, config.secretsKey);
        return new CardPageFlow(store, clock, transitions, resources, key);
      },
    },
  ],
  exports: [PageFlow, Transitions],
})
export class PaymentsModule {
  constructor(@Inject(DueWork) work: DueWork, @Inject(DuePayments) payments: DuePayments) {
    work.add(payments);
  }
}
