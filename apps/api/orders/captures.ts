import { Injectable } from '@nestjs/common';
import type { StepBuilder } from '#log';
import { assert, type Instant, newId, Rejection } from '#kernel';
import { exists, paymentAggregate, type PaymentCommand } from '#payment';
import { ProviderAccounts } from '#psp';
import { DailyLimits, type Meter } from '../limits/daily-limits.js';
import type { Answer } from '../shared/answer.js';
import type { ChangeRequest } from '../shared/change-request.js';
import { Idempotency } from '../shared/idempotency.js';
import { Tenancy } from '../shared/tenancy.js';
import { orderAnswer, type OrderAnswer } from './order-answer.js';

type CapturePart = NonNullable<Extract<PaymentCommand, { type: 'RequestCapture' }>['part']>;

/** A requested capture of an order's current payment. */
export interface RequestedCapture {
  readonly orderId: string;
  readonly part: Omit<CapturePart, 'can'>;
  readonly at: Instant;
}

/** Handles the requests of platforms to capture their orders. */
@Injectable()
export class Captures {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    private readonly limits: DailyLimits,
    private readonly accounts: ProviderAccounts,
  ) {}

  capture(request: ChangeRequest, requested: RequestedCapture): Promise<Answer<OrderAnswer>> {
    return this.idempotency.withReplay(request, () =>
      this.limits.within(request.caller, (meter) =>
        this.idempotency.step(request, requested.orderId, 202, (step) =>
          this.execute(step, request, requested, meter),
        ),
      ),
    );
  }

  private async execute(
    step: StepBuilder,
    { caller }: ChangeRequest,
    { orderId, part, at }: RequestedCapture,
    meter: Meter,
  ): Promise<OrderAnswer> {
    const { payment } = await this.tenancy.orderWithPayment(caller, orderId, step);
    if (payment === null) {
      throw new Rejection(
        'not_authorized',
        'the payment cannot be captured before it is authorized',
      );
    }
    const { accountId, currency } = payment.state.terms;
    const can = await this.accounts.capabilitiesOf(accountId);
    assert(can !== null, 'the account that a payment was made with is stored');
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
    // Only a new capture counts towards the limit: the order's policy or an earlier request may
    // already have requested the capture.
    await meter.count(
      made === undefined ? null : { operation: 'capture', amountMinor: made.amountMinor, currency },
    );
    const after = await this.tenancy.orderWithPayment(caller, orderId, step);
    return orderAnswer(orderId, after.order, after.payment);
  }
}
