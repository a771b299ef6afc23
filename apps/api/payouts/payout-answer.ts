import { ApiProperty } from '@nestjs/swagger';
import type { AnnouncedPayout, ExceptionCounts } from '#payout';

export const PAYOUT_STATUSES = ['pending', 'to_pay', 'sent', 'paid', 'failed'] as const;
const LINE_KINDS = ['payment', 'refund', 'dispute', 'dispute_reversal'] as const;

class ExceptionsAnswer {
  @ApiProperty({ type: 'integer', description: 'Lines that no record of ours explains.' })
  unknown!: number;

  @ApiProperty({ type: 'integer' })
  amount!: number;

  @ApiProperty({ type: 'integer' })
  currency!: number;

  @ApiProperty({ type: 'integer', description: 'Lines that another payout has too.' })
  duplicate!: number;

  @ApiProperty({ type: 'integer', description: 'Fees that are not as the provider publishes them.' })
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
    type: 'integer', description: 'What arrives: payments less refunds, disputes, fees and VAT.',
  })
  amountMinor!: number;

  @ApiProperty({ type: 'integer' })
  feesMinor!: number;

  @ApiProperty({ type: 'integer' })
  feesVatMinor!: number;

  @ApiProperty({ format: 'date', description: 'The day it was made.' })
  date!: string;

  @ApiProperty({
    type: String, format: 'date', nullable: true, description: 'The day the bank had it.',
  })
  bankDate!: string | null;

  @ApiProperty({
    type: ReconciliationAnswer, nullable: true,
    description: 'Null until its lines are read and compared.',
  })
  reconciliation!: ReconciliationAnswer | null;
}

export class PayoutPage {
  @ApiProperty({ type: PayoutAnswer, isArray: true })
  items!: readonly PayoutAnswer[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

/** What one payment, refund or dispute adds to a payout, or takes from it. */
export class PayoutLineAnswer {
  @ApiProperty({
    enum: LINE_KINDS,
    description: '`dispute_reversal`: a dispute that was won gives its amount back.',
  })
  kind!: string;

  @ApiProperty({ description: "The provider's id of it." })
  providerId!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Our payment, where it is known.' })
  paymentId!: string | null;

  @ApiProperty()
  currency!: string;

  @ApiProperty({ type: 'integer', description: 'Without a sign: its kind tells which way.' })
  amountMinor!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  feeMinor!: number | null;

  @ApiProperty({ type: 'integer', description: 'How often the payout lists it, and so counts it.' })
  times!: number;
}

export class PayoutLinePage {
  @ApiProperty({ type: PayoutLineAnswer, isArray: true })
  items!: readonly PayoutLineAnswer[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

/** A row of `payout_list`, with the names of the answer where they differ. */
export interface PayoutRow extends Omit<PayoutAnswer, 'reconciliation'> {
  readonly matched: number | null;
  readonly exceptions: ExceptionCounts | null;
}

export const answerOfRow = ({ matched, exceptions, ...row }: PayoutRow): PayoutAnswer => ({
  ...row,
  amountMinor: Number(row.amountMinor),
  feesMinor: Number(row.feesMinor),
  feesVatMinor: Number(row.feesVatMinor),
  reconciliation: matched === null || exceptions === null ? null : { matched, exceptions },
});

export const payoutAnswer = (id: string, payout: AnnouncedPayout): PayoutAnswer => {
  const { terms, status, reconciliation } = payout;
  return {
    id, status,
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
