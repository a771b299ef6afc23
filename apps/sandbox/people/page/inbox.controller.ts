import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { isId } from '../../api/ids.js';
import { Messages } from '../../collection/messages/messages.service.js';
import { type Locale, localeOf } from '../web/locale.js';
import { sendPage } from '../web/secure-reply.js';
import { inboxPage, shownMessage, type ShownMessage } from './inbox-page.js';

const POLICY = { frameAncestors: "'none'", frames: "'none'" };

/**
 * The inbox of a test payment, linked from its page. In test mode anyone who knows the URL may read
 * the payer's messages; messages of live payments are never shown.
 */
@Controller('inbox')
export class InboxController {
  constructor(private readonly messages: Messages) {}

  @Get(':intentId')
  async show(
    @Param('intentId') intentId: string,
    @Headers('accept-language') language: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const locale = localeOf(language);
    sendPage(reply, 200, inboxPage(await this.shown(intentId, locale), locale), POLICY);
  }

  @Get(':intentId/messages')
  async list(
    @Param('intentId') intentId: string,
    @Headers('accept-language') language: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly ShownMessage[]> {
    void reply.header('cache-control', 'no-store');
    return this.shown(intentId, localeOf(language));
  }

  private async shown(intentId: string, locale: Locale): Promise<readonly ShownMessage[]> {
    const found = isId('pi', intentId) ? await this.messages.ofTestIntent(intentId) : [];
    return found.map((message) => shownMessage(message, locale));
  }
}
