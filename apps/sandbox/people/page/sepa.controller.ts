import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  type CodeMessage,
  SepaPageFlow,
  type SignOutcome,
} from '../../collection/page-flow/sepa-page-flow.js';
import { amountText, type Locale, localeOf } from '../web/locale.js';
import { filled } from '../web/words.js';
import { answerCall, answerTry } from './page-calls.js';
import { pageTexts } from './page-texts.js';
import { refusalText } from './refusal-texts.js';
import { accountOf, codeOf } from './sepa-body.js';
import { pageBody } from './shown-body.js';
import { TryLimiter } from './try-limiter.js';

const signAnswer = (outcome: SignOutcome, locale: Locale): object =>
  outcome.result === 'refused'
    ? { ...outcome, message: refusalText(outcome.code, locale, 'sepa') }
    : outcome;

const messageIn =
  (locale: Locale): CodeMessage =>
  (code, { amount, currency, merchant }) =>
    filled(pageTexts(locale).message, {
      code,
      amount: amountText(amount, currency, locale),
      merchant,
    });

/**
 * The hosted page's requests for a direct debit: `POST sepa` receives the bank account and sends a
 * code, `POST code` sends a new code, `POST sign` signs with the code and starts the debit. Each
 * sent code counts as an attempt of the payment, which limits the messages sent to one telephone.
 */
@Controller('pay')
export class SepaPageController {
  constructor(
    private readonly flow: SepaPageFlow,
    private readonly tries: TryLimiter,
  ) {}

  @Post(':intentId/sepa')
  @HttpCode(200)
  async submitAccount(
    @Param('intentId') intentId: string,
    @Headers('accept-language') language: string | undefined,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return answerTry(reply, this.tries, intentId, async () => {
      const { fields, shown } = pageBody(body);
      const message = messageIn(localeOf(language));
      return this.flow.submitAccount(intentId, accountOf(fields), message, shown);
    });
  }

  @Post(':intentId/code')
  @HttpCode(200)
  async sendAgain(
    @Param('intentId') intentId: string,
    @Headers('accept-language') language: string | undefined,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return answerTry(reply, this.tries, intentId, async () =>
      this.flow.sendAgain(intentId, messageIn(localeOf(language)), pageBody(body).shown),
    );
  }

  /**
   * Does not count as an attempt to pay, because the number of wrong attempts per code is limited
   * separately.
   */
  @Post(':intentId/sign')
  @HttpCode(200)
  async sign(
    @Param('intentId') intentId: string,
    @Headers('accept-language') language: string | undefined,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return answerCall(reply, async () => {
      const { fields, shown } = pageBody(body);
      const outcome = await this.flow.sign(intentId, codeOf(fields), shown);
      return signAnswer(outcome, localeOf(language));
    });
  }
}
