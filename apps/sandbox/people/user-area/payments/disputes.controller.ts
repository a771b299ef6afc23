import { Controller, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isId, noSuch } from '../../../api/ids.js';
import { Disputes } from '../../../collection/disputes/disputes.service.js';
import { readEvidenceForm } from '../../../collection/disputes/evidence-input.js';
import type { AccountScope } from '../../../storage/account-scope.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk, localeFor } from '../desk.js';
import { AreaScope } from '../web/area-scope.js';
import { checkForm, readForm } from '../web/forms.js';
import { areaPath } from '../web/view.js';
import { disputeWords, HAND_MOVES } from './dispute-actions.js';

const isHandMove = (move: string): move is keyof typeof HAND_MOVES =>
  Object.hasOwn(HAND_MOVES, move);

/** Manual actions of a merchant, or of the payer's bank, on a dispute. */
@Controller('user-area/:mode/disputes')
@UseFilters(AreaErrors)
export class AreaDisputesController {
  constructor(
    private readonly desk: Desk,
    private readonly disputes: Disputes,
  ) {}

  @Post(':id/evidence')
  async evidence(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isId('dspt', id)) throw noSuch('dspt', id);
    const { fields, text, files } = await readEvidenceForm(request, ['token']);
    checkForm(request, fields.get('token') ?? null);
    const { payment_id: payment } = await this.disputes.sendEvidence(scope, id, { text, files });
    this.done(scope, payment, 'sent', request, reply);
  }

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
    if (!isId('dspt', id) || !isHandMove(move)) throw noSuch('dspt', id);
    const { payment_id: payment } = await this.disputes.move(scope, id, move);
    this.done(scope, payment, HAND_MOVES[move], request, reply);
  }

  private done(
    scope: AccountScope,
    payment: string,
    said: keyof ReturnType<typeof disputeWords>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const text = disputeWords(localeFor(request))[said];
    this.desk.done(reply, `${areaPath(scope)}/payments/${payment}`, text);
  }
}
