import { Body, Controller, Get, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Rejection } from '#kernel';
import { type CardOutcome, PageFlow, type PageView } from '../../collection/page-flow/page-flow.js';
import { SepaPageFlow } from '../../collection/page-flow/sepa-page-flow.js';
import { localeOf } from '../web/locale.js';
import { sendPage } from '../web/secure-reply.js';
import { cardOf } from './card-body.js';
import { answerCall, answerTry } from './page-calls.js';
import { missingPage, payPage } from './pay-page.js';
import { refusalText } from './refusal-texts.js';
import { pageBody } from './shown-body.js';
import { TryLimiter } from './try-limiter.js';

/**
 * The frame policy of the page: any site may frame it; the page itself frames only the sandbox's
 * bank.
 */
const POLICY = { frameAncestors: '*', frames: "'self'" };

/**
 * The payment's state for the page's script, without data of the merchant; the script compares the
 * amount with the amount that it shows.
 */
const stateOf = (view: PageView): object => ({
  status: view.status,
  isConfirmed: view.isConfirmed,
  due: { amount: view.amountMinor, currency: view.currency },
  authSession: view.authSession?.id ?? null,
});

const cardAnswer = (outcome: CardOutcome, language: string | undefined): object =>
  outcome.next === 'refused'
    ? { ...outcome, message: refusalText(outcome.code, localeOf(language)) }
    : outcome;

/**
 * The hosted page and its script's requests: `POST card` makes an attempt, `POST confirm` is the
 * browser's confirmation after the bank's approval, `GET state` returns the payment's state.
 */
@Controller('pay')
export class PayController {
  constructor(
    private readonly flow: PageFlow,
    private readonly sepa: SepaPageFlow,
    private readonly tries: TryLimiter,
  ) {}

  @Get(':intentId')
  async show(
    @Param('intentId') intentId: string,
    @Headers('accept-language') language: string | undefined,
    @Headers('sec-fetch-dest') destination: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const audience = { locale: localeOf(language), isFramed: destination === 'iframe' };
    try {
      const [view, sepa] = await Promise.all([this.flow.view(intentId), this.sepa.view(intentId)]);
      sendPage(reply, 200, payPage(view, sepa, audience), POLICY);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      sendPage(reply, 404, missingPage(audience), POLICY);
    }
  }

  @Get(':intentId/state')
  async state(
    @Param('intentId') intentId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return answerCall(reply, async () => {
      const view = await this.flow.view(intentId);
      const { signing } = await this.sepa.view(intentId);
      return { ...stateOf(view), signing };
    });
  }

  @Post(':intentId/card')
  @HttpCode(200)
  async submitCard(
    @Param('intentId') intentId: string,
    @Headers('accept-language') language: string | undefined,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return answerTry(reply, this.tries, intentId, async () => {
      const { fields, shown } = pageBody(body);
      return cardAnswer(await this.flow.submitCard(intentId, cardOf(fields), shown), language);
    });
  }

  @Post(':intentId/confirm')
  @HttpCode(200)
  async confirm(
    @Param('intentId') intentId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return answerCall(reply, async () => stateOf(await this.flow.confirm(intentId)));
  }
}
