import { Controller, Get, Headers, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Message, MessageInbox } from '../../onboarding/registration/message-inbox.js';
import { htmlDocument } from '../web/html-document.js';
import { html, type SafeHtml } from '../web/html.js';
import { sendPage } from '../web/secure-reply.js';

const POLICY = { frameAncestors: "'none'", frames: "'none'" };

const TITLE = 'Message inbox';
const ERASED = 'The code was used or has expired.';

const inboxPage = (messages: readonly Message[]): SafeHtml =>
  htmlDocument({
    locale: 'en',
    title: TITLE,
    flags: { framed: 'no' },
    styles: ['/page-assets/page.css', '/subscription-assets/subscription.css'],
    script: null,
    body: html`<div class="page page-steps">
      <main class="card panel" id="main">
        <h1 class="form-title">${TITLE}</h1>
        ${messages.length === 0 ? html`<p class="hint">No message yet.</p>` : null}
        <ul class="inbox">
          ${messages.map(
            ({ to, text, at }) =>
              html` <li>
                <p class="inbox-to">${to} · <time datetime="${at}">${at}</time></p>
                <p>${text ?? ERASED}</p>
              </li>`,
          )}
        </ul>
      </main>
    </div>`,
  });

/** The text messages that users would receive: as JSON, or as a page. Needs no key. */
@Controller('sandbox/onboarding/inbox')
export class InboxController {
  constructor(@Inject(MessageInbox) private readonly inbox: MessageInbox) {}

  @Get()
  async read(
    @Query('company') company: string | undefined,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const messages = await this.inbox.read(company ?? null);
    if ((accept ?? '').includes('text/html')) sendPage(reply, 200, inboxPage(messages), POLICY);
    else void reply.header('cache-control', 'no-store').send(messages);
  }
}
