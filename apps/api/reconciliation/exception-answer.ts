import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { EXCEPTION_KINDS, EXCEPTION_SUBJECTS } from '#payout';
import { DateTime, Field, Integer, Nullable, NullableDateTime, OneOf } from '#platform';
import { HoldsNoEmail } from '../shared/validators.js';

export class ExceptionSubject {
  @OneOf(EXCEPTION_SUBJECTS, 'The type of the line: payment, refund, dispute or reversed dispute.')
  kind!: string;

  @Field('The id of our payment, or of the provider’s payment, refund, dispute or payout.')
  id!: string;
}

export class ExceptionClosing {
  @DateTime()
  at!: string;

  @Field(
    '`facts`: closed by later facts; otherwise the actor: a platform and its key, or an operator.',
  )
  by!: string;

  @Field()
  reason!: string;
}

export class ClosingRequest {
  @DateTime()
  at!: string;

  @Field()
  reason!: string;
}

/** A difference between the provider's payouts and our ledger. */
export class ExceptionAnswer {
  @Field()
  id!: string;

  @OneOf(EXCEPTION_KINDS, 'How the payout line and our ledger differ.')
  kind!: string;

  @Field()
  providerAccountId!: string;

  @Field()
  merchantId!: string;

  @ApiProperty({ type: ExceptionSubject })
  subject!: ExceptionSubject;

  @Nullable(String)
  paymentId!: string | null;

  @Nullable(String)
  payoutId!: string | null;

  @Field()
  currency!: string;

  @Integer()
  amountMinor!: number;

  @Field()
  expected!: string;

  @Field()
  observed!: string;

  @Field(
    'The day of the payout, or of the ledger entry that no payout contains, e.g. `2026-03-31`.',
    { format: 'date' },
  )
  since!: string;

  @DateTime()
  foundAt!: string;

  @Nullable(ClosingRequest, 'Whether a request to close the break awaits an operator’s approval.')
  closing!: ClosingRequest | null;

  @Nullable(ExceptionClosing)
  closed!: ExceptionClosing | null;
}

/** A reconciliation break as a line of a downloaded file. */
export class ExceptionLine extends OmitType(ExceptionAnswer, ['subject', 'closing', 'closed']) {
  @OneOf(EXCEPTION_SUBJECTS)
  lineKind!: string;

  @Field('The id of our payment, or of the provider’s payment, refund, dispute or payout.')
  objectId!: string;

  @NullableDateTime()
  closedAt!: string | null;

  @Nullable(
    String,
    '`facts`: closed by later facts; otherwise the platform and key that closed it.',
  )
  closedBy!: string | null;

  @Nullable(String)
  closeReason!: string | null;
}

export class CloseExceptionDto {
  @ApiProperty({ minLength: 3, maxLength: 300, example: 'A test payment made manually.' })
  @Matches(/^[^\p{Cc}]{3,300}$/u, { message: '$property must be 3 to 300 characters on one line' })
  @HoldsNoEmail()
  reason!: string;
}
