import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SANDBOX_CONFIG, type SandboxConfig } from '../../../settings/sandbox-config.js';
import { htmlDocument } from '../../web/html-document.js';
import { html, type SafeHtml } from '../../web/html.js';
import type { Locale } from '../../web/locale.js';
import { sendPage } from '../../web/secure-reply.js';
import { localeFor, POLICY } from '../desk.js';
import { formToken, readForm } from '../web/forms.js';
import { areaName } from '../web/layout.js';
import { areaPath } from '../web/view.js';
import { words } from '../../web/words.js';
import { AreaSessions } from './area-sessions.js';
import { SIGN_IN } from './guard-user-area.js';

const wordsFor = words(
  {
    title: 'Sign in to the User Area',
    key: 'API key of the account',
    signIn: 'Sign in',
    hint: 'The key selects the account and the mode.',
    house:
      'The key of the sandbox’s default account also gives access to the clock and the faults.',
    wrong: 'This key is unknown. Enter a current API key, such as stest_… or sprod_….',
  },
  {
    title: 'Connexion à l’espace client',
    key: 'Clé d’API du compte',
    signIn: 'Se connecter',
    hint: 'La clé détermine le compte et le mode.',
    house: 'Celle du compte par défaut du bac à sable donne aussi accès à l’horloge et aux pannes.',
    wrong: 'Cette clé est inconnue. Saisissez une clé d’API valable, telle que stest_… ou sprod_….',
  },
);

interface SignInForm {
  readonly token: string;
  readonly isWrong: boolean;
  /** Whether the sandbox has a clock and faults to give access to. */
  readonly hasControl: boolean;
}

const signInPage = (locale: Locale, { token, isWrong, hasControl }: SignInForm): SafeHtml => {
  const text = wordsFor(locale);
  const body = html`<main id="main" class="sign-in">
    <p class="brand"><span class="brand-mark" aria-hidden="true"></span>${areaName(locale)}</p>
    <h1>${text.title}</h1>
    ${isWrong ? html`<p class="notice" data-tone="bad" role="alert">${text.wrong}</p>` : null}
    <form class="fields" method="post" action="${SIGN_IN}">
      <input type="hidden" name="token" value="${token}" />
      <div class="field">
        <label for="key">${text.key}</label>
        <input
          id="key"
          name="key"
          type="password"
          required
          autocomplete="off"
          aria-describedby="key-hint"
        />
        <p class="hint" id="key-hint">${text.hint}${hasControl ? ` ${text.house}` : null}</p>
      </div>
      <div class="field-end"><button class="button" data-tone="main">${text.signIn}</button></div>
    </form>
  </main>`;
  return htmlDocument({
    locale,
    title: text.title,
    body,
    script: null,
    styles: ['/user-area-assets/area.css', '/user-area-assets/parts.css'],
  });
};

/**
 * The sign-in with an API key of the account. Browsers on the sandbox's own machine need none.
 */
@Controller('user-area/sign-in')
export class AreaSignInController {
  constructor(
    private readonly sessions: AreaSessions,
    @Inject(SANDBOX_CONFIG) private readonly config: SandboxConfig,
  ) {}

  @Get()
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.show(request, reply, false);
  }

  @Post()
  @RouteConfig({ rawBody: true })
  async signIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const key = readForm(request).text('key');
    const scope = await this.sessions.signIn(request, reply, key);
    if (scope !== null) {
      void reply.redirect(`${areaPath(scope)}/payments`, 303);
      return;
    }
    this.show(request, reply, true);
  }

  private show(request: FastifyRequest, reply: FastifyReply, isWrong: boolean): void {
    const { control: hasControl } = this.config;
    const form = { token: formToken(request, reply), isWrong, hasControl };
    sendPage(reply, isWrong ? 401 : 200, signInPage(localeFor(request), form), POLICY);
  }
}
