import { Controller, Get, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readPage } from '../../../api/lists.js';
import type { MessageRow } from '../../../collection/messages/message-row.js';
import type { AccountScope } from '../../../storage/account-scope.js';
import { Database } from '../../../storage/database.js';
import { html } from '../../web/html.js';
import { AreaErrors } from '../area-errors.filter.js';
import { Desk } from '../desk.js';
import { AreaScope } from '../web/area-scope.js';
import { empty, pageLinks } from '../web/parts.js';
import { queryStart } from '../web/query.js';
import { preciseTime } from '../web/times.js';
import { type PageContent, pathIn, type View } from '../web/view.js';
import { words } from '../../web/words.js';

const LIST = { name: 'area:messages', select: 'SELECT t.* FROM messages t' };
const SIZE = 25;

const wordsFor = words(
  {
    title: 'Messages to payers',
    none: 'No message yet',
    hint: 'The codes sent to payers by text message to sign a mandate.',
    to: 'To',
    intent: 'Payment intent',
    erased: 'The code was used or has expired.',
  },
  {
    title: 'Messages aux payeurs',
    none: 'Aucun message',
    hint: 'Les codes envoyés aux payeurs par SMS pour signer un mandat.',
    to: 'À',
    intent: 'Intention de paiement',
    erased: 'Le code a été utilisé ou a expiré.',
  },
);

const messagesPage = (
  view: View,
  rows: readonly MessageRow[],
  start: number,
  hasMore: boolean,
): PageContent => {
  const text = wordsFor(view.locale);
  const list = html`<ul class="messages">
    ${rows.map(
      (row) =>
        html`<li class="block message">
          <p class="message-head">
            <strong>${text.to} ${row.recipient}</strong>${preciseTime(row.created_at, view.locale)}
          </p>
          <p class="${row.body === null ? 'hint' : 'bubble'}">${row.body ?? text.erased}</p>
          ${
            row.intent_id === null
              ? null
              : html`<p class="hint">
                  ${text.intent}
                  <a href="${pathIn(view, `intents/${row.intent_id}`)}"
                    ><code>${row.intent_id}</code></a
                  >
                </p>`
          }
        </li>`,
    )}
  </ul>`;
  const links = pageLinks(
    { path: pathIn(view, 'messages'), query: {}, start, limit: SIZE, hasMore },
    view,
  );
  const body = html`<h1>${text.title}</h1>
    <p class="lead">${text.hint}</p>
    ${rows.length === 0 ? empty(text.none) : list}${links}`;
  return { section: 'messages', title: text.title, body };
};

/** Text messages to payers. */
@Controller('user-area/:mode/messages')
@UseFilters(AreaErrors)
export class AreaMessagesController {
  constructor(
    private readonly desk: Desk,
    private readonly database: Database,
  ) {}

  @Get()
  async list(
    @AreaScope() scope: AccountScope,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const start = queryStart({ ...(query as object) });
    const { rows, range } = await readPage<MessageRow>(this.database, LIST, scope, {
      start,
      limit: SIZE,
    });
    this.desk.show(request, reply, scope, (view) =>
      messagesPage(view, rows, start, range.has_more),
    );
  }
}
