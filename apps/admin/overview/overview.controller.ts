import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { type Clock } from '#kernel';
import { logLag } from '#kafka';
import { CLOCK } from '#platform';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { OverviewAnswer } from './overview-answers.js';
import { Overview } from './overview.js';

@ApiTags('Overview')
@Controller('v1/overview')
export class OverviewController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly overview: Overview,
  ) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'How things go, and what needs a person', operationId: 'getOverview' })
  @Answers({ status: 200, type: OverviewAnswer, description: 'The first page.' })
  async get(): Promise<OverviewAnswer> {
    const { overview } = this;
    const [byHour, oldestOpen, attention, relay, provider, exceptions, watermarks] =
      await Promise.all([
        overview.byHour(),
        overview.oldestOpen(),
        overview.attention(),
        logLag(this.pool),
        overview.provider(),
        overview.exceptions(),
        overview.watermarks(),
      ]);
    return {
      now: this.clock.now(),
      byHour,
      oldestOpen,
      attention,
      relay,
      provider,
      exceptions,
      watermarks,
    };
  }
}
