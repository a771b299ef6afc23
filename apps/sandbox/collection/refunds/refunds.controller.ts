import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiError, invalid } from '../../api/api-error.js';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { REFUNDS } from './refund-resource.js';
import { Refunds } from './refunds.service.js';

@Controller('v2/refunds')
export class RefundsController {
  constructor(
    private readonly refunds: Refunds,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    const { payment, amount } = REFUNDS.create.read(body);
    try {
      return REFUNDS.wire(await this.refunds.create(scope, payment, amount ?? null));
    } catch (error) {
      // The payment is named in the body and not in the path, so an unknown payment returns 422
      // instead of 404.
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      const msg = `\`${payment}\` not found`;
      throw invalid({ loc: ['body', 'payment'], msg, type: 'value_error' });
    }
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    return listPage(this.database, REFUNDS, scope, query);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return REFUNDS.wire(await this.refunds.read(scope, pathId('refd', id)));
  }
}
