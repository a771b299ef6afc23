import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StepBuilder } from '#log';
import { assert, Rejection } from '#kernel';
import { exists, paymentAggregate, type PaymentCommand } from '#payment';
import { ProviderAccounts } from '#psp';
import { DailyLimits, type Meter } from '../limits/daily-limits.js';
import type { Answer } from '../shared/answer.js';
import type { ChangeRequest } from '../shared/change-request.js';
import { Idempotency } from '../shared/idempotency.js';
import { type CurrentPayment, Tenancy } from '../shared/tenancy.js';
import { refundAnswer, type RefundAnswer } from './refund-and-dispute-answers.js';

type RequestRefund = Extract<PaymentCommand, { type: 'RequestRefund' }>;

/** Requests a refund of a whole order or of a part of its amount. */
export class RefundOrder extends Command<Answer<RefundAnswer>> {
  constructor(
    readonly request: ChangeRequest,
    readonly orderId: string,
    readonly refund: RequestRefund,
  ) {
    super();
  }
}

@CommandHandler(RefundOrder)
export class RefundOrderHandler implements ICommandHandler<RefundOrder> {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    private readonly limits: DailyLimits,
    private readonly accounts: ProviderAccounts,
  ) {}

  execute({ request, orderId, refund }: RefundOrder): Promise<Answer<RefundAnswer>> {
    return this.idempotency.withReplay(request, () =>
      this.limits.within(request.caller, (meter) =>
        this.idempotency.step(request, orderId, 202, async (step) => {
          const { payment } = await this.tenancy.orderWithPayment(request.caller, orderId, step);
          return this.refund(step, payment, refund, meter);
        }),
      ),
    );
  }

  private async refund(
    step: StepBuilder,
    payment: CurrentPayment | null,
    command: RequestRefund,
    meter: Meter,
  ): Promise<RefundAnswer> {
    if (payment === null) {
      throw new Rejection(
        'not_captured',
        'only a captured amount can be refunded: nothing is captured yet',
      );
    }
    await this.accounts.mustHave(payment.state.terms.accountId, 'refunds');
    const after = await step.execute(paymentAggregate, payment.id, command);
    assert(exists(after), 'the refunded payment exists');
    const made = after.refunds.find(({ requestId }) => requestId === command.requestId);
    assert(made, 'a requested refund is among the refunds');
    const { currency } = after.terms;
    await meter.count({ operation: 'refund', amountMinor: made.amountMinor, currency });
    return refundAnswer(made);
  }
}
