import { Inject, Module } from '@nestjs/common';
import { DueWork } from '../clock/due-work.js';
import { DisputesModule } from '../disputes/disputes.module.js';
import { DisputesOnClock } from '../disputes/disputes-on-clock.js';
import { DuePayments } from '../payments/due-payments.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { DuePayouts } from '../payouts/due-payouts.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { DueRefunds } from '../refunds/due-refunds.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { DueMoney } from './due-money.js';

/** What becomes of payments: refunds, disputes and payouts, and the clock's part in all of it. */
@Module({
  imports: [PaymentsModule, RefundsModule, DisputesModule, PayoutsModule],
  exports: [PaymentsModule, RefundsModule, DisputesModule, PayoutsModule],
})
export class MoneyModule {
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
