import {
  type Dispute,
  DISPUTE_KINDS,
  DISPUTE_STATUSES,
  type DisputeKind,
  type DisputeStatus,
  isMade,
  type Refund,
  REFUND_STATUSES,
  type RefundStatus,
} from '#payment';
import { DateTime, Field, Integer, Nullable, NullableDateTime, OneOf } from '#platform';

/** A refund as the platform sees it. */
export class RefundAnswer {
  @Field('The id of your request (`rfr_…`), or of a refund made at the provider (`refd_…`).')
  id!: string;

  @OneOf(
    REFUND_STATUSES,
    '`queued`: it is requested when the capture is sent to clearing. `requested`: not yet visible ' +
      'at the provider. `rejected`: it was not made. `refunded`: the payer has the money. ' +
      '`not_honored`, `failed`: no money was returned.',
  )
  status!: RefundStatus;

  @NullableDateTime(
    'The latest time at which a queued refund is expected to be requested from the provider.',
  )
  expectedAt!: string | null;

  @Integer('In minor units of the order’s currency, e.g. `1250`.')
  amountMinor!: number;

  @Nullable(
    String,
    'The provider’s id of the refund (`refd_…`), once the provider has it; payout lines name this id.',
  )
  providerRefundId!: string | null;

  @Field(
    'Whether the refund was requested through this API; if not, it was made directly at the provider.',
  )
  requested!: boolean;

  @Nullable(String, 'Your reference, returned unchanged.')
  reference!: string | null;

  @Nullable(String, 'Your reason, returned unchanged.')
  reason!: string | null;

  @Nullable(
    String,
    'Why the refund was not made: the provider’s reason, or ours for a queued refund.',
  )
  rejectionReason!: string | null;

  @DateTime()
  createdAt!: string;
}

/** A payer's dispute as the platform sees it. */
export class DisputeAnswer {
  @Field('The id of the dispute at the provider (`dspt_…`).')
  id!: string;

  @OneOf(DISPUTE_KINDS, '`sepa_return`: a returned direct debit.')
  kind!: DisputeKind;

  @OneOf(
    DISPUTE_STATUSES,
    '`won`: a later payout returns the amount, but not the fee. Any other status returns nothing.',
  )
  status!: DisputeStatus;

  @Integer('The amount charged back, in minor units.')
  amountMinor!: number;

  @Field('The actual reason of the dispute. It is confidential: never show it to the payer.')
  reasonCode!: string;

  @Field('The reason of the dispute that may be shown to the payer.')
  payerReasonCode!: string;

  @DateTime()
  createdAt!: string;
}

export const refundAnswer = (refund: Refund): RefundAnswer => {
  const { status, amountMinor, reference, reason, createdAt, requestId } = refund;
  return {
    id: isMade(refund) ? (refund.requestId ?? refund.refundId) : refund.requestId,
    status,
    expectedAt: status === 'queued' ? refund.expectedAt : null,
    amountMinor,
    providerRefundId: isMade(refund) ? refund.refundId : null,
    requested: requestId !== null,
    reference,
    reason,
    rejectionReason: status === 'rejected' ? refund.rejection : null,
    createdAt,
  };
};

export const disputeAnswer = (dispute: Dispute): DisputeAnswer => {
  const { disputeId, kind, status, amountMinor, reasonCode, payerReasonCode, createdAt } = dispute;
  return {
    id: disputeId,
    kind,
    status,
    amountMinor,
    reasonCode: reasonCode,
    payerReasonCode: payerReasonCode,
    createdAt,
  };
};
