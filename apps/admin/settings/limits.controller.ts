import { Body, Controller, Get, Inject, Post } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn, IsInt, Matches, Max, Min } from 'class-validator';
import { Pool } from 'pg';
import {
  type DailyLimit,
  LIMIT_HOLDERS,
  LIMIT_UNITS,
  LIMITED_OPERATIONS,
  listDailyLimits,
} from '#operations';
import { Allow, CurrentUser, TakesCsrfToken } from '../access/allow.js';
import type { SignedIn } from '../access/sessions.js';
import { ActionAnswer } from '../actions/action-answers.js';
import { Actions } from '../actions/actions.js';
import { AuditedBy, type AuditOrigin } from '../shared/audit.js';
import { Answers } from '../shared/docs.js';
import { ReasonDto } from '../shared/reason.dto.js';

const OF_ALL =
  'A key’s prefix, a platform’s or mandate’s id; `*`: all that have no limit of their own.';

/** How much one holder may do in a day of business time (UTC). */
class LimitItem implements DailyLimit {
  @ApiProperty({ enum: LIMIT_HOLDERS, enumName: 'LimitHolder' })
  holder!: DailyLimit['holder'];

  @ApiProperty({ description: OF_ALL })
  holderId!: string;

  @ApiProperty({ enum: LIMITED_OPERATIONS, enumName: 'LimitedOperation' })
  operation!: DailyLimit['operation'];

  @ApiProperty({ enum: LIMIT_UNITS, enumName: 'LimitUnit' })
  unit!: DailyLimit['unit'];

  @ApiProperty({
    type: 'integer',
    description: 'A count, or minor units of each currency by itself.',
  })
  daily!: number;
}

class LimitList {
  @ApiProperty({ type: LimitItem, isArray: true })
  items!: readonly LimitItem[];
}

class ChangeLimitDto extends ReasonDto {
  @ApiProperty({ enum: LIMIT_HOLDERS, enumName: 'LimitHolder' })
  @IsIn(LIMIT_HOLDERS)
  holder!: DailyLimit['holder'];

  @ApiProperty({ description: OF_ALL })
  @Matches(/^(?:\*|[\w-]{1,80})$/, { message: '$property must be an id, or *' })
  holderId!: string;

  @ApiProperty({ enum: LIMITED_OPERATIONS, enumName: 'LimitedOperation' })
  @IsIn(LIMITED_OPERATIONS)
  operation!: DailyLimit['operation'];

  @ApiProperty({ enum: LIMIT_UNITS, enumName: 'LimitUnit' })
  @IsIn(LIMIT_UNITS)
  unit!: DailyLimit['unit'];

  @ApiProperty({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
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
  @ApiOperation({ summary: 'What may be moved in a day', operationId: 'listLimits' })
  @Answers({ status: 200, type: LimitList, description: 'By holder.' })
  async list(): Promise<LimitList> {
    return { items: await listDailyLimits(this.pool) };
  }

  @Post()
  @Allow('admin')
  @TakesCsrfToken()
  @ApiOperation({
    summary: 'Ask for another limit',
    operationId: 'changeLimit',
    description: 'It holds once a second admin has approved it.',
  })
  @Answers({ status: 201, type: ActionAnswer, description: 'It waits for approval.' }, 409, 422)
  async change(
    @Body() { reason, ...limit }: ChangeLimitDto,
    @CurrentUser() by: SignedIn,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<ActionAnswer> {
    const { holder, holderId, operation, unit, daily } = limit;
    const target = {
      subjectId: `${holder}.${operation}.${unit}`,
      limit: { holder, holderId, operation, unit, daily },
    };
    const setting = { kind: 'change_limit', target, reason } as const;
    return this.actions.requestSetting(setting, by, origin);
  }
}
