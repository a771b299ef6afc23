import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { INSTANT, itemOf, pageOf } from '#lists';
import { CASE_KINDS, CASE_LIST, type CaseKind } from '#operations';
import { DateTime, Field, Integer, ListOf, Nullable, NullableDateTime, OneOf } from '#platform';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { listOf } from '../shared/docs.js';
import { NothingPersonal, ReasonDto } from '../shared/reason.dto.js';

/** What a person did about a case: added a note, or requested, approved or rejected an action. */
export const CASE_DEEDS = [
  'taken',
  'released',
  'comment',
  'snoozed',
  'woken',
  'action.requested',
  'action.approved',
  'action.rejected',
  'action.done',
  'action.failed',
] as const;

/** The fields of an open case that the server needs itself. */
export interface OpenCase {
  readonly id: string;
  readonly kind: CaseKind;
  readonly part: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly targetId: string;
  readonly cause: string;
  readonly since: Date;
  readonly deadline: Date | null;
}

export const CaseItem = itemOf(CASE_LIST);
export const CasePage = pageOf(CASE_LIST, CaseItem);

class CaseTotal {
  @OneOf(CASE_KINDS, 'The kind of case.', 'CaseKind')
  kind!: CaseKind;

  @ApiProperty({
    enum: ACCOUNT_MODES,
    nullable: true,
    description: 'The mode of the account or merchant; null: the cases without a mode.',
  })
  mode!: AccountMode | null;

  @Nullable(String, 'ISO 4217, lower case; null: the cases without an amount.')
  currency!: string | null;

  @Integer('The number of open cases of this kind with this currency.')
  cases!: number;

  @Nullable('integer', 'The money at risk in minor units; null: none.')
  amountMinor!: number | null;
}

class CaseSum extends PickType(CaseTotal, ['mode', 'currency', 'amountMinor']) {}

export class CaseTotalList extends listOf(CaseTotal, 'One row for each kind, mode and currency.') {
  @ListOf(
    CaseSum,
    'The money at risk in all cases, for each mode and currency. The money of a payment with cases ' +
      'of several kinds counts once.',
  )
  atRisk!: readonly CaseSum[];

  @ApiProperty({
    enum: ACCOUNT_MODES,
    description: 'Live if any provider account or merchant is live, otherwise test.',
  })
  usualMode!: AccountMode;
}

export class CaseDeed {
  @DateTime('When it was done, wall-clock time.')
  at!: Date;

  @Field('Who did it: `user:<id>`, or `ops:<hash>`.')
  actor!: string;

  @OneOf(CASE_DEEDS, 'What was done.', 'CaseDeedKind')
  deed!: (typeof CASE_DEEDS)[number];

  @Nullable(String, 'The kind of the action; null: not an action.')
  actionKind!: string | null;

  @Field('The comment, or the reason that was given; empty: none.')
  text!: string;

  @NullableDateTime('Until when the case was snoozed.')
  until!: Date | null;
}

export class CaseAnswer {
  @ApiProperty({
    type: CaseItem,
    nullable: true,
    description: 'The open case; null: its cause has ended.',
  })
  case!: object | null;

  @ListOf(CaseDeed, 'What people did about the case, oldest first.')
  history!: readonly CaseDeed[];
}

class CaseNote extends CaseDeed {
  @Field('The id of the case.')
  caseId!: string;
}

export class CaseNoteList extends listOf(CaseNote, 'Newest first, at most 200.') {}

export class CommentDto {
  @Field('Stored permanently: do not include personal data.', { minLength: 1, maxLength: 2000 })
  @Matches(/^\S(?:.{0,1998}\S)?$/s, { message: '$property must have 1 to 2000 characters' })
  @NothingPersonal()
  text!: string;
}

export class SnoozeDto extends ReasonDto {
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Until when the case is hidden, at most 90 days ahead; absent: it is shown again.',
  })
  @IsOptional()
  @INSTANT
  until?: string;
}
