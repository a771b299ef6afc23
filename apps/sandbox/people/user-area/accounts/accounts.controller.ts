import { Controller, Get, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AccountScope, HOUSE_TEST } from '../../../storage/account-scope.js';
import { MerchantNames } from '../../../storage/merchant-names.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk } from '../desk.js';
import { AreaScope } from '../web/area-scope.js';
import { queryStart } from '../web/query.js';
import { AccountList } from './account-list.js';
import { ACCOUNT_PAGE_SIZE, accountsPage } from './accounts-page.js';

/** The choice of the account that the User Area shows. */
@Controller('user-area/:mode/accounts')
@UseFilters(AreaErrors)
export class AreaAccountsController {
  constructor(
    private readonly desk: Desk,
    private readonly accounts: AccountList,
    private readonly names: MerchantNames,
  ) {}

  @Get()
  async list(
    @AreaScope() scope: AccountScope,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const start = queryStart({ ...(query as object) });
    const found = await this.accounts.page(start, ACCOUNT_PAGE_SIZE);
    const ownName = await this.names.of(HOUSE_TEST);
    const rows = found.slice(0, ACCOUNT_PAGE_SIZE);
    this.desk.show(request, reply, scope, (view) =>
      accountsPage(view, rows, start, found.length > rows.length, ownName),
    );
  }
}
