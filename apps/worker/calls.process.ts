import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore } from '#log';
import { CallRunner, Jobs } from '#jobs';
import { endLostTime, heldDebitOf, lostTimesUntilNow } from '#operations';
import { type BusinessClock, CLOCK, type Logger, LOGGER } from '#platform';
import { MerchantCalls } from './merchants/merchant-calls.js';
import { paymentEffects } from './payments/payment-effects.js';
import { ProviderClients } from './provider-clients.js';

/** The part of a worker that executes queued provider calls. */
@Injectable()
export class ProviderCallsProcess {
  constructor(
    pool: Pool,
    store: EventStore,
    clients: ProviderClients,
    merchantCalls: MerchantCalls,
    jobs: Jobs,
    @Inject(CLOCK) clock: BusinessClock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const runner = new CallRunner(store, clock, logger, [
      paymentEffects({
        store,
        clock,
        lostTimes: () => lostTimesUntilNow(pool, clock),
        heldDebitOf: (paymentId, payment) => heldDebitOf(pool, paymentId, payment, clock.now()),
        clientOf: (accountId) => clients.of(accountId),
        capabilitiesOf: (accountId) => clients.capabilitiesOf(accountId),
      }),
      merchantCalls,
    ]);
    jobs.register(...runner.kinds());
    jobs.beforeFirst(() => endLostTime(pool, clock));
  }
}
