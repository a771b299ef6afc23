import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Rejection } from '#kernel';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { type AuthOutcome, PageFlow } from '../../collection/page-flow/page-flow.js';
import type { AuthStatus } from '../../collection/payments/states.js';
import { refusalText } from '../page/refusal-texts.js';
import { localeOf } from '../web/locale.js';
import { type PagePolicy, sendPage } from '../web/secure-reply.js';
import { bankPage, elsewherePage, overPage } from './bank-page.js';

const MAX_SITES_ABOVE = 8;

/** The 3-D Secure statuses in which the payer can still decide. */
const OPEN: readonly AuthStatus[] = ['available', 'requested', 'attempted'];

const isSite = (text: string): boolean =>
  /^https?:\/\/[a-z0-9.[\]:-]+$/i.test(text) && URL.canParse(text);

/**
 * Browsers check `frame-ancestors` against every ancestor of a frame, not only its parent. So the
 * sites that frame the hosted page must also be allowed to frame the bank's page inside it. These
 * sites gain nothing by framing the bank's page directly: such a request is rejected because of its
 * `Sec-Fetch-Site` header, and the bank's page does nothing without a message from the hosted page.
 */
const policyFor = (above: string | undefined): PagePolicy => {
  const sites = (above ?? '').split(' ', MAX_SITES_ABOVE).filter(isSite);
  const allowed = above === '*' ? ['*'] : ["'self'", ...sites];
  return { frameAncestors: allowed.join(' '), frames: "'none'" };
};

const STRICT: PagePolicy = { frameAncestors: "'self'", frames: "'none'" };

const describe = (outcome: AuthOutcome, language: string | undefined): object =>
  outcome.next === 'refused'
    ? { ...outcome, message: refusalText(outcome.code, localeOf(language)) }
    : outcome;

/**
 * The response to the bank page's script when the payer's decision was rejected, e.g. after the
 * session has expired.
 */
const answerRejection = (error: unknown, reply: FastifyReply): object => {
  if (!(error instanceof Rejection)) throw error;
  void reply.status(error.code === 'not_found' ? 404 : 409);
  return { error: error.code };
};

/** Serves the sandbox's own bank: its 3-D Secure page, where the payer decides. */
@Controller('bank')
export class BankController {
  constructor(
    private readonly flow: PageFlow,
    private readonly clock: SandboxClock,
  ) {}

  @Get(':session')
  async show(
    @Param('session') session: string,
    @Query('above') above: string | undefined,
    @Headers() headers: Readonly<Record<string, string | undefined>>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const locale = localeOf(headers['accept-language']);
    const isFramed = headers['sec-fetch-dest'] === 'iframe';
    if (isFramed && headers['sec-fetch-site'] !== 'same-origin') {
      sendPage(reply, 403, elsewherePage(locale), STRICT);
      return;
    }
    try {
      const view = await this.flow.authSession(session);
      const isOpen = OPEN.includes(view.status);
      const page = isOpen
        ? bankPage(view, this.clock.now(), locale)
        : overPage(session, view, locale);
      sendPage(reply, 200, page, policyFor(above));
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      sendPage(reply, 404, overPage(session, null, locale), policyFor(above));
    }
  }

  /**
   * Applies the payer's `decision` (`approve`, `refuse` or `leave`); returns the payment page's
   * next step.
   */
  @Post(':session/decision')
  @HttpCode(200)
  async decide(
    @Param('session') session: string,
    @Headers('accept-language') language: string | undefined,
    @Body('decision') decision: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    void reply.header('cache-control', 'no-store');
    try {
      if (decision === 'approve' || decision === 'refuse') {
        return describe(await this.flow.decide(session, decision), language);
      }
      if (decision === 'leave') {
        await this.flow.leave(session);
        return { next: 'left' };
      }
    } catch (error) {
      return answerRejection(error, reply);
    }
    void reply.status(422);
    return { error: 'decision_unknown' };
  }
}
