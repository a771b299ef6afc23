import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { conflict } from '../../../api/api-error.js';
import { isId, noSuch } from '../../../api/ids.js';
import { SandboxClock } from '../../../clock/sandbox-clock.js';
import { Disputes } from '../../../collection/disputes/disputes.service.js';
import { Payments } from '../../../collection/payments/payments.service.js';
import { Refunds } from '../../../collection/refunds/refunds.service.js';
import type { AccountScope } from '../../../storage/account-scope.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk, localeFor } from '../desk.js';
import { AreaScope } from '../web/area-scope.js';
import { type Form, readForm } from '../web/forms.js';
import { areaPath } from '../web/view.js';
import { Dossiers } from './payment-dossier.js';
import { paymentPage } from './payment-page.js';
import { readPaymentQuery } from './payment-query.js';
import { PaymentSearch } from './payment-search.js';
import { paymentWords } from './payment-words.js';
import { paymentsPage } from './payments-page.js';

/**
 * Converts an amount such as `12`, `12.5` or `12,50` to minor units; null for any other text. Each
 * currency has two decimals.
 */
const minorUnits = (text: string): number | null => {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const minor = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  return minor > 0 ? minor : null;
};

const amountIn = (form: Form, request: FastifyRequest): number => {
  const amount = minorUnits(form.text('amount'));
  if (amount === null) throw conflict(paymentWords(localeFor(request)).badAmount);
  return amount;
};

/** The list of payments, the page of one payment, and a merchant's manual actions on a payment. */
@Controller('user-area/:mode/payments')
@UseFilters(AreaErrors)
export class AreaPaymentsController {
  constructor(
    private readonly desk: Desk,
    private readonly search: PaymentSearch,
    private readonly dossiers: Dossiers,
    private readonly payments: Payments,
    private readonly refunds: Refunds,
    private readonly disputes: Disputes,
    private readonly clock: SandboxClock,
  ) {}

  @Get()
  async list(
    @AreaScope() scope: AccountScope,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = readPaymentQuery({ ...(query as object) });
    if (isId('pi', asked.q)) {
      void reply.redirect(`${areaPath(scope)}/intents/${asked.q}`, 303);
      return;
    }
    const found = await this.search.page(scope, asked, this.clock.now());
    this.desk.show(request, reply, scope, (view) => paymentsPage(view, asked, found));
  }

  @Get(':id')
  async read(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isId('paym', id)) throw noSuch('paym', id);
    const dossier = await this.dossiers.payment(scope, id);
    this.desk.show(request, reply, scope, (view) => paymentPage(view, dossier));
  }

  @Post(':id/capture')
  @RouteConfig({ rawBody: true })
  async capture(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    readForm(request);
    await this.payments.captureManually(scope, id);
    this.done(scope, id, 'capturedNow', request, reply);
  }

  @Post(':id/cancel')
  @RouteConfig({ rawBody: true })
  async cancel(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    readForm(request);
    await this.payments.cancel(scope, id);
    this.done(scope, id, 'canceled', request, reply);
  }

  @Post(':id/refund')
  @RouteConfig({ rawBody: true })
  async refund(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.refunds.create(scope, id, amountIn(readForm(request), request));
    this.done(scope, id, 'refundedNow', request, reply);
  }

  @Post(':id/dispute')
  @RouteConfig({ rawBody: true })
  async dispute(
    @AreaScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.disputes.open(scope, id, readForm(request).text('code'));
    this.done(scope, id, 'disputedNow', request, reply);
  }

  private done(
    scope: AccountScope,
    id: string,
    said: keyof ReturnType<typeof paymentWords>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const text = paymentWords(localeFor(request))[said];
    this.desk.done(reply, `${areaPath(scope)}/payments/${id}`, text);
  }
}
