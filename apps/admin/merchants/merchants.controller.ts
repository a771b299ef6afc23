import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { Pool } from 'pg';
import { Allow } from '../access/allow.js';
import { Audit, AuditedBy, type AuditOrigin } from '../audit/audit.js';
import { Answers } from '../shared/docs.js';
import { sendCsv } from '../shared/export.js';
import { IdFilter, ReferenceFilter } from '../shared/filters.js';
import { type ListSpec, readAll, readPage } from '../shared/list-query.js';
import { limitOf, PageDto } from '../shared/page.dto.js';
import { MerchantBoard, readBoard } from './merchant-board.js';

/** Which merchants to list, newest first. */
class MerchantFilter extends PageDto {
  @IdFilter('`draft`, `requested`, or the company’s at the provider, e.g. `available`.')
  status?: string;

  @IdFilter()
  platformId?: string;

  @ReferenceFilter("The platform's own.")
  reference?: string;

  @IdFilter("The provider's (`comp_…`).")
  companyId?: string;
}

class MerchantItem {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  status!: string;

  @ApiProperty()
  platformId!: string;

  @ApiProperty()
  reference!: string;

  @ApiProperty({ enum: ['test', 'live'] })
  mode!: string;

  @ApiProperty({ description: 'Whether orders may be placed for it.' })
  openForOrders!: boolean;

  @ApiProperty({ type: String, nullable: true, description: "The provider's." })
  companyId!: string | null;

  @ApiProperty({ format: 'date-time' })
  draftedAt!: string;
}

class MerchantPage {
  @ApiProperty({ type: MerchantItem, isArray: true })
  items!: readonly MerchantItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

const MERCHANTS: ListSpec = {
  from: 'merchant_list',
  select: `merchant_id AS id, status, platform_id AS "platformId", reference, mode,
    open_for_orders AS "openForOrders", company_id AS "companyId", drafted_at AS "draftedAt"`,
  at: 'drafted_at',
  id: 'merchant_id',
  filters: {
    status: 'status = ?', platformId: 'platform_id = ?', reference: 'reference = ?',
    companyId: 'company_id = ?',
  },
};

const COLUMNS = [
  'id', 'status', 'platformId', 'reference', 'mode', 'openForOrders', 'companyId', 'draftedAt',
] as const;

@ApiTags('Merchants')
@Controller('v1')
export class MerchantsController {
  constructor(@Inject(Pool) private readonly pool: Pool, private readonly audit: Audit) {}

  @Get('merchants')
  @Allow('viewer')
  @ApiOperation({ summary: 'Merchants, newest first', operationId: 'listMerchants' })
  @Answers({ status: 200, type: MerchantPage, description: 'A page of merchants.' }, 422)
  list(@Query() filter: MerchantFilter): Promise<MerchantPage> {
    const { cursor } = filter;
    return readPage(this.pool, MERCHANTS, { filters: filter, cursor, limit: limitOf(filter) });
  }

  @Get('merchants.csv')
  @Allow('viewer')
  @ApiOperation({ summary: 'Merchants as CSV', operationId: 'exportMerchants' })
  @Answers({ status: 200, mediaTypes: ['text/csv'], description: 'All that fits.' }, 422)
  async csv(
    @Query() filter: MerchantFilter, @AuditedBy() origin: AuditOrigin, @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.audit.record(origin, { action: 'merchants.exported', subject: null });
    await sendCsv<MerchantItem>(reply, 'merchants', COLUMNS, readAll(this.pool, MERCHANTS, filter));
  }

  @Get('merchant-board')
  @Allow('viewer')
  @ApiOperation({
    summary: 'How many merchants are in each status, and what the newest of them lack',
    operationId: 'getMerchantBoard',
  })
  @Answers({ status: 200, type: MerchantBoard, description: 'The columns.' })
  board(): Promise<MerchantBoard> {
    return readBoard(this.pool);
  }
}
