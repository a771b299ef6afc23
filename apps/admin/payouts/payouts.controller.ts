import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { Pool } from 'pg';
import type { PayoutStatus } from '#payout';
import { Allow } from '../access/allow.js';
import { Audit, AuditedBy, type AuditOrigin } from '../audit/audit.js';
import { Answers } from '../shared/docs.js';
import { sendCsv } from '../shared/export.js';
import { DayFilter, IdFilter, OneOf, ReferenceFilter } from '../shared/filters.js';
import { type ListSpec, readAll, readPage } from '../shared/list-query.js';
import { limitOf, PageDto } from '../shared/page.dto.js';
import { PayoutLineFilter, PayoutLinePage, readLines } from './payout-lines.js';

const PAYOUT_STATUSES = [
  'pending', 'to_pay', 'sent', 'paid', 'failed',
] as const satisfies readonly PayoutStatus[];

/** Which payouts to list, newest first. */
class PayoutFilter extends PageDto {
  @OneOf(PAYOUT_STATUSES)
  status?: (typeof PAYOUT_STATUSES)[number];

  @IdFilter()
  platformId?: string;

  @IdFilter()
  merchantId?: string;

  @IdFilter()
  accountId?: string;

  @ReferenceFilter('What the credit transfer carries.')
  reference?: string;

  @DayFilter('Made that day or later.')
  from?: string;

  @DayFilter('Made before that day.')
  to?: string;
}

class PayoutItem {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: PAYOUT_STATUSES })
  status!: string;

  @ApiProperty()
  platformId!: string;

  @ApiProperty()
  merchantId!: string;

  @ApiProperty()
  accountId!: string;

  @ApiProperty({ enum: ['test', 'live'] })
  mode!: string;

  @ApiProperty()
  reference!: string;

  @ApiProperty({ type: 'integer', description: 'In minor units: what the merchant receives.' })
  amountMinor!: number;

  @ApiProperty({ type: 'integer', description: 'In minor units.' })
  feesMinor!: number;

  @ApiProperty({ type: 'integer', description: 'In minor units.' })
  feesVatMinor!: number;

  @ApiProperty()
  currency!: string;

  @ApiProperty({ format: 'date' })
  date!: string;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  dateBank!: string | null;

  @ApiProperty({ description: 'Whether all its lines are read.' })
  linesRead!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Lines that agree with ours.' })
  matched!: number | null;

  @ApiProperty({
    type: 'object', additionalProperties: { type: 'integer' }, nullable: true,
    description: 'Lines that differ, by how.',
  })
  exceptions!: Readonly<Record<string, number>> | null;
}

class PayoutPage {
  @ApiProperty({ type: PayoutItem, isArray: true })
  items!: readonly PayoutItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

const PAYOUTS: ListSpec = {
  from: 'payout_list',
  select: `payout_id AS id, status, platform_id AS "platformId", merchant_id AS "merchantId",
    account_id AS "accountId", mode, reference, amount_minor::float8 AS "amountMinor",
    fees_minor::float8 AS "feesMinor", fees_vat_minor::float8 AS "feesVatMinor", currency,
    date::text, date_bank::text AS "dateBank", lines_read AS "linesRead", matched, exceptions`,
  // By its table: the answer has a date of its own, as text, which no index orders.
  at: 'payout_list.date',
  id: 'payout_id',
  filters: {
    status: 'status = ?', platformId: 'platform_id = ?', merchantId: 'merchant_id = ?',
    accountId: 'account_id = ?', reference: 'reference = ?', from: 'payout_list.date >= ?',
    to: 'payout_list.date < ?',
  },
};

const COLUMNS = [
  'id', 'status', 'platformId', 'merchantId', 'accountId', 'mode', 'reference', 'amountMinor',
  'feesMinor', 'feesVatMinor', 'currency', 'date', 'dateBank', 'linesRead', 'matched', 'exceptions',
] as const;

@ApiTags('Payouts')
@Controller('v1')
export class PayoutsController {
  constructor(@Inject(Pool) private readonly pool: Pool, private readonly audit: Audit) {}

  @Get('payouts')
  @Allow('viewer')
  @ApiOperation({ summary: 'Payouts, newest first', operationId: 'listPayouts' })
  @Answers({ status: 200, type: PayoutPage, description: 'A page of payouts.' }, 422)
  list(@Query() filter: PayoutFilter): Promise<PayoutPage> {
    const { cursor } = filter;
    return readPage(this.pool, PAYOUTS, { filters: filter, cursor, limit: limitOf(filter) });
  }

  @Get('payouts.csv')
  @Allow('viewer')
  @ApiOperation({ summary: 'Payouts as CSV', operationId: 'exportPayouts' })
  @Answers({ status: 200, mediaTypes: ['text/csv'], description: 'All that fits.' }, 422)
  async csv(
    @Query() filter: PayoutFilter, @AuditedBy() origin: AuditOrigin, @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.audit.record(origin, { action: 'payouts.exported', subject: null });
    await sendCsv<PayoutItem>(reply, 'payouts', COLUMNS, readAll(this.pool, PAYOUTS, filter));
  }

  @Get('payouts/:id/lines')
  @Allow('viewer')
  @ApiOperation({
    summary: 'The lines of a payout, each with what it is matched to', operationId: 'listPayoutLines',
  })
  @Answers({ status: 200, type: PayoutLinePage, description: 'A page of lines.' }, 422)
  lines(@Param('id') id: string, @Query() filter: PayoutLineFilter): Promise<PayoutLinePage> {
    return readLines(this.pool, id, filter);
  }
}
