import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CURRENCIES, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#kernel';
import { type CapturePolicy, ORDER_STATUSES, PAYMENT_METHODS } from '#order';
import { DateTime, Field, Integer, Nullable, OneOf } from '#platform';
import { paymentAnswer, PaymentAnswer } from '../payments/payment-answer.js';
import type { CurrentPayment, KnownOrder } from '../shared/tenancy.js';
import { POLICIES } from './place-order.dto.js';

class CaptureAnswer {
  @OneOf(POLICIES)
  policy!: (typeof POLICIES)[number];

  @ApiPropertyOptional({ description: 'An ISO 8601 duration from the authorization, e.g. `P2D`.' })
  delay?: string;
}

/** An order as its platform sees it. */
export class OrderAnswer {
  @Field('The id of the order, `ord_…`.', { example: 'ord_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @OneOf(
    ORDER_STATUSES,
    '`authorized`: authorized, nothing captured yet. `closing`: the order is being closed unpaid, ' +
      'and waits for the end of its payment. `paid`: deliver what `paidMinor` pays.',
  )
  status!: KnownOrder['status'];

  @Field()
  merchantId!: string;

  @Field()
  reference!: string;

  @Integer('In minor units.')
  amountMinor!: number;

  @OneOf(CURRENCIES)
  currency!: string;

  @ApiProperty({ type: CaptureAnswer })
  capture!: CaptureAnswer;

  @ApiProperty({ enum: PAYMENT_METHODS, isArray: true })
  methods!: readonly string[];

  @Nullable(String, 'The mandate that is debited; the payer does not have to be present.')
  mandateId!: string | null;

  @Nullable(String)
  returnUrl!: string | null;

  @Nullable(String)
  description!: string | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  metadata!: Readonly<Record<string, string>>;

  @Nullable(PaymentAnswer, 'The current payment; null for a moment after the order was placed.')
  payment!: PaymentAnswer | null;

  @Integer(
    'The captured amount in minor units: less than `amountMinor` after a partial capture; ' +
      'each further capture adds to it, and it follows an amount that the provider changes.',
  )
  paidMinor!: number;

  @Integer('The amount refunded after the order was paid, in minor units.')
  refundedMinor!: number;

  @Integer(
    'The amount charged back or returned by the payer’s bank, or lost when the ' +
      'payment was canceled at the provider, less disputes that were won. The ' +
      'order stays `paid`.',
  )
  chargedBackMinor!: number;

  @Nullable(String, 'Why the order failed.')
  failureReason!: string | null;

  @DateTime()
  createdAt!: string;

  @DateTime('The instant at which the order expires if it is not paid.')
  expiresAt!: string;
}

/** Formats a duration as the shortest ISO 8601 text of days, hours, minutes and seconds. */
export const durationText = (ms: number): string => {
  const days = Math.floor(ms / DAY_MS);
  const parts = [
    [Math.floor((ms % DAY_MS) / HOUR_MS), 'H'],
    [Math.floor((ms % HOUR_MS) / MINUTE_MS), 'M'],
    [Math.floor((ms % MINUTE_MS) / SECOND_MS), 'S'],
  ] as const;
  const time = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
  return `P${days === 0 ? '' : `${days}D`}${time === '' ? '' : `T${time}`}`;
};

const captureAnswer = (capture: CapturePolicy): CaptureAnswer =>
  capture.policy === 'delayed'
    ? { policy: capture.policy, delay: durationText(capture.delayMs) }
    : { policy: capture.policy };

export const orderAnswer = (
  id: string,
  order: KnownOrder,
  payment: CurrentPayment | null,
): OrderAnswer => {
  const { terms } = order;
  return {
    id,
    status: order.status,
    merchantId: terms.merchantId,
    reference: terms.reference,
    amountMinor: terms.amountMinor,
    currency: terms.currency,
    capture: captureAnswer(terms.capture),
    methods: terms.methods,
    mandateId: terms.mandateId ?? null,
    returnUrl: terms.returnUrl,
    description: terms.description,
    metadata: terms.metadata,
    payment: payment === null ? null : paymentAnswer(payment.id, payment.state),
    paidMinor: order.status === 'paid' ? order.paidMinor : 0,
    refundedMinor: order.status === 'paid' ? order.refundsAndChargebacks.refundedMinor : 0,
    chargedBackMinor: order.status === 'paid' ? order.refundsAndChargebacks.chargedBackMinor : 0,
    failureReason: order.status === 'failed' ? order.reason : null,
    createdAt: order.placedAt,
    expiresAt: terms.expiresAt,
  };
};
