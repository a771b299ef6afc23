import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { Lists } from '#lists';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { PayoutLinePage, PayoutLineQuery, readLines } from './payout-lines.js';

@ApiTags('Payouts')
@Controller('v1/payouts')
export class PayoutsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly lists: Lists,
  ) {}

  @Get(':id/lines')
  @Allow('viewer')
  @ApiOperation({ summary: 'The lines of a payout with their ledger entries' })
  @Answers({ type: PayoutLinePage, description: 'A page of lines.' }, 422)
  listPayoutLines(
    @Param('id') id: string,
    @Query() query: PayoutLineQuery,
  ): Promise<PayoutLinePage> {
    return readLines(this.pool, this.lists, id, query);
  }
}
