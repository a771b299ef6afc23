import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
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
import { Field, OneOf } from '#platform';
import { type Acting, Allow, CurrentUser } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { PAGING } from '../lists/list-controllers.js';
import { ReasonDto } from '../shared/reason.dto.js';
import { digestOf, REPAIR_KINDS, type RepairKind } from './action.js';
import { ActionAnswer, ActionPage, actionPath } from './action-answers.js';
import { ACTION_LIST, ActionStore } from './action-store.js';
import { Actions } from './actions.js';
import { type Preview, PreviewAnswer } from './preview-items.js';

const WORD = /^[\w.:@-]{1,200}$/;
/** The subject of an action: an id, or the names of several incidents. */
const SUBJECT = /^[\w.:@-]{1,2000}$/;
const NOT_A_SUBJECT = {
  message: '$property must have 1 to 2000 letters, digits or any of _ . : @ -',
};
const NOT_A_WORD = { message: '$property must have 1 to 200 letters, digits or any of _ . : @ -' };

/** The number of rows that a list of the console shows at once. */
const MAX_DELIVERIES = 200;

class TargetDto {
  @Field(
    'The id of the payment, order, merchant, job, exception, projection, account, ' +
      'webhook or webhook endpoint; for `poll_history` the mode; for `retry_requests` the incident, ' +
      '`<cause>.f<begun>.t<latest>` with both times in milliseconds, or up to 20 of them, ' +
      'separated by colons.',
  )
  @Matches(SUBJECT, NOT_A_SUBJECT)
  subjectId!: string;

  @ApiPropertyOptional({
    type: 'integer',
    description:
      'The amount of a refund or capture, in minor units; default: the full remaining amount.',
  })
  // Null is not accepted as the amount: JSON writes NaN as null, and a NaN must not refund the
  // whole remaining amount.
  @ValidateIf((_, value) => value !== undefined)
  @Max(MAX_AMOUNT_MINOR)
  @Min(1)
  @IsInt()
  amountMinor?: number;

  @ApiPropertyOptional({
    description:
      'For `capture`: whether the rest of the authorization is released; default: false. Always ' +
      'true if the provider supports only one capture.',
  })
  @IsOptional()
  @IsBoolean()
  isFinal?: boolean;

  @ApiPropertyOptional({
    description:
      'For `reissue_refund` and `abandon_refund`: one of `rejectedRefunds` of the payment.',
  })
  @IsOptional()
  @Matches(WORD, NOT_A_WORD)
  requestId?: string;

  @ApiPropertyOptional({
    enum: REFUND_IS,
    enumName: 'RefundIs',
    description:
      'For `resolve_result`: whether the refund or debit found at the provider is the requested ' +
      'one (`ours`, the default) or a different one (`others`). With `others` the request is ' +
      'sent.',
  })
  @IsOptional()
  @IsIn(REFUND_IS)
  refundIs?: RefundIs;

  @ApiPropertyOptional({
    description:
      'For a failed reaction: the workflow. `subjectId` is then the id of its order or merchant.',
    example: 'checkout',
  })
  @IsOptional()
  @Matches(WORD, NOT_A_WORD)
  saga?: string;

  @ApiPropertyOptional({
    description: 'For `discard_reaction`: `stimulus` of the failed reaction.',
  })
  @IsOptional()
  @Matches(WORD, NOT_A_WORD)
  stimulus?: string;

  @ApiPropertyOptional({
    format: 'date',
    description: 'For `poll_history`: the first day to poll, at most 400 days ago.',
  })
  @IsOptional()
  @Matches(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, {
    message: '$property must be a day as YYYY-MM-DD',
  })
  fromDay?: string;

  @ApiPropertyOptional({
    type: [String],
    maxItems: MAX_DELIVERIES,
    description:
      'For `redeliver_webhooks`: the deliveries of the endpoint that are sent again; default: ' +
      'all that are pending or failed.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_DELIVERIES)
  @Matches(WORD, { ...NOT_A_WORD, each: true })
  deliveryIds?: readonly string[];
}

const SEEN =
  '`digest` of the preview that the user saw. If the effect has changed since, the response is ' +
  'a 409.';

class ApprovalDto {
  @Field(SEEN)
  @IsString()
  @MaxLength(64)
  seen!: string;
}

/** The request to execute an action, with its reason. */
class ActionDto extends ReasonDto {
  @ApiPropertyOptional({ description: `${SEEN} Required for actions that affect money.` })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  seen?: string;

  @OneOf(REPAIR_KINDS, 'The kind of action.', 'RepairKind')
  @IsIn(REPAIR_KINDS)
  kind!: RepairKind;

  @ApiProperty({ type: TargetDto, description: 'The target of the action.' })
  @IsDefined()
  @ValidateNested()
  @Type(() => TargetDto)
  target!: TargetDto;
}

class ActionQuery extends queryOf(ACTION_LIST, PAGING) {}

const previewAnswer = (preview: Preview): PreviewAnswer => ({
  ...preview,
  digest: digestOf(preview),
});

@ApiTags('Actions')
@Controller('v1/actions')
export class ActionsController {
  constructor(
    private readonly actions: Actions,
    private readonly rows: ActionStore,
  ) {}

  @Get()
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'Action requests, newest first' })
  @Answers({ type: ActionPage, description: 'A page of actions.' }, 422)
  async listActions(@Query() query: ActionQuery): Promise<ActionPage> {
    const { items, nextCursor } = await this.rows.list(query);
    return { items, nextCursor };
  }

  @Get(':id')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'Get an action' })
  @Answers({ type: ActionAnswer, description: 'The action.' }, 404)
  async getAction(@Param('id') id: string): Promise<ActionAnswer> {
    return this.rows.get(id);
  }

  @Get(':id/preview')
  @Allow('operator', { narrowed: true })
  @ApiOperation({
    summary: 'Preview a pending action',
    description: 'Computes the effect from the current state, and writes nothing.',
  })
  @Answers(
    { type: PreviewAnswer, description: 'The effect that the action would have.' },
    404,
    409,
    422,
    502,
  )
  async previewAction(@Param('id') id: string, @CurrentUser() by: Acting): Promise<PreviewAnswer> {
    return previewAnswer(await this.actions.previewFor(id, by));
  }

  @Post('dry-run')
  @Allow('operator', { narrowed: true })
  @ApiOperation({
    summary: 'Preview an action',
    description: 'Computes the effect from the current state, and writes nothing.',
  })
  @Answers(
    { type: PreviewAnswer, description: 'The effect that the action would have.' },
    404,
    409,
    422,
    502,
  )
  async dryRunAction(
    @Body() request: ActionDto,
    @CurrentUser() user: Acting,
  ): Promise<PreviewAnswer> {
    return previewAnswer(await this.actions.preview(request, user));
  }

  @Post()
  @Allow('operator', { narrowed: true })
  @ApiOperation({
    summary: 'Request an action',
    description:
      'Actions that affect money (`capture`, `cancel`, `refund`, `reissue_refund`, ' +
      '`abandon_refund`, `resolve_result`, `review_mismatches`, `retry_requests`, `discard_reaction`, `close_exception`, and of admins ' +
      '`switch_account`, `disable_account`) need the approval of a second person within a ' +
      'day. Others are executed immediately: see `status` and `outcome`.',
  })
  @Answers(
    { status: 201, location: actionPath, type: ActionAnswer, description: 'The action.' },
    404,
    409,
    422,
    502,
  )
  async requestAction(
    @Body() request: ActionDto,
    @CurrentUser() user: Acting,
  ): Promise<ActionAnswer> {
    return this.actions.request(request, request.seen, user);
  }

  @Post(':id/approve')
  @Allow('operator', { narrowed: true })
  @ApiOperation({
    summary: 'Approve an action',
    description: 'The action is executed immediately: see `status` and `outcome`.',
  })
  @Answers({ type: ActionAnswer, description: 'The action.' }, 404, 409, 422, 502)
  async approveAction(
    @Param('id') id: string,
    @Body() { seen }: ApprovalDto,
    @CurrentUser() user: Acting,
  ): Promise<ActionAnswer> {
    return this.actions.approve(id, seen, user);
  }

  @Post(':id/reject')
  @Allow('operator', { narrowed: true })
  @ApiOperation({ summary: 'Reject an action, or withdraw your own' })
  @Answers({ type: ActionAnswer, description: 'The action.' }, 404, 409, 422)
  async rejectAction(
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() user: Acting,
  ): Promise<ActionAnswer> {
    return this.actions.reject(id, reason, user);
  }
}
