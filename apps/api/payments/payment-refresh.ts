import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { assert, type Clock } from '#kernel';
import { exists, isOver, type Observation, paymentAggregate } from '#payment';
import { CLOCK } from '#platform';
import { ProviderAccounts, readPayment } from '#psp';
import type { Answer } from '../shared/answer.js';
import type { ChangeRequest } from '../shared/change-request.js';
import { Idempotency } from '../shared/idempotency.js';
import { type KnownPayment, Tenancy } from '../shared/tenancy.js';
import { paymentAnswer, type PaymentAnswer } from './payment-answer.js';

/**
 * Reads the payment from the provider and records its status. With `pageCompleted`, also records
 * that the payer has completed the payment page.
 */
export class RefreshPayment extends Command<Answer<PaymentAnswer>> {
  constructor(
    readonly request: ChangeRequest,
    readonly paymentId: string,
    readonly pageCompleted: boolean,
  ) {
    super();
  }
}

@CommandHandler(RefreshPayment)
export class RefreshPaymentHandler implements ICommandHandler<RefreshPayment> {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    private readonly accounts: ProviderAccounts,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  execute({ request, paymentId, pageCompleted }: RefreshPayment): Promise<Answer<PaymentAnswer>> {
    return this.idempotency.withReplay(request, async () => {
      const known = await this.tenancy.recentPayment(request.caller, paymentId);
      const observation = await this.observe(known);
      const at = this.clock.now();
      // A refresh only shows what has happened to the payment, so its events belong to the trace
      // in which the payment was requested.
      const untraced = { ...request, traceparent: null };
      return this.idempotency.step(untraced, known.terms.orderId, 200, async (step) => {
        // The completion of the payment page is recorded first, so that an authorization observed
        // in the same commit counts as confirmed.
        if (pageCompleted) {
          await step.execute(paymentAggregate, paymentId, { type: 'FinishPage', at });
        }
        if (observation !== null) {
          const observed = { type: 'ObservePayment', paymentId, observation, at } as const;
          await step.execute(paymentAggregate, paymentId, observed);
        }
        await step.react();
        const payment = await this.tenancy.payment(request.caller, paymentId, step);
        return paymentAnswer(paymentId, payment);
      });
    });
  }

  /**
   * Reads the payment from the provider. Null if there is nothing to read: the payment has no
   * intent yet, or its status is final.
   */
  private async observe(payment: KnownPayment): Promise<Observation | null> {
    if (!exists(payment) || isOver(payment)) return null;
    const account = await this.accounts.byId(payment.terms.accountId);
    assert(account !== null, 'the account that a payment was made with is stored');
    return readPayment(this.accounts.clientFor(account).payments, payment.intentId);
  }
}
