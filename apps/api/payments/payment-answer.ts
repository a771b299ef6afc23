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
import type { KnownPayment } from '../shared/tenancy.js';
import { captureAnswer, PaymentCaptureAnswer } from './capture-answer.js';
import { DisputeAnswer, disputeAnswer, RefundAnswer, refundAnswer } from './money-back-answer.js';

const PROVIDER_CALLS = [
  'create_intent',
  'debit_mandate',
  'capture',
  'cancel',
  'refund',
] as const satisfies readonly ProviderCall[];

/** A payment as its platform sees it. */
export class PaymentAnswer {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  orderId!: string;

  @ApiProperty({
    enum: PAYMENT_STATUSES,
    description:
      '`requested`: the page is being made. `open`: the payer may pay at `pageUrl`, also after a ' +
      'refused attempt. `to_capture` and later: the money is on its way.',
  })
  status!: PaymentStatus;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'uri',
    description:
      'Where the payer pays; frame it. Null until it is made and once the payment ended.',
  })
  pageUrl!: string | null;

  @ApiProperty({ type: 'integer' })
  amountMinor!: number;

  @ApiProperty({ enum: CURRENCIES })
  currency!: string;

  @ApiProperty({
    enum: ['confirmed', 'unconfirmed'],
    nullable: true,
    type: String,
    description:
      'Once authorized: whether you told us (by a refresh with `pageFinished`) that the page had ' +
      'finished, or the payer left before that. Null before, and once canceled.',
  })
  confirmation!: 'confirmed' | 'unconfirmed' | null;

  @ApiProperty({ type: 'integer', description: 'Attempts that the bank refused.' })
  refusedAttempts!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'While authorized: until when it must be captured.',
  })
  captureBefore!: string | null;

  @ApiProperty({ description: 'Asked for and on its way.' })
  captureRequested!: boolean;

  @ApiProperty({ description: 'Asked for and on its way.' })
  cancelRequested!: boolean;

  @ApiProperty({
    isArray: true,
    enum: PROVIDER_CALLS,
    description: 'Calls to the provider whose outcome is not known yet.',
  })
  outcomeUnknown!: readonly string[];

  @ApiProperty({ type: PaymentCaptureAnswer, isArray: true, description: 'Oldest first.' })
  captures!: readonly PaymentCaptureAnswer[];

  @ApiProperty({
    type: 'integer',
    description: 'What captures that were sent have taken, in minor units.',
  })
  capturedMinor!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description:
      'What may still be captured, in minor units: 0 after a final capture, and once the provider ' +
      'has released what is left.',
  })
  capturableMinor!: number;

  @ApiProperty({ type: 'integer', description: 'Given back to the payer, in minor units.' })
  refundedMinor!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'What a refund may take now: of captures that were sent, what no refund takes.',
  })
  refundableMinor!: number;

  @ApiProperty({ type: RefundAnswer, isArray: true, description: 'Oldest first.' })
  refunds!: readonly RefundAnswer[];

  @ApiProperty({
    type: DisputeAnswer,
    isArray: true,
    description: 'What the payer took back. After a dispute nothing is refunded.',
  })
  disputes!: readonly DisputeAnswer[];

  @ApiProperty({ type: String, nullable: true, description: 'Why the provider refused it.' })
  rejectionReason!: string | null;
}

/** Nobody has paid, or nobody needs to know any more. */
const UNPAID: ReadonlySet<string> = new Set(['open', 'canceled'] satisfies PaymentStatus[]);

const confirmationOf = (payment: KnownPayment): PaymentAnswer['confirmation'] => {
  if (!exists(payment) || UNPAID.has(payment.status)) return null;
  return payment.pageFinished ? 'confirmed' : 'unconfirmed';
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

/** A mandate is debited with no payer present: nobody is to be sent to its page. */
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
    outcomeUnknown: 'unknown' in payment ? payment.unknown : [],
    ...moneyOf(payment),
    rejectionReason: status === 'rejected' ? payment.reason : null,
  };
};
