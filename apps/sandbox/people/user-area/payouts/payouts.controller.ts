import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isId, noSuch } from '../../../api/ids.js';
import { Payouts } from '../../../collection/payouts/payouts.service.js';
import type { AccountScope } from '../../../storage/account-scope.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk, localeFor } from '../desk.js';
import { AreaScope } from '../web/area-scope.js';
import { readForm } from '../web/forms.js';
import { queryStart } from '../web/query.js';
import { areaPath } from '../web/view.js';
import { PayoutLedger } from './payout-ledger.js';
import { payoutPage } from './payout-page.js';
import { payoutWords } from './payout-words.js';
import { PAYOUT_PAGE_SIZE, payoutsPage } from './payouts-page.js';

/**
 * Payouts with their lines and amounts, and the action that fails a payout as if the bank returned
 * it.
 */
@Controller('user-area/:mode/payouts')
@UseFilters(AreaErrors)
export class AreaPayoutsController {
  constructor(
    private readonly desk: Desk,
    private readonly ledger: PayoutLedger,
    private readonly payouts: Payouts,
  ) {}

  @Get()
  async list(
    @AreaScope() scope: AccountScope,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const start = queryStart({ ...(query as object) });
    const [{ rows, range }, waiting] = await Promise.all([
      this.ledger.page(scope, { start, limit: PAYOUT_PAGE_SIZE }),
      start === 0 ? this.ledger.waiting(scope) : [],
    ]);
    this.desk.show(request, reply, scope, (view) =>
      payoutsPage(view, rows, waiting, start, range.has_more),
    );
  }

  @Get(':id')
  async read(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isId('pout', id)) throw noSuch('pout', id);
    const start = queryStart({ ...(query as object) });
    const row = await this.payouts.read(scope, id);
    const found = await this.ledger.lines(id, start, PAYOUT_PAGE_SIZE);
    const lines = found.slice(0, PAYOUT_PAGE_SIZE);
    this.desk.show(request, reply, scope, (view) =>
      payoutPage(view, row, lines, start, found.length > lines.length),
    );
  }

  @Post(':id/fail')
  @RouteConfig({ rawBody: true })
  async fail(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    readForm(request);
    await this.payouts.fail(scope, id);
    const text = payoutWords(localeFor(request)).failed;
    this.desk.done(reply, `${areaPath(scope)}/payouts/${id}`, text);
  }
}
