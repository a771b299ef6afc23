import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, msOf } from '#kernel';
import { conflict } from '../../../api/api-error.js';
import { DueWork } from '../../../clock/due-work.js';
import { SandboxClock } from '../../../clock/sandbox-clock.js';
import { MAX_ADVANCE_MS, MAX_RATE, TimeKeeper } from '../../../clock/time-keeper.js';
import { nextCutOff, nextMorning } from '../../../money/bank-days.js';
import type { AccountScope } from '../../../storage/account-scope.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk, localeFor } from '../desk.js';
import { AreaScope } from '../web/area-scope.js';
import { type Form, readForm } from '../web/forms.js';
import { areaPath } from '../web/view.js';
import { clockPage, clockWords, STEPS } from './clock-page.js';

const UNITS: Readonly<Record<string, number>> = {
  minutes: MINUTE_MS,
  hours: HOUR_MS,
  days: DAY_MS,
};

/** The milliseconds by which the pressed button moves the clock from `now`. */
const stepMs = (step: (typeof STEPS)[number], now: Instant): number => {
  switch (step) {
    case 'cut_off':
      return msOf(nextCutOff(now)) - msOf(now);
    case 'morning':
      return msOf(nextMorning(now)) - msOf(now);
    case 'hour':
      return HOUR_MS;
    case 'day':
      return DAY_MS;
    case 'week':
      return 7 * DAY_MS;
  }
};

const ownMs = (form: Form): number | null => {
  const unitMs = UNITS[form.text('unit')];
  const number = form.text('number');
  if (unitMs === undefined || !/^\d{1,7}$/.test(number)) return null;
  const ms = Number(number) * unitMs;
  return ms > 0 && ms <= MAX_ADVANCE_MS ? ms : null;
};

/** Shows and moves the sandbox's only clock. */
@Controller('user-area/:mode/clock')
@UseFilters(AreaErrors)
export class AreaClockController {
  constructor(
    private readonly desk: Desk,
    private readonly clock: SandboxClock,
    private readonly keeper: TimeKeeper,
    private readonly work: DueWork,
  ) {}

  @Get()
  async show(
    @AreaScope() scope: AccountScope,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const nextDue = await this.work.nextDue();
    this.desk.show(request, reply, scope, (view) => clockPage(view, nextDue));
  }

  /**
   * Advances the clock by the period of a button, or by a number of units; responds when all work
   * due up to the new time is done.
   */
  @Post('advance')
  @RouteConfig({ rawBody: true })
  async advance(
    @AreaScope() scope: AccountScope,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const text = clockWords(localeFor(request));
    const form = readForm(request);
    const step = STEPS.find((known) => known === form.text('step'));
    const ms = step === undefined ? ownMs(form) : stepMs(step, this.clock.now());
    if (ms === null) throw conflict(text.badDuration);
    await this.keeper.advance(ms);
    this.desk.done(reply, `${areaPath(scope)}/clock`, text.moved);
  }

  @Post('rate')
  @RouteConfig({ rawBody: true })
  async rate(
    @AreaScope() scope: AccountScope,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const text = clockWords(localeFor(request));
    const rate = Number(readForm(request).text('rate').replace(',', '.'));
    if (!(rate >= 0.001 && rate <= MAX_RATE)) throw conflict(text.badRate);
    await this.keeper.setRate(rate);
    this.desk.done(reply, `${areaPath(scope)}/clock`, text.rated);
  }
}
