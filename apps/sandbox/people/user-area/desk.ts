import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { SANDBOX_CONFIG, type SandboxConfig } from '../../settings/sandbox-config.js';
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

/** Renders the pages of the User Area, and redirects after an action. */
@Injectable()
export class Desk {
  constructor(
    private readonly clock: SandboxClock,
    @Inject(SANDBOX_CONFIG) private readonly config: SandboxConfig,
  ) {}

  /** Renders a page in the common layout, with the message of the previous action. */
  show(
    request: FastifyRequest,
    reply: FastifyReply,
    scope: AccountScope,
    page: (view: View) => PageContent,
    status = 200,
  ): void {
    const { control: hasControl } = this.config;
    const view: View = {
      ...scopeOf(scope),
      locale: localeFor(request),
      now: this.clock.now(),
      rate: this.clock.rate(),
      token: formToken(request, reply),
      isOpen: hasControl && isFromThisMachine(request),
      hasControl,
    };
    const notice = takeNotice(request, reply);
    sendPage(reply, status, layout(view, page(view), notice), POLICY);
  }

  /** Ends an action: redirects to the page at `path` with a message. */
  done(reply: FastifyReply, path: string, text: string): void {
    leadTo(reply, path, { tone: 'good', text });
  }
}
