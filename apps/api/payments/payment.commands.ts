import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, type StepBuilder } from '#event-store';
import { assert, type Clock, type Instant, Rejection } from '#kernel';
import {
  exists, isOver, type Observation, type PaymentCommand, paymentAggregate, readPayment,
} from '#payment';
import { CLOCK } from '#platform';
import { ProviderAccounts } from '#provider';
import type { Caller } from '../auth/key-verifier.js';
import { DailyLimits, type Meter } from '../limits/daily-limits.js';
import { orderAnswer, type OrderAnswer } from '../orders/order-answer.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { type KnownPayment, Tenancy } from '../shared/tenancy.js';
import { paymentAnswer, type PaymentAnswer } from './payment-answer.js';

/** Captures the current payment of an order, because its platform says so. */
export class CapturePayment extends Command<Answer<OrderAnswer>> {
  constructor(
    readonly caller: Caller,
    readonly orderId: string,
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
    const { caller, orderId, at } = command;
    const { payment } = await this.tenancy.orderWithPayment(caller, orderId, step);
    if (payment === null) {
      throw new Rejection('not_authorized', 'only an authorized payment is captured: none is yet');
    }
    const capture = { type: 'RequestCapture', by: 'platform', at } as const;
    const captured = await step.execute(paymentAggregate, payment.id, capture);
    const { amountMinor, currency } = payment.state.terms;
    // The same state: nothing was to be done, as by the order's policy or an earlier request.
    if (captured !== payment.state) {
      await meter.count({ operation: 'capture', amountMinor, currency });
    }
    const after = await this.tenancy.orderWithPayment(caller, orderId, step);
    return orderAnswer(orderId, after.order, after.payment);
  }
}

/** Takes in what the platform and the provider show of a payment now. */
export class RefreshPayment extends Command<Answer<PaymentAnswer>> {
  constructor(
    readonly caller: Caller,
    readonly paymentId: string,
    readonly pageFinished: boolean,
    readonly request: IdempotentRequest,
    readonly origin: Origin,
  ) {
    super();
  }
}

@CommandHandler(RefreshPayment)
export class RefreshPaymentHandler implements ICommandHandler<RefreshPayment> {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    private readonly accounts: ProviderAccounts,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  execute(command: RefreshPayment): Promise<Answer<PaymentAnswer>> {
    const { caller, paymentId, pageFinished, request, origin } = command;
    return this.idempotency.once(request, async () => {
      const known = await this.tenancy.payment(caller, paymentId);
      const observation = await this.observe(known);
      const commands = commandsOf({ paymentId, observation, pageFinished, at: this.clock.now() });
      return this.store.step(metadataOf(known.terms.orderId, caller, origin), async (step) => {
        for (const one of commands) await step.execute(paymentAggregate, paymentId, one);
        await step.react();
        const payment = await this.tenancy.payment(caller, paymentId, step);
        const answer = { status: 200, body: paymentAnswer(paymentId, payment) };
        step.answered({ ...request, ...answer });
        return answer;
      });
    });
  }

  /** Null where there is nothing to read: no intent yet, or nothing more to learn. */
  private async observe(payment: KnownPayment): Promise<Observation | null> {
    if (!exists(payment) || isOver(payment)) return null;
    const account = await this.accounts.byId(payment.terms.accountId);
    assert(account !== null, 'the account that a payment was made with is kept');
    return readPayment(this.accounts.clientFor(account), payment.intentId);
  }
}

/** The page first: an authorization learnt in the same step is then known to be confirmed. */
const commandsOf = ({ paymentId, observation, pageFinished, at }: {
  readonly paymentId: string;
  readonly observation: Observation | null;
  readonly pageFinished: boolean;
  readonly at: Instant;
}): readonly PaymentCommand[] => [
  ...(pageFinished ? [{ type: 'FinishPage', at } as const] : []),
  ...(observation === null
    ? [] : [{ type: 'ObservePayment', paymentId, observation, at } as const]),
];
