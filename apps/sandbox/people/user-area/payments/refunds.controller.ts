import { Controller, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isId, noSuch } from '../../../api/ids.js';
import { Refunds } from '../../../collection/refunds/refunds.service.js';
import type { AccountScope } from '../../../storage/account-scope.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk, localeFor } from '../desk.js';
import { AreaScope } from '../web/area-scope.js';
import { readForm } from '../web/forms.js';
import { areaPath } from '../web/view.js';
import { REFUND_MOVES, refundWords } from './refund-actions.js';

const isRefundMove = (move: string): move is keyof typeof REFUND_MOVES =>
  Object.hasOwn(REFUND_MOVES, move);

/** Manual actions on a refund, as the payer's bank or the provider would take them. */
@Controller('user-area/:mode/refunds')
@UseFilters(AreaErrors)
export class AreaRefundsController {
  constructor(
    private readonly desk: Desk,
    private readonly refunds: Refunds,
  ) {}

  @Post(':id/:move')
  @RouteConfig({ rawBody: true })
  async move(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Param('move') move: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    readForm(request);
    if (!isId('refd', id) || !isRefundMove(move)) throw noSuch('refd', id);
    const { payment_id: payment } = await this.refunds.markFailed(scope, id, move);
    const text = refundWords(localeFor(request))[REFUND_MOVES[move]];
    this.desk.done(reply, `${areaPath(scope)}/payments/${payment}`, text);
  }
}
