import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiError, invalid } from '../../api/api-error.js';
import { pathId } from '../../api/ids.js';
import { readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { refundResource } from './refund-resource.js';
import type { RefundRow } from './refund-row.js';
import { refundCreate, refundList } from './refund-schemas.js';
import { Refunds } from './refunds.service.js';

const LIST = { name: 'refunds', select: 'SELECT t.* FROM refunds t' };

@Controller('v2/refunds')
export class RefundsController {
  constructor(
    private readonly refunds: Refunds,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    const { payment, amount } = refundCreate.read(body);
    try {
      return refundResource(await this.refunds.create(scope, payment, amount ?? null));
    } catch (error) {
      // Here the payment is named by the body and not by the path.
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      const msg = `\`${payment}\` not found`;
      throw invalid({ loc: ['body', 'payment'], msg, type: 'value_error' });
    }
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = refundList.read({ ...(query as object) });
    const { rows, range } = await readPage<RefundRow>(this.database, LIST, scope, asked);
    return { refunds: rows.map(refundResource), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return refundResource(await this.refunds.read(scope, pathId('refd', id)));
  }
}
