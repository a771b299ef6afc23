import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { type AccountScope, scopeOf } from '../../storage/account-scope.js';
import { type Locale, localeOf } from '../web/locale.js';
import { sendPage } from '../web/secure-reply.js';
import { formToken } from './web/forms.js';
import { layout } from './web/layout.js';
import { leadTo, takeNotice } from './web/notices.js';
import { isFromThisMachine } from './web/this-machine.js';
import type { PageContent, View } from './web/view.js';

export const POLICY = { frameAncestors: "'none'", frames: "'none'", forms: true };

export const localeFor = ({ headers }: FastifyRequest): Locale =>
  localeOf(headers['accept-language']);

/** Where every page of the User Area is shown, and every action is answered. */
@Injectable()
export class Desk {
  constructor(private readonly clock: SandboxClock) {}

  /** Shows a page in the frame that all share, with what the action before had to say. */
  show(
    request: FastifyRequest,
    reply: FastifyReply,
    scope: AccountScope,
    page: (view: View) => PageContent,
    status = 200,
  ): void {
    const view: View = {
      ...scopeOf(scope),
      locale: localeFor(request),
      now: this.clock.now(),
      rate: this.clock.rate(),
      token: formToken(request, reply),
      isOpen: isFromThisMachine(request),
    };
    const notice = takeNotice(request, reply);
    sendPage(reply, status, layout(view, page(view), notice), POLICY);
  }

  /** An action was done: the page at `path` says so. */
  done(reply: FastifyReply, path: string, text: string): void {
    leadTo(reply, path, { tone: 'good', text });
  }
}
