import { ApiProperty } from '@nestjs/swagger';
import { type AnnouncedPayout, PAYOUT_STATUSES } from '#payout';

class ExceptionsAnswer {
  @ApiProperty({ type: 'integer', description: 'Lines that no record of ours explains.' })
  unknown!: number;

  @ApiProperty({ type: 'integer' })
  amount!: number;

  @ApiProperty({ type: 'integer' })
  currency!: number;

  @ApiProperty({ type: 'integer', description: 'Lines that another payout has too.' })
  duplicate!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Fees that are not as the provider publishes them.',
  })
  fee!: number;
}

class ReconciliationAnswer {
  @ApiProperty({ type: 'integer', description: 'Lines that agree with our record in all.' })
  matched!: number;

  @ApiProperty({ type: ExceptionsAnswer, description: 'Open exceptions of its lines.' })
  exceptions!: ExceptionsAnswer;
}

/** A credit transfer of the provider to a merchant's bank. */
export class PayoutAnswer {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  providerAccountId!: string;

  @ApiProperty()
  merchantId!: string;

  @ApiProperty({ enum: PAYOUT_STATUSES })
  status!: string;

  @ApiProperty({ description: 'What the credit transfer carries.' })
  reference!: string;

  @ApiProperty()
  currency!: string;

  @ApiProperty({
    type: 'integer',
    description: 'What arrives: payments less refunds, disputes, fees and VAT.',
  })
  amountMinor!: number;

  @ApiProperty({ type: 'integer' })
  feesMinor!: number;

  @ApiProperty({ type: 'integer' })
  feesVatMinor!: number;

  @ApiProperty({ format: 'date', description: 'The day it was made.' })
  date!: string;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The day the bank had it.',
  })
  bankDate!: string | null;

  @ApiProperty({
    type: ReconciliationAnswer,
    nullable: true,
    description: 'Null until its lines are read and compared.',
  })
  reconciliation!: ReconciliationAnswer | null;
}

/** A payout in a list. It follows the payout's own state a moment later. */
export class PayoutItem extends PayoutAnswer {
  @ApiProperty({ format: 'date-time', description: 'When it was last heard of.' })
  updatedAt!: string;
}

export const payoutAnswer = (id: string, payout: AnnouncedPayout): PayoutAnswer => {
  const { terms, status, reconciliation } = payout;
  return {
    id,
    status,
    providerAccountId: terms.accountId,
    merchantId: terms.merchantId,
    reference: terms.reference,
    currency: terms.currency,
    amountMinor: terms.amountMinor,
    feesMinor: terms.feesMinor,
    feesVatMinor: terms.feesVatMinor,
    date: terms.date,
    bankDate: payout.status === 'paid' ? payout.dateBank : null,
    reconciliation,
  };
};
