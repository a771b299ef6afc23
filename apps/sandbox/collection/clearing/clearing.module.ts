import { Inject, Module } from '@nestjs/common';
import { DueWork } from '../../clock/due-work.js';
import { DueMoney } from '../../money/due-money.js';
import { DisputesOnClock } from '../disputes/disputes-on-clock.js';
import { DisputesModule } from '../disputes/disputes.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { DuePayouts } from '../payouts/due-payouts.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { DueRefunds } from '../refunds/due-refunds.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { DuePayments } from './due-payments.js';

/** Processes due payments, refunds, disputes and payouts in a fixed order. */
@Module({
  imports: [PaymentsModule, RefundsModule, DisputesModule, PayoutsModule],
  providers: [DuePayments],
})
export class ClearingModule {
  constructor(
    @Inject(DueWork) work: DueWork,
    @Inject(DuePayments) payments: DuePayments,
    @Inject(DueRefunds) refunds: DueRefunds,
    @Inject(DisputesOnClock) disputes: DisputesOnClock,
    @Inject(DuePayouts) payouts: DuePayouts,
  ) {
    work.add(new DueMoney([payments, refunds, disputes, payouts]));
  }
}
