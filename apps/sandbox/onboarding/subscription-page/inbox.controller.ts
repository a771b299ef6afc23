import { Controller, Get, Headers, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { html, type SafeHtml } from '../../page/web/html.js';
import { sendPage } from '../../page/web/secure-reply.js';
import { type Message, MessageInbox } from '../registration/message-inbox.js';

const POLICY = { frameAncestors: "'none'", frames: "'none'" };

const inboxPage = (messages: readonly Message[]): SafeHtml => html`
<!doctype html>
<html lang="en" data-framed="no">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Message inbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page-assets/base.css">
<link rel="stylesheet" href="/page-assets/page.css">
<link rel="stylesheet" href="/subscription-assets/subscription.css">
</head>
<body><div class="page page-steps"><main class="card panel" id="main">
<h1 class="form-title">Message inbox</h1>
${messages.length === 0 ? html`<p class="hint">No message yet.</p>` : null}
<ul class="inbox">${messages.map(({ to, text, at }) => html`
  <li><p class="inbox-to">${to} · <time datetime="${at}">${at}</time></p><p>${text}</p></li>`)}
</ul></main></div></body></html>`;

/** The text messages that users would get: JSON, or a page for people. Needs no key. */
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
