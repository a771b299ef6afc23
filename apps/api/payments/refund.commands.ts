import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, type StepBuilder } from '#log';
import { assert, type Instant, Rejection } from '#kernel';
import { exists, paymentAggregate, type PaymentCommand } from '#payment';
import { ProviderAccounts } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { DailyLimits, type Meter } from '../limits/daily-limits.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { Tenancy } from '../shared/tenancy.js';
import { refundAnswer, type RefundAnswer } from './money-back-answer.js';

type RequestRefund = Extract<PaymentCommand, { type: 'RequestRefund' }>;

/** Gives back what an order was paid with, in part or as a whole. */
export class RefundOrder extends Command<Answer<RefundAnswer>> {
  constructor(
    readonly caller: Caller,
    readonly orderId: string,
    readonly refund: Omit<RequestRefund, 'type' | 'at'>,
    readonly at: Instant,
    readonly request: IdempotentRequest,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(RefundOrder)
export class RefundOrderHandler implements ICommandHandler<RefundOrder> {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    private readonly limits: DailyLimits,
    private readonly accounts: ProviderAccounts,
  ) {}

  execute(command: RefundOrder): Promise<Answer<RefundAnswer>> {
    const { caller, orderId, request, origin } = command;
    const metadata = metadataOf(orderId, caller, origin);
    return this.idempotency.once(request, () =>
      this.limits.within(caller, (meter) =>
        this.store.step(metadata, async (step) => {
          const answer = { status: 202, body: await this.refund(step, command, meter) };
          step.answered({ ...request, ...answer });
          return answer;
        }),
      ),
    );
  }

  private async refund(
    step: StepBuilder,
    command: RefundOrder,
    meter: Meter,
  ): Promise<RefundAnswer> {
    const { caller, orderId, refund, at } = command;
    const { payment } = await this.tenancy.orderWithPayment(caller, orderId, step);
    if (payment === null) {
      throw new Rejection('not_captured', 'only what was captured is refunded: nothing is yet');
    }
    await this.accounts.mustHave(payment.state.terms.accountId, 'refunds');
    const after = await step.execute(paymentAggregate, payment.id, {
      type: 'RequestRefund',
      ...refund,
      at,
    });
    assert(exists(after), 'what is refunded exists');
    const made = after.refunds.find(({ requestId }) => requestId === refund.requestId);
    assert(made, 'a refund that was asked for is among the refunds');
    const { currency } = after.terms;
    await meter.count({ operation: 'refund', amountMinor: made.amountMinor, currency });
    return refundAnswer(made);
  }
}
