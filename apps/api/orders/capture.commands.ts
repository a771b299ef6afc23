import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, type StepBuilder } from '#log';
import { assert, type Instant, newId, Rejection } from '#kernel';
import { exists, paymentAggregate, type PaymentCommand } from '#payment';
import { ProviderAccounts } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { DailyLimits, type Meter } from '../limits/daily-limits.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { Tenancy } from '../shared/tenancy.js';
import { orderAnswer, type OrderAnswer } from './order-answer.js';

type CapturePart = NonNullable<Extract<PaymentCommand, { type: 'RequestCapture' }>['part']>;

/** Captures the current payment of an order, because its platform says so. */
export class CapturePayment extends Command<Answer<OrderAnswer>> {
  constructor(
    readonly caller: Caller,
    readonly orderId: string,
    readonly part: Omit<CapturePart, 'can'>,
    readonly at: Instant,
    readonly request: IdempotentRequest,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(CapturePayment)
export class CapturePaymentHandler implements ICommandHandler<CapturePayment> {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    private readonly limits: DailyLimits,
    private readonly accounts: ProviderAccounts,
  ) {}

  execute(command: CapturePayment): Promise<Answer<OrderAnswer>> {
    const { caller, orderId, request, origin } = command;
    const metadata = metadataOf(orderId, caller, origin);
    return this.idempotency.once(request, () =>
      this.limits.within(caller, (meter) =>
        this.store.step(metadata, async (step) => {
          const body = await this.capture(step, command, meter);
          const answer = { status: 202, body };
          step.answered({ ...request, ...answer });
          return answer;
        }),
      ),
    );
  }

  private async capture(
    step: StepBuilder,
    command: CapturePayment,
    meter: Meter,
  ): Promise<OrderAnswer> {
    const { caller, orderId, part, at } = command;
    const { payment } = await this.tenancy.orderWithPayment(caller, orderId, step);
    if (payment === null) {
      throw new Rejection('not_authorized', 'only an authorized payment is captured: none is yet');
    }
    const { accountId, currency } = payment.state.terms;
    const can = await this.accounts.capabilitiesOf(accountId);
    assert(can !== null, 'the account that a payment was made with is kept');
    const captureId = newId('cap');
    const captured = await step.execute(paymentAggregate, payment.id, {
      type: 'RequestCapture',
      captureId,
      by: 'platform',
      part: { ...part, can },
      at,
    });
    const made = exists(captured)
      ? captured.captures.find((one) => one.captureId === captureId)
      : undefined;
    // None: nothing was to be done, as by the order's policy or an earlier request.
    if (made !== undefined) {
      await meter.count({ operation: 'capture', amountMinor: made.amountMinor, currency });
    }
    const after = await this.tenancy.orderWithPayment(caller, orderId, step);
    return orderAnswer(orderId, after.order, after.payment);
  }
}
