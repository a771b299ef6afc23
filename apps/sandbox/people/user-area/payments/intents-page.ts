import type { IntentRow } from '../../../collection/payments/intent-resource.js';
import { intentMachine } from '../../../collection/payments/states.js';
import { html } from '../../web/html.js';
import { actionPanel } from '../web/actions.js';
import { block, empty, facts, idText, listTable, money, pageLinks } from '../web/parts.js';
import { pill } from '../web/statuses.js';
import { time } from '../web/times.js';
import { type PageContent, pathIn, type View } from '../web/view.js';
import { eventPart } from '../webhooks/delivery-parts.js';
import type { IntentDossier } from './payment-dossier.js';
import { meansText, paymentLink, responseText, shownStatus } from './payment-parts.js';
import { PAGE_SIZE } from './payment-search.js';
import { paymentWords } from './payment-words.js';

/** The list of payment intents, including those without an attempt. */
export const intentsPage = (
  view: View,
  rows: readonly IntentRow[],
  start: number,
  hasMore: boolean,
): PageContent => {
  const text = paymentWords(view.locale);
  const list = listTable(
    text.intents,
    [
      { label: text.amount, kind: 'number' },
      { label: text.status },
      { label: text.order },
      { label: text.description, kind: 'wide' },
      { label: text.created },
    ],
    rows.map((row) => [
      html`<a class="row-link" href="${pathIn(view, `intents/${row.id}`)}"
        >${money(row.amount, row.currency, view)}</a
      >`,
      pill(row.status, view.locale),
      row.order_id ?? '',
      row.description ?? '',
      time(row.created_at, view.locale),
    ]),
  );
  const body = html`<h1>${text.intents}</h1>
    ${rows.length === 0 ? empty(text.none, text.noneHint) : list}
    ${pageLinks({ path: pathIn(view, 'intents'), query: {}, start, limit: PAGE_SIZE, hasMore }, view)}`;
  return { section: 'intents', title: text.intents, body };
};

/** One payment intent with its attempts and events. */
export const intentPage = (view: View, dossier: IntentDossier): PageContent => {
  const text = paymentWords(view.locale);
  const { intent, attempts, events } = dossier;
  const cancel = actionPanel(view, { label: text.cancel, icon: 'cross' }, text.cancelHint, {
    path: pathIn(view, `intents/${intent.id}/cancel`),
    label: text.cancelNow,
    tone: 'bad',
  });
  const attemptList = listTable(
    text.attempts,
    [
      { label: text.created },
      { label: text.number },
      { label: text.status },
      { label: text.response, kind: 'wide' },
    ],
    attempts.map((each) => [
      paymentLink(view, each.id, html`${time(each.created_at, view.locale)}`),
      meansText(each),
      pill(shownStatus(each, view.now), view.locale),
      responseText(each.response, view),
    ]),
  );
  const body = html` <header class="title">
      <div>
        <p class="over-title">${text.intent}</p>
        <h1>${money(intent.amount, intent.currency, view)} ${pill(intent.status, view.locale)}</h1>
        <p class="under-title">${intent.description ?? intent.order_id ?? intent.id}</p>
      </div>
      <div class="actions">
        <a class="button" href="/pay/${intent.id}" target="_blank" rel="noopener"
          >${text.pageLink}</a
        >
        ${intentMachine.can(intent.status, 'cancel') ? cancel : null}
      </div>
    </header>
    <div class="two">
      <div>
        ${block(text.attempts, attempts.length === 0 ? empty(text.noAttempts) : attemptList)}
        ${block(
          text.events,
          html`<div class="events">${events.map((event) => eventPart(view, event))}</div>`,
        )}
      </div>
      <div>
        ${block(
          text.details,
          facts([
            [text.id, idText(intent.id, view)],
            [text.description, intent.description],
            [text.order, intent.order_id],
            [text.uniqueId, intent.unique_id],
            [text.captureMode, intent.capture ? text.auto : text.manual],
            [text.methods, intent.methods_allowed.map((method) => text[method]).join(', ')],
            [text.customer, intent.customer_id === null ? null : idText(intent.customer_id, view)],
            [text.returnUrl, intent.return_url],
            [text.created, time(intent.created_at, view.locale)],
          ]),
        )}
      </div>
    </div>`;
  return {
    section: 'intents',
    title: `${text.intent} ${intent.id}`,
    body,
    back: { href: pathIn(view, 'intents'), label: text.intents },
  };
};
