import { Body, Controller, Get, Inject, Post } from '@nestjs/common';
import { ApiOperation, ApiTags, IntersectionType, OmitType } from '@nestjs/swagger';
import { IsIn, IsInt, Matches, Max, Min } from 'class-validator';
import { Pool } from 'pg';
import {
  type DailyLimit,
  LIMIT_HOLDERS,
  LIMIT_UNITS,
  LIMITED_OPERATIONS,
  listDailyLimits,
} from '#operations';
import { Field, Integer, OneOf } from '#platform';
import { type Acting, Allow, CurrentUser } from '../access/allow.js';
import { ActionAnswer, actionPath } from '../actions/action-answers.js';
import { Actions } from '../actions/actions.js';
import { Answers, listOf } from '../shared/docs.js';
import { ReasonDto } from '../shared/reason.dto.js';

/** A limit for each day of business time (UTC). */
class LimitItem implements DailyLimit {
  @OneOf(LIMIT_HOLDERS, 'The kind of holder.', 'LimitHolder')
  @IsIn(LIMIT_HOLDERS)
  holder!: DailyLimit['holder'];

  @Field('A key prefix, platform id or mandate id; `*`: every holder without a limit of its own.')
  @Matches(/^(?:\*|[\w-]{1,80})$/, { message: '$property must be an id, or *' })
  holderId!: string;

  @OneOf(LIMITED_OPERATIONS, 'The limited operation.', 'LimitedOperation')
  @IsIn(LIMITED_OPERATIONS)
  operation!: DailyLimit['operation'];

  @OneOf(LIMIT_UNITS, 'Whether amounts or the number of operations is limited.', 'LimitUnit')
  @IsIn(LIMIT_UNITS)
  unit!: DailyLimit['unit'];

  @Integer('The limit: a number of operations, or minor units of each currency.')
  daily!: number;
}

class LimitList extends listOf(LimitItem) {}

class ChangeLimitDto extends IntersectionType(ReasonDto, OmitType(LimitItem, ['daily'])) {
  @Integer('The limit per day of business time (UTC).', {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  })
  @Max(Number.MAX_SAFE_INTEGER)
  @Min(0)
  @IsInt()
  daily!: number;
}

@ApiTags('Settings')
@Controller('v1/limits')
export class LimitsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly actions: Actions,
  ) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'Daily limits' })
  @Answers({ type: LimitList, description: 'Sorted by holder.' })
  async listLimits(): Promise<LimitList> {
    return { items: await listDailyLimits(this.pool) };
  }

  @Post()
  @Allow('admin')
  @ApiOperation({
    summary: 'Request a limit change',
    description: 'The new limit takes effect when a second admin approves the change.',
  })
  @Answers(
    {
      status: 201,
      location: actionPath,
      type: ActionAnswer,
      description: 'The action request, awaiting approval.',
    },
    409,
    422,
  )
  async changeLimit(
    @Body() { reason, ...limit }: ChangeLimitDto,
    @CurrentUser() by: Acting,
  ): Promise<ActionAnswer> {
    const { holder, holderId, operation, unit, daily } = limit;
    const target = {
      subjectId: `${holder}.${operation}.${unit}`,
      limit: { holder, holderId, operation, unit, daily },
    };
    const setting = { kind: 'change_limit', target, reason } as const;
    return this.actions.requestSetting(setting, by);
  }
}
