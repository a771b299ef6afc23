import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readFault } from '../../../faults/fault-input.js';
import { Faults } from '../../../faults/faults.js';
import type { AccountScope } from '../../../storage/account-scope.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk, localeFor } from '../desk.js';
import { AreaScope } from '../web/area-scope.js';
import { type Form, readForm } from '../web/forms.js';
import { areaPath } from '../web/view.js';
import { faultWords } from './fault-words.js';
import { faultsPage } from './faults-page.js';

const number = (text: string): number => Number(text.replace(',', '.'));

/** Converts the form to the body that the control API accepts: empty fields are omitted. */
const asked = (form: Form): object => ({
  kind: form.text('kind'),
  ...(form.text('route') === '' ? {} : { route: form.text('route') }),
  ...(form.text('event') === '' ? {} : { event: form.text('event') }),
  ...(form.text('count') === '' ? {} : { count: number(form.text('count')) }),
  ...(form.text('rate') === '' ? {} : { rate: number(form.text('rate')) }),
  ...(form.text('seed') === '' ? {} : { seed: form.text('seed') }),
  ...(form.text('delay') === '' ? {} : { delay_ms: number(form.text('delay')) }),
});

/** The pages on which faults are added and cleared. */
@Controller('user-area/:mode/faults')
@UseFilters(AreaErrors)
export class AreaFaultsController {
  constructor(
    private readonly desk: Desk,
    private readonly faults: Faults,
  ) {}

  @Get()
  show(
    @AreaScope() scope: AccountScope,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const { faults } = this;
    this.desk.show(request, reply, scope, (view) =>
      faultsPage(view, faults.allCalls(), faults.allWebhooks()),
    );
  }

  @Post()
  @RouteConfig({ rawBody: true })
  add(
    @AreaScope() scope: AccountScope,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const fault = readFault(asked(readForm(request)));
    if (fault.on === 'calls') this.faults.addCall(fault.plan);
    else this.faults.addWebhook(fault.plan);
    this.done(scope, 'added', request, reply);
  }

  @Post('clear')
  @RouteConfig({ rawBody: true })
  clear(
    @AreaScope() scope: AccountScope,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    readForm(request);
    this.faults.clear();
    this.done(scope, 'cleared', request, reply);
  }

  /** Clears a fault; a fault that no longer exists, e.g. after its last use, counts as cleared. */
  @Post(':id/clear')
  @RouteConfig({ rawBody: true })
  clearOne(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    readForm(request);
    this.faults.remove(id);
    this.done(scope, 'cleared', request, reply);
  }

  private done(
    scope: AccountScope,
    said: 'added' | 'cleared',
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    this.desk.done(reply, `${areaPath(scope)}/faults`, faultWords(localeFor(request))[said]);
  }
}
