import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { ExportFormat, sendExport } from '../shared/export.js';
import { payoutIdPipe } from '../shared/id.pipe.js';
import { PageFilter } from '../shared/page.js';
import { Tenancy } from '../shared/tenancy.js';
import { payoutAnswer, PayoutAnswer, PayoutLineAnswer, PayoutLinePage, PayoutPage } from './payout-answer.js';
import { PayoutFilter, PayoutReads } from './payout-reads.js';

@ApiTags('Payouts')
@Controller('v1/payouts')
export class PayoutsController {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly reads: PayoutReads,
  ) {}

  @Get()
  @Allow('payouts:read')
  @ApiOperation({ summary: 'List payouts, newest first', operationId: 'listPayouts' })
  @Answers(
    { status: 200, type: PayoutPage, description: 'A page of your merchants’ payouts.' },
    'validation_failed',
  )
  list(@Query() filter: PayoutFilter, @CurrentCaller() caller: Caller): Promise<PayoutPage> {
    return this.reads.list(caller, filter);
  }

  @Get(':id')
  @Allow('payouts:read')
  @ApiOperation({ summary: 'Read a payout', operationId: 'getPayout' })
  @Answers(
    { status: 200, type: PayoutAnswer, description: 'The payout as it stands.' },
    'payout_not_found',
  )
  async read(
    @Param('id', payoutIdPipe) id: string, @CurrentCaller() caller: Caller,
  ): Promise<PayoutAnswer> {
    return payoutAnswer(id, await this.tenancy.payout(caller, id));
  }

  @Get(':id/lines')
  @Allow('payouts:read')
  @ApiOperation({
    summary: 'What a payout is made of', operationId: 'listPayoutLines',
    description: 'Each payment, refund and dispute in it, as far as they have been read.',
  })
  @Answers(
    { status: 200, type: PayoutLinePage, description: 'A page of its lines.' },
    'payout_not_found', 'validation_failed',
  )
  async lines(
    @Param('id', payoutIdPipe) id: string, @Query() filter: PageFilter,
    @CurrentCaller() caller: Caller,
  ): Promise<PayoutLinePage> {
    await this.tenancy.payout(caller, id);
    return this.reads.lines(id, filter);
  }

  @Get(':id/lines/export')
  @Allow('payouts:read')
  @ApiOperation({ summary: 'All lines of a payout as a file', operationId: 'exportPayoutLines' })
  @Answers(
    { status: 200, rows: PayoutLineAnswer, description: 'CSV with a header, or a JSON array.' },
    'payout_not_found', 'validation_failed',
  )
  async exportLines(
    @Param('id', payoutIdPipe) id: string, @Query() format: ExportFormat,
    @CurrentCaller() caller: Caller, @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.tenancy.payout(caller, id);
    const columns =
      ['kind', 'providerId', 'paymentId', 'currency', 'amountMinor', 'feeMinor', 'times'] as const;
    await sendExport(reply, format, `${id}-lines`, columns, this.reads.allLines(id));
  }
}
