import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import {
  fileQueryOf,
  itemOf,
  Lists,
  type Page,
  pageOf,
  queryOf,
  type Scope,
  sendFile,
} from '#lists';
import { PAYOUT_LINES } from '#payout';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { payoutIdPipe } from '../shared/id.pipe.js';
import { FORMATS, PAGING } from '../shared/list-controllers.js';
import { Tenancy } from '../shared/tenancy.js';
import { payoutAnswer, PayoutAnswer } from './payout-answer.js';

const PayoutLine = itemOf(PAYOUT_LINES);
class LinesQuery extends queryOf(PAYOUT_LINES, PAGING) {}
class LinesFileQuery extends fileQueryOf(PAYOUT_LINES, FORMATS) {}

const ofPayout = (id: string): Scope => [['l.payout_id = ?', id]];

@ApiTags('Payouts')
@Controller('v1/payouts')
export class PayoutsController {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly lists: Lists,
  ) {}

  @Get(':id')
  @Allow('payouts:read')
  @ApiOperation({ summary: 'Read a payout' })
  @Answers({ type: PayoutAnswer, description: 'The payout.' }, 'payout_not_found')
  async getPayout(
    @Param('id', payoutIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<PayoutAnswer> {
    return payoutAnswer(id, await this.tenancy.payout(caller, id));
  }

  @Get(':id/lines')
  @Allow('payouts:read')
  @ApiOperation({
    summary: 'List the lines of a payout',
    description:
      'The lines that have been read so far: one for each payment, refund and dispute in the payout.',
  })
  @Answers(
    { type: pageOf(PAYOUT_LINES, PayoutLine), description: 'A page of the payout’s lines.' },
    'payout_not_found',
    'validation_failed',
  )
  async listPayoutLines(
    @Param('id', payoutIdPipe) id: string,
    @Query() query: LinesQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page> {
    await this.tenancy.payout(caller, id);
    return this.lists.page(PAYOUT_LINES, ofPayout(id), query, PAGING.usual);
  }

  @Get(':id/lines/export')
  @Allow('payouts:read')
  @ApiOperation({ summary: 'Download all lines of a payout' })
  @Answers(
    { rows: PayoutLine, description: 'CSV with a header row, or a JSON array.' },
    'payout_not_found',
    'validation_failed',
  )
  async exportPayoutLines(
    @Param('id', payoutIdPipe) id: string,
    @Query() { format, ...query }: LinesFileQuery,
    @CurrentCaller() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.tenancy.payout(caller, id);
    const rows = await this.lists.all(PAYOUT_LINES, ofPayout(id), query);
    await sendFile(reply, format, PAYOUT_LINES, rows, `${id}-lines`);
  }
}
