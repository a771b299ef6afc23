import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { MAX_AMOUNT_MINOR } from '#kernel';
import { queryOf } from '#lists';
import { REFUND_IS, type RefundIs } from '#operations';
import { Allow, CurrentUser, TakesCsrfToken } from '../access/allow.js';
import type { SignedIn } from '../access/sessions.js';
import { AuditedBy, type AuditOrigin } from '../shared/audit.js';
import { Answers } from '../shared/docs.js';
import { PAGING } from '../lists/list-controllers.js';
import { ReasonDto } from '../shared/reason.dto.js';
import { REPAIR_KINDS, type RepairKind } from './action.js';
import { ActionAnswer, ActionPage, PreviewAnswer, previewAnswer } from './action-answers.js';
import { ACTION_LIST, ActionStore } from './action-store.js';
import { Actions } from './actions.js';

const WORD = /^[\w.:@-]{1,200}$/;
const NOT_A_WORD = { message: '$property is not an id of ours' };

class TargetDto {
  @ApiProperty({
    description:
      'The id of the payment, order, merchant, job, exception, projection, account or ' +
      'webhook; of `poll_history` the mode.',
  })
  @Matches(WORD, NOT_A_WORD)
  subjectId!: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Of a refund, in minor units; default: what is left.',
  })
  // Null is no amount: it must not mean all that is left, as JSON has null for NaN.
  @ValidateIf((_, value) => value !== undefined)
  @Max(MAX_AMOUNT_MINOR)
  @Min(1)
  @IsInt()
  amountMinor?: number;

  @ApiPropertyOptional({
    description: 'Of `reissue_refund` and `give_up_refund`: one of `unmadeRefunds` of the payment.',
  })
  @IsOptional()
  @Matches(WORD, NOT_A_WORD)
  requestId?: string;

  @ApiPropertyOptional({
    enum: REFUND_IS,
    enumName: 'RefundIs',
    description:
      'Of `settle_call`: whose a refund, or a debit that a restore lost, is that is like the one ' +
      'asked for, and may be either; default: `ours`. With `others` the call is made then.',
  })
  @IsOptional()
  @IsIn(REFUND_IS)
  refundIs?: RefundIs;

  @ApiPropertyOptional({
    description: 'Of a failed reaction: the workflow. The subject is its key.',
    example: 'checkout',
  })
  @IsOptional()
  @Matches(WORD, NOT_A_WORD)
  saga?: string;

  @ApiPropertyOptional({
    description: 'Of `discard_reaction`: `stimulus` of the failed reaction that was seen.',
  })
  @IsOptional()
  @Matches(WORD, NOT_A_WORD)
  stimulus?: string;

  @ApiPropertyOptional({
    format: 'date',
    description: 'Of `poll_history`: the first day to be read again, at most 400 days ago.',
  })
  @IsOptional()
  @Matches(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, {
    message: '$property must be a day as YYYY-MM-DD',
  })
  fromDay?: string;
}

const SEEN = '`digest` of the preview that was decided upon: where it is another now, a 409.';

class ApprovalDto {
  @ApiProperty({ description: SEEN })
  @IsString()
  @MaxLength(64)
  seen!: string;
}

/** What is to be put right, and why. */
class ActionDto extends ReasonDto {
  @ApiPropertyOptional({ description: `${SEEN} What moves money must have been seen.` })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  seen?: string;

  @ApiProperty({ enum: REPAIR_KINDS, enumName: 'RepairKind' })
  @IsIn(REPAIR_KINDS)
  kind!: RepairKind;

  @ApiProperty({ type: TargetDto })
  @IsDefined()
  @ValidateNested()
  @Type(() => TargetDto)
  target!: TargetDto;
}

class ActionQuery extends queryOf(ACTION_LIST, PAGING) {}

@ApiTags('Actions')
@Controller('v1/actions')
export class ActionsController {
  constructor(
    private readonly actions: Actions,
    private readonly rows: ActionStore,
  ) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'What was asked to be put right, newest first',
    operationId: 'listActions',
  })
  @Answers({ status: 200, type: ActionPage, description: 'A page of actions.' }, 422)
  async list(@Query() query: ActionQuery): Promise<ActionPage> {
    const { items, nextCursor } = await this.rows.list(query);
    return { items, nextCursor };
  }

  @Get(':id')
  @Allow('viewer')
  @ApiOperation({ summary: 'One action', operationId: 'getAction' })
  @Answers({ status: 200, type: ActionAnswer, description: 'The action.' }, 404)
  async get(@Param('id') id: string): Promise<ActionAnswer> {
    return this.rows.get(id);
  }

  @Get(':id/preview')
  @Allow('operator')
  @ApiOperation({
    summary: 'What an action that waits would do now',
    operationId: 'previewAction',
    description: 'Who asks again within five seconds is told the same: it may read the provider.',
  })
  @Answers(
    { status: 200, type: PreviewAnswer, description: 'Nothing is done.' },
    404,
    409,
    422,
    502,
  )
  async previewOf(@Param('id') id: string): Promise<PreviewAnswer> {
    return previewAnswer(await this.actions.previewOf(id));
  }

  @Post('dry-run')
  @Allow('operator')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({
    summary: 'What would be done',
    operationId: 'dryRunAction',
    description: 'Decides on what is true now, and writes nothing.',
  })
  @Answers(
    { status: 200, type: PreviewAnswer, description: 'Nothing is done.' },
    404,
    409,
    422,
    502,
  )
  async dryRun(@Body() wish: ActionDto, @CurrentUser() user: SignedIn): Promise<PreviewAnswer> {
    return previewAnswer(await this.actions.preview(wish, user));
  }

  @Post()
  @Allow('operator')
  @TakesCsrfToken()
  @ApiOperation({
    summary: 'Put something right',
    operationId: 'requestAction',
    description:
      'What money depends on (`capture`, `cancel`, `refund`, `reissue_refund`, `give_up_refund`, ' +
      '`settle_call`, `discard_reaction`, `close_exception`) and what decides where it goes ' +
      '(`switch_account`, `disable_account`: of admins) waits, for a day, for a second person. All else is done at once: look at `status` and `outcome`.',
  })
  @Answers({ status: 201, type: ActionAnswer, description: 'The action.' }, 404, 409, 422, 502)
  async request(
    @Body() wish: ActionDto,
    @CurrentUser() user: SignedIn,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<ActionAnswer> {
    return this.actions.request(wish, wish.seen, user, origin);
  }

  @Post(':id/approve')
  @Allow('operator')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({
    summary: 'Approve what somebody else asked for',
    operationId: 'approveAction',
    description: 'It is carried out at once: look at `status` and `outcome`.',
  })
  @Answers({ status: 200, type: ActionAnswer, description: 'The action.' }, 404, 409, 422, 502)
  async approve(
    @Param('id') id: string,
    @Body() { seen }: ApprovalDto,
    @CurrentUser() user: SignedIn,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<ActionAnswer> {
    return this.actions.approve(id, seen, user, origin);
  }

  @Post(':id/reject')
  @Allow('operator')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({ summary: 'Reject an action, or withdraw your own', operationId: 'rejectAction' })
  @Answers({ status: 200, type: ActionAnswer, description: 'The action.' }, 404, 409, 422)
  async reject(
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() user: SignedIn,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<ActionAnswer> {
    return this.actions.reject(id, reason, user, origin);
  }
}
