import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../api/api-error.js';
import { HOUSE_TEST } from '../../storage/account-scope.js';
import { html } from '../web/html.js';
import { Desk, localeFor } from './desk.js';
import { scopeIn } from './web/area-scope.js';
import { leadTo } from './web/notices.js';
import { refusalIn } from './web/refusals.js';
import { areaPath } from './web/view.js';
import { words } from '../web/words.js';

const wordsFor = words(
  {
    missing: 'Not found',
    hint: 'The URL is incomplete, or the object belongs to another account or mode.',
    home: 'View payments',
    refused: 'Not possible:',
  },
  {
    missing: 'Introuvable',
    hint: 'L’URL est incomplète, ou l’objet appartient à un autre compte ou mode.',
    home: 'Voir les paiements',
    refused: 'Impossible :',
  },
);

/** The API's error message in one line. */
const reasonOf = ({ body, status }: ApiError): string => {
  if ('detail' in body) return body.detail.map(({ msg }) => msg).join('; ');
  return typeof body.error === 'string' ? body.error : String(status);
};

/**
 * The page that contains the form, by the `Referer` header; the start page when the browser does
 * not send this header.
 */
const pageBefore = ({ headers }: FastifyRequest): string => {
  const { referer = '' } = headers;
  if (!URL.canParse(referer)) return '/user-area';
  const { pathname, search } = new URL(referer);
  return pathname.startsWith('/user-area/') ? pathname + search : '/user-area';
};

/**
 * After a rejected action, redirects to the page of the form and shows the reason there; an unknown
 * page is a 404.
 */
@Catch(ApiError)
export class AreaErrors implements ExceptionFilter<ApiError> {
  constructor(private readonly desk: Desk) {}

  catch(error: ApiError, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const locale = localeFor(request);
    const text = wordsFor(locale);
    if (request.method !== 'GET') {
      leadTo(reply, pageBefore(request), {
        tone: 'bad',
        text: `${text.refused} ${refusalIn(locale, reasonOf(error))}`,
      });
      return;
    }
    const [, , segment = ''] = request.url.split('/');
    const scope = scopeIn(segment) ?? HOUSE_TEST;
    this.desk.show(
      request,
      reply,
      scope,
      () => ({
        section: null,
        title: text.missing,
        body: html`<div class="empty">
          <h1>${text.missing}</h1>
          <p>${text.hint}</p>
          <p class="mono">${refusalIn(locale, reasonOf(error))}</p>
          <p><a class="button" href="${areaPath(scope)}/payments">${text.home}</a></p>
        </div>`,
      }),
      error.status,
    );
  }
}
