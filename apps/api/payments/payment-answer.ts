import { ApiProperty } from '@nestjs/swagger';
import { CURRENCIES } from '#kernel';
import {
  capturableMinor,
  capturedMinor,
  exists,
  type Existing,
  isSettled,
  openCapture,
  PAYMENT_STATUSES,
  type PaymentStatus,
  type ProviderCall,
  refundableMinor,
  refundedMinor,
} from '#payment';
import { Field, Integer, ListOf, Nullable, NullableDateTime, OneOf } from '#platform';
import type { KnownPayment } from '../shared/tenancy.js';
import { captureAnswer, PaymentCaptureAnswer } from './capture-answer.js';
import {
  DisputeAnswer,
  disputeAnswer,
  RefundAnswer,
  refundAnswer,
} from './refund-and-dispute-answers.js';

const PROVIDER_CALLS = [
  'create_intent',
  'debit_mandate',
  'capture',
  'cancel',
  'refund',
] as const satisfies readonly ProviderCall[];

/** A payment as its platform sees it. */
export class PaymentAnswer {
  @Field('The id of the payment, `pay_…`.')
  id!: string;

  @Field()
  orderId!: string;

  @OneOf(
    PAYMENT_STATUSES,
    '`requested`: the page is being created. `open`: the payer may pay at `pageUrl`, also after ' +
      'a ' +
      'refused attempt. `to_capture` and later: the provider is collecting the money.',
  )
  status!: PaymentStatus;

  @Nullable(
    String,
    'The URL of the payment page, to be shown in a frame. Null until the page exists, and after the payment has ended.',
    { format: 'uri' },
  )
  pageUrl!: string | null;

  @Integer()
  amountMinor!: number;

  @OneOf(CURRENCIES)
  currency!: string;

  @ApiProperty({
    enum: ['confirmed', 'unconfirmed'],
    nullable: true,
    type: String,
    description:
      'Of an authorized payment. `confirmed`: you reported, by a refresh with `pageCompleted`, ' +
      'that the payment page had finished. `unconfirmed`: you have not, because the payer left ' +
      'the page before. Null before the authorization, and after a cancellation.',
  })
  confirmation!: 'confirmed' | 'unconfirmed' | null;

  @Integer('The number of attempts that the bank refused.')
  refusedAttempts!: number;

  @NullableDateTime('While authorized: the instant by which the payment must be captured.')
  captureBefore!: string | null;

  @Field('Whether a capture was requested and has no result yet.')
  captureRequested!: boolean;

  @Field('Whether a cancellation was requested and has no result yet.')
  cancelRequested!: boolean;

  @ApiProperty({
    isArray: true,
    enum: PROVIDER_CALLS,
    description: 'The kinds of provider requests whose result is unknown.',
  })
  unknownResults!: readonly string[];

  @ListOf(PaymentCaptureAnswer, 'Oldest first.')
  captures!: readonly PaymentCaptureAnswer[];

  @Integer('The amount of the captures that were sent, in minor units.')
  capturedMinor!: number;

  @Integer(
    'The amount that can still be captured, in minor units: 0 after a final capture, and once ' +
      'the ' +
      'provider has released the rest.',
    { minimum: 0 },
  )
  capturableMinor!: number;

  @Integer('The refunded amount, in minor units.')
  refundedMinor!: number;

  @Integer(
    'The amount that can be refunded now, in minor units: the accepted captures and those that ' +
      'were sent, or the direct debit in process, less refunds. 0 after a dispute.',
    {
      minimum: 0,
    },
  )
  refundableMinor!: number;

  @ListOf(RefundAnswer, 'Oldest first.')
  refunds!: readonly RefundAnswer[];

  @ListOf(DisputeAnswer, 'Disputes and returned debits. After a dispute, refunds are refused.')
  disputes!: readonly DisputeAnswer[];

  @Nullable(String, 'Why the provider refused the payment.')
  rejectionReason!: string | null;
}

/**
 * The statuses in which a payment that the provider has created has no `confirmation`: the payer
 * has not paid, or the payment was canceled.
 */
const UNPAID: ReadonlySet<string> = new Set(['open', 'canceled'] satisfies PaymentStatus[]);

const confirmationOf = (payment: KnownPayment): PaymentAnswer['confirmation'] => {
  if (!exists(payment) || UNPAID.has(payment.status)) return null;
  return payment.pageCompleted ? 'confirmed' : 'unconfirmed';
};

const moneyOf = (payment: KnownPayment) => {
  const amounts = {
    capturedMinor: capturedMinor(payment),
    capturableMinor: capturableMinor(payment),
    refundableMinor: refundableMinor(payment),
  };
  if (!exists(payment)) {
    return { ...amounts, captures: [], refundedMinor: 0, refunds: [], disputes: [] };
  }
  const { captures, refunds, disputes } = payment;
  return {
    ...amounts,
    captures: captures.map(captureAnswer),
    refundedMinor: refundedMinor(refunds),
    refunds: refunds.map(refundAnswer),
    disputes: disputes.map(disputeAnswer),
  };
};

/**
 * Whether the payer visits a payment page. A debit of a mandate has no page, because the payer is
 * not present.
 */
const isForPayer = (payment: KnownPayment): payment is Existing =>
  exists(payment) && !isSettled(payment) && payment.terms.mandateId === undefined;

export const paymentAnswer = (id: string, payment: KnownPayment): PaymentAnswer => {
  const { terms, status } = payment;
  return {
    id,
    orderId: terms.orderId,
    status,
    pageUrl: isForPayer(payment) ? payment.pageUrl : null,
    amountMinor: terms.amountMinor,
    currency: terms.currency,
    confirmation: confirmationOf(payment),
    refusedAttempts: exists(payment) ? payment.refusedAttempts.length : 0,
    captureBefore: status === 'authorized' ? payment.expiresAt : null,
    captureRequested: exists(payment) && openCapture(payment.captures) !== null,
    cancelRequested: 'cancel' in payment && payment.cancel !== null,
    unknownResults: 'unknown' in payment ? payment.unknown : [],
    ...moneyOf(payment),
    rejectionReason: status === 'rejected' ? payment.reason : null,
  };
};
