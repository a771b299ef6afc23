import { ApiProperty } from '@nestjs/swagger';
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

/** A refund as the platform sees it. */
export class RefundAnswer {
  @ApiProperty({
    description: 'Of your request (`rfr_…`), or of a refund made at the provider (`refd_…`).',
  })
  id!: string;

  @ApiProperty({
    enum: REFUND_STATUSES,
    description:
      '`requested`: not yet visible at the provider. `rejected`: the provider refused it. ' +
      '`refunded`: the payer has the money. `not_honored`, `failed`: no money was returned.',
  })
  status!: RefundStatus;

  @ApiProperty({
    type: 'integer',
    description: 'In minor units of the order’s currency, e.g. `1250`.',
  })
  amountMinor!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The provider’s id (`refd_…`), once it has the refund; payout lines name it.',
  })
  providerRefundId!: string | null;

  @ApiProperty({
    description: 'Whether it was requested here; otherwise it was made at the provider.',
  })
  requested!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Your reference, returned unchanged.' })
  reference!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Your metadata, returned unchanged.' })
  reason!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why the provider refused it.' })
  rejectionReason!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

/** A payer's dispute as the platform sees it. */
export class DisputeAnswer {
  @ApiProperty({ description: 'The provider’s (`dspt_…`).' })
  id!: string;

  @ApiProperty({
    enum: DISPUTE_KINDS,
    description: '`sepa_return`: a returned direct debit.',
  })
  kind!: DisputeKind;

  @ApiProperty({
    enum: DISPUTE_STATUSES,
    description:
      '`won`: a later payout returns the amount, but not the fee. Any other status returns nothing.',
  })
  status!: DisputeStatus;

  @ApiProperty({ type: 'integer', description: 'The amount charged back, in minor units.' })
  amountMinor!: number;

  @ApiProperty({ description: 'The actual reason. For you only: never show it to the payer.' })
  reasonCode!: string;

  @ApiProperty({ description: 'The reason that may be shown to the payer.' })
  payerReasonCode!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

export const refundAnswer = (refund: Refund): RefundAnswer => {
  const { status, amountMinor, reference, reason, createdAt, requestId } = refund;
  return {
    id: isMade(refund) ? (refund.requestId ?? refund.refundId) : refund.requestId,
    status,
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
