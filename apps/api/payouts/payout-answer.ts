import { ApiProperty } from '@nestjs/swagger';
import { type AnnouncedPayout, PAYOUT_STATUSES } from '#payout';

class ExceptionsAnswer {
  @ApiProperty({ type: 'integer', description: 'The number of lines without a record of ours.' })
  unknown!: number;

  @ApiProperty({ type: 'integer' })
  amount!: number;

  @ApiProperty({ type: 'integer' })
  currency!: number;

  @ApiProperty({
    type: 'integer',
    description: 'The number of lines that another payout contains as well.',
  })
  duplicate!: number;

  @ApiProperty({
    type: 'integer',
    description: 'The number of fees that differ from the provider’s price list.',
  })
  fee!: number;
}

class ReconciliationAnswer {
  @ApiProperty({ type: 'integer', description: 'The number of lines that match our ledger.' })
  matched!: number;

  @ApiProperty({
    type: ExceptionsAnswer,
    description: 'The number of open reconciliation breaks of its lines.',
  })
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

  @ApiProperty({ description: 'The reference that the credit transfer carries.' })
  reference!: string;

  @ApiProperty()
  currency!: string;

  @ApiProperty({
    type: 'integer',
    description: 'The amount that arrives: payments less refunds, disputes, fees and VAT.',
  })
  amountMinor!: number;

  @ApiProperty({ type: 'integer' })
  feesMinor!: number;

  @ApiProperty({ type: 'integer' })
  feesVatMinor!: number;

  @ApiProperty({
    format: 'date',
    description: 'The day on which the provider created it, e.g. `2026-03-31`.',
  })
  date!: string;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The day on which it arrived at the bank, e.g. `2026-04-02`.',
  })
  bankDate!: string | null;

  @ApiProperty({
    type: ReconciliationAnswer,
    nullable: true,
    description: 'When its lines were compared with the ledger; null until then.',
  })
  reconciliation!: ReconciliationAnswer | null;
}

/** A payout in a list, which follows the payout's state a moment later. */
export class PayoutItem extends PayoutAnswer {
  @ApiProperty({
    format: 'date-time',
    description: 'When the provider last showed a change of it.',
  })
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
    bankDate: payout.status === 'paid' ? payout.bankDate : null,
    reconciliation,
  };
};
