import { ApiProperty } from '@nestjs/swagger';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { DateTime, Field, Integer, ListOf, Nullable, NullableDateTime, OneOf } from '#platform';

/** A number of objects and the sum of their amounts. */
export class MoneySum {
  @Integer('The number.')
  count!: number;

  @Integer('The sum of the amounts, in minor units.')
  amountMinor!: number;
}

export class LapsingSum extends MoneySum {
  @NullableDateTime('When the first of them expires; null: there are none.')
  soonestAt!: Date | null;
}

export class DeclineCount {
  @Nullable(String, 'The response code of the payer’s bank; null: the bank gave none.')
  code!: string | null;

  @Integer('The number of payments.')
  count!: number;
}

export class PayoutMatches {
  @Integer('Payouts whose lines were all read and compared with the ledger.')
  reconciled!: number;

  @Integer('The reconciled payouts without an open break.')
  matched!: number;
}

export class BreaksOfAge {
  @Integer('The lowest age, in whole days.')
  minDays!: number;

  @Nullable('integer', 'The highest age, in whole days; null: no limit.')
  maxDays!: number | null;

  @Nullable(String, 'The first day of the breaks of this age, YYYY-MM-DD; null: no limit.')
  sinceFrom!: string | null;

  @Nullable(String, 'The last day of the breaks of this age, inclusive; null: no limit.')
  sinceTo!: string | null;

  @Integer('The number of open breaks.')
  count!: number;
}

export class OpenBreaks extends MoneySum {
  @ListOf(BreaksOfAge, 'The open breaks by age, youngest first; without ages that have none.')
  ages!: readonly BreaksOfAge[];
}

export class MoneyDay {
  @Field('The calendar day in the requested time zone, YYYY-MM-DD.', { format: 'date' })
  day!: string;

  @Integer('Captured on the day, in minor units.')
  capturedMinor!: number;

  @Integer('Refunded on the day, in minor units.')
  refundedMinor!: number;

  @Integer('Charged back on the day, in minor units.')
  chargedBackMinor!: number;
}

const sum = (description: string) => ApiProperty({ type: MoneySum, description });

/** The money of a period in one currency, and the money that is on its way now. */
export class MoneyOfCurrency {
  @Field('ISO 4217, lower case.')
  currency!: string;

  @sum('The payments that were authorized in the period; direct debits: accepted.')
  authorized!: MoneySum;

  @Integer(
    'What was captured so far of the payments authorized in the period, with accepted captures that are not sent to clearing yet, in minor units.',
  )
  capturedOfAuthorizedMinor!: number;

  @sum('The captures that the ledger booked in the period.')
  captured!: MoneySum;

  @sum('The refunds that the ledger booked in the period.')
  refunded!: MoneySum;

  @sum('The chargebacks and returned debits that the ledger booked in the period.')
  chargedBack!: MoneySum;

  @Integer('Payments whose last attempt was declined in the period, and that were not authorized.')
  notAuthorized!: number;

  @ListOf(
    DeclineCount,
    'Payments with an attempt that was declined in the period, by the code of the last decline; ' +
      'most frequent first.',
  )
  declines!: readonly DeclineCount[];

  @sum('Authorized payments without a capture.')
  uncaptured!: MoneySum;

  @ApiProperty({
    type: LapsingSum,
    description: 'Those of them whose authorization expires before `lapsingTo` has ended.',
  })
  lapsing!: LapsingSum;

  @Integer(
    'What the provider owes the merchants and has not paid out, before VAT on fees, in minor units.',
  )
  toPayOutMinor!: number;

  @ApiProperty({ type: PayoutMatches, description: 'The payouts of the period.' })
  payouts!: PayoutMatches;

  @ApiProperty({ type: OpenBreaks, description: 'The reconciliation breaks that are open now.' })
  openBreaks!: OpenBreaks;

  @ListOf(MoneyDay, 'What the ledger booked on each day of the period.')
  days!: readonly MoneyDay[];
}

/** The figures of the money page. */
export class MoneyAnswer {
  @DateTime('The current business time.')
  now!: string;

  @Field('The first day of the period, which includes today.', { format: 'date' })
  from!: string;

  @Field('The day by whose end the lapsing authorizations expire.', { format: 'date' })
  lapsingTo!: string;

  @OneOf(ACCOUNT_MODES, 'The mode of the provider accounts that the figures are of.')
  mode!: AccountMode;

  @ApiProperty({
    enum: ACCOUNT_MODES,
    isArray: true,
    description: 'The modes in which there are provider accounts.',
  })
  modes!: readonly AccountMode[];

  @ListOf(MoneyOfCurrency, 'The currencies with money, most captures first.')
  currencies!: readonly MoneyOfCurrency[];
}
