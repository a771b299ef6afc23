import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { EXCEPTION_KINDS, EXCEPTION_SUBJECTS } from '#payout';
import { HoldsNoEmail } from '../shared/validators.js';

export class ExceptionSubject {
  @ApiProperty({ enum: EXCEPTION_SUBJECTS })
  kind!: string;

  @ApiProperty({
    description: 'The id of our payment, or of the provider’s payment, refund, dispute or payout.',
  })
  id!: string;
}

export class ExceptionClosing {
  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty({
    description:
      '`facts`: closed by later facts; otherwise the actor: a platform and its key, or an operator.',
  })
  by!: string;

  @ApiProperty()
  reason!: string;
}

export class ClosingRequest {
  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty()
  reason!: string;
}

/** A difference between the provider's payouts and our ledger. */
export class ExceptionAnswer {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: EXCEPTION_KINDS })
  kind!: string;

  @ApiProperty()
  providerAccountId!: string;

  @ApiProperty()
  merchantId!: string;

  @ApiProperty({ type: ExceptionSubject })
  subject!: ExceptionSubject;

  @ApiProperty({ type: String, nullable: true })
  paymentId!: string | null;

  @ApiProperty({ type: String, nullable: true })
  payoutId!: string | null;

  @ApiProperty()
  currency!: string;

  @ApiProperty({ type: 'integer' })
  amountMinor!: number;

  @ApiProperty()
  expected!: string;

  @ApiProperty()
  observed!: string;

  @ApiProperty({
    format: 'date',
    description: 'The day of the payout, or of the missing booking, e.g. `2026-03-31`.',
  })
  since!: string;

  @ApiProperty({ format: 'date-time' })
  foundAt!: string;

  @ApiProperty({
    type: ClosingRequest,
    nullable: true,
    description: 'Whether its closing was requested and waits for an operator’s approval.',
  })
  closing!: ClosingRequest | null;

  @ApiProperty({ type: ExceptionClosing, nullable: true })
  closed!: ExceptionClosing | null;
}

/** An exception as a line of a file. */
export class ExceptionLine extends OmitType(ExceptionAnswer, ['subject', 'closing', 'closed']) {
  @ApiProperty({ enum: EXCEPTION_SUBJECTS })
  lineKind!: string;

  @ApiProperty({
    description: 'The id of our payment, or of the provider’s payment, refund, dispute or payout.',
  })
  objectId!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  closedAt!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: '`facts`: closed by later facts; otherwise the platform and key that closed it.',
  })
  closedBy!: string | null;

  @ApiProperty({ type: String, nullable: true })
  closeReason!: string | null;
}

export class CloseExceptionDto {
  @ApiProperty({ minLength: 3, maxLength: 300, example: 'A test payment made manually.' })
  @Matches(/^[^\p{Cc}]{3,300}$/u, { message: '$property must be 3 to 300 characters on one line' })
  @HoldsNoEmail()
  reason!: string;
}
