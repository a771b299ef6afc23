import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, type StepBuilder } from '#log';
import { assert, type Instant, newId, Rejection } from '#kernel';
import { type CaptureCapabilities, paymentAggregate } from '#payment';
import { ProviderAccounts } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { DailyLimits, type Meter } from '../limits/daily-limits.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { type KnownPayment, Tenancy } from '../shared/tenancy.js';
import { orderAnswer, type OrderAnswer } from './order-answer.js';

/** Captures the current payment of an order, because its platform says so. */
export class CapturePayment extends Command<Answer<OrderAnswer>> {
  constructor(
    readonly caller: Caller,
    readonly orderId: string,
    /** Minor units; null: the whole amount. */
    readonly amountMinor: number | null,
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
    return this.idempotency.once(request, () => this.limits.within(caller, (meter) =>
      this.store.step(metadata, async (step) => {
        const body = await this.capture(step, command, meter);
        const answer = { status: 202, body };
        step.answered({ ...request, ...answer });
        return answer;
      })));
  }

  private async capture(
    step: StepBuilder, command: CapturePayment, meter: Meter,
  ): Promise<OrderAnswer> {
    const { caller, orderId, amountMinor: asked, at } = command;
    const { payment } = await this.tenancy.orderWithPayment(caller, orderId, step);
    if (payment === null) {
      throw new Rejection('not_authorized', 'only an authorized payment is captured: none is yet');
    }
    const part = asked === null ? null : {
      amountMinor: asked, can: await this.capabilitiesOf(payment.state),
    };
    const captured = await step.execute(paymentAggregate, payment.id, {
      type: 'RequestCapture', captureId: newId('cap'), by: 'platform',
      ...(part === null ? {} : { part }), at,
    });
    const { amountMinor, currency } = payment.state.terms;
    // The same state: nothing was to be done, as by the order's policy or an earlier request.
    if (captured !== payment.state) {
      await meter.count({ operation: 'capture', amountMinor: asked ?? amountMinor, currency });
    }
    const after = await this.tenancy.orderWithPayment(caller, orderId, step);
    return orderAnswer(orderId, after.order, after.payment);
  }

  private async capabilitiesOf({ terms }: KnownPayment): Promise<CaptureCapabilities> {
    const capabilities = await this.accounts.capabilitiesOf(terms.accountId);
    assert(capabilities !== null, 'the account that a payment was made with is kept');
    return capabilities;
  }
}
