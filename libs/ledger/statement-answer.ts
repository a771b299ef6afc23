import { ApiProperty } from '@nestjs/swagger';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { DateTime, Field, Integer, ListOf, OneOf } from '#platform';

/** The number and the sum of the entries of one kind. */
export class StatementSum {
  @Integer('The number of entries.')
  count!: number;

  @Integer('In minor units, never negative.')
  amountMinor!: number;
}

const sumOf = (description: string) => ApiProperty({ type: StatementSum, description });

/** A merchant's balance in one currency: how it changed in a month. */
export class StatementBalance {
  @Field()
  currency!: string;

  @Integer('What the provider owed the merchant when the month began, in minor units.')
  openingMinor!: number;

  @sumOf('Captured payments, which increase the balance.')
  payments!: StatementSum;

  @sumOf('Refunds, which decrease the balance.')
  refunds!: StatementSum;

  @sumOf('Chargebacks and returned direct debits, which decrease the balance.')
  disputes!: StatementSum;

  @sumOf('Won disputes, which increase the balance.')
  disputeReversals!: StatementSum;

  @Integer(
    'The difference of payout lines from the ledger that operators accepted, before fees; negative ' +
      'if it decreases the balance.',
  )
  correctionsMinor!: number;

  @Integer('The fees that the provider deducted, in minor units.')
  feesMinor!: number;

  @Integer('The VAT on fees that the provider deducted with payouts, in minor units.')
  vatMinor!: number;

  @sumOf('Payouts, which decrease the balance.')
  payouts!: StatementSum;

  @sumOf('Payouts that failed after they were sent, which increase the balance.')
  failedPayouts!: StatementSum;

  @Integer(
    'What the provider owed the merchant when the month ended: `openingMinor` + payments - refunds - ' +
      'disputes + dispute reversals + corrections - fees - VAT - payouts + failed payouts.',
  )
  closingMinor!: number;
}

/** The statement of a merchant for a month. */
export class StatementAnswer {
  @Field()
  merchantId!: string;

  @OneOf(ACCOUNT_MODES)
  mode!: AccountMode;

  @Field('The month, in UTC.', { example: '2026-03' })
  month!: string;

  @DateTime('The beginning of the month.')
  from!: string;

  @DateTime('The end of the month, exclusive.')
  to!: string;

  @Field(
    'Whether the month has ended and is booked completely, from some minutes after its end; the ' +
      'statement then does not change.',
  )
  isFinal!: boolean;

  @ListOf(StatementBalance, 'One for each currency in which money was booked; empty before.')
  balances!: readonly StatementBalance[];
}
