import { ApiProperty } from '@nestjs/swagger';
import { type AnnouncedPayout, PAYOUT_STATUSES } from '#payout';
import { DateTime, Field, Integer, Nullable, OneOf } from '#platform';

class ExceptionsAnswer {
  @Integer('The number of lines without an entry in our ledger.')
  unknown!: number;

  @Integer()
  amount!: number;

  @Integer()
  currency!: number;

  @Integer('The number of lines that another payout also contains.')
  duplicate!: number;

  @Integer('The number of fees that differ from the provider’s price list.')
  fee!: number;
}

class ReconciliationAnswer {
  @Integer('The number of lines that match our ledger.')
  matched!: number;

  @ApiProperty({
    type: ExceptionsAnswer,
    description:
      'The number of open reconciliation breaks of the payout’s lines. Breaks of the payout itself, ' +
      'such as an amount that is not the sum of its lines, are only in the list of breaks.',
  })
  exceptions!: ExceptionsAnswer;
}

/** A credit transfer of the provider to a merchant's bank. */
export class PayoutAnswer {
  @Field('The id of the payout, `pout_…`.')
  id!: string;

  @Field()
  providerAccountId!: string;

  @Field()
  merchantId!: string;

  @OneOf(PAYOUT_STATUSES, 'The status of the transfer to the bank.')
  status!: string;

  @Field('The reference of the credit transfer.')
  reference!: string;

  @Field()
  currency!: string;

  @Integer('The amount that arrives at the bank: payments less refunds, disputes, fees and VAT.')
  amountMinor!: number;

  @Integer()
  feesMinor!: number;

  @Integer()
  feesVatMinor!: number;

  @Field('The day on which the provider created the payout, e.g. `2026-03-31`.', { format: 'date' })
  date!: string;

  @Nullable(String, 'The day on which the payout arrived at the bank, e.g. `2026-04-02`.', {
    format: 'date',
  })
  bankDate!: string | null;

  @Nullable(
    ReconciliationAnswer,
    'Null until the payout’s lines have been compared with the ledger.',
  )
  reconciliation!: ReconciliationAnswer | null;
}

/** A payout in a list. A list of payouts is updated within a second of a payout's change. */
export class PayoutItem extends PayoutAnswer {
  @DateTime('When the payout’s last change was read from the provider.')
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
