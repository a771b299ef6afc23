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
    description: 'Of your request (`rfr_…`); of a refund made at the provider, its own (`refd_…`).',
  })
  id!: string;

  @ApiProperty({
    enum: REFUND_STATUSES,
    description:
      '`requested`: not seen at the provider yet. `rejected`: the provider did not make it. ' +
      '`refunded`: the payer has the money. `not_honored`, `failed`: no money went back.',
  })
  status!: RefundStatus;

  @ApiProperty({ type: 'integer', description: 'In minor units of the order’s currency.' })
  amountMinor!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The provider’s id (`refd_…`), once it has the refund: its payout names it.',
  })
  providerRefundId!: string | null;

  @ApiProperty({
    description: 'Whether you asked for it here; otherwise it was made at the provider.',
  })
  requested!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Yours, given back as it is.' })
  reference!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Yours, given back as it is.' })
  reason!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why the provider did not make it.' })
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
    description: '`sepa_return`: a direct debit that came back.',
  })
  kind!: DisputeKind;

  @ApiProperty({
    enum: DISPUTE_STATUSES,
    description:
      '`won`: the amount comes back in a later payout, its fee does not. No other brings money back.',
  })
  status!: DisputeStatus;

  @ApiProperty({ type: 'integer', description: 'Taken back, in minor units.' })
  amountMinor!: number;

  @ApiProperty({ description: 'The real reason. For you alone: never show it to the payer.' })
  reasonCode!: string;

  @ApiProperty({ description: 'The reason that the payer may be told.' })
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
  const { disputeId, kind, status, amountMinor, response, payerResponse, createdAt } = dispute;
  return {
    id: disputeId,
    kind,
    status,
    amountMinor,
    reasonCode: response,
    payerReasonCode: payerResponse,
    createdAt,
  };
};
