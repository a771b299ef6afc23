import { EVENT_TYPES } from '../../../storage/event-types.js';
import { html, type SafeHtml } from '../../web/html.js';
import { actionForm, selectField } from '../web/actions.js';
import { block, empty, facts, idText, pageLinks } from '../web/parts.js';
import { preciseTime } from '../web/times.js';
import { type PageContent, pathIn, type View } from '../web/view.js';
import { bodyPart, deliveriesOf, eventPart } from './delivery-parts.js';
import type { Endpoint } from './endpoint-list.js';
import type { LoggedEvent } from './event-log.js';
import { webhookWords } from './webhook-words.js';

export const EVENT_PAGE_SIZE = 25;

export interface EventQuery {
  readonly type: string;
  readonly start: number;
}

/** The event log. */
export const eventsPage = (
  view: View,
  events: readonly LoggedEvent[],
  { type, start }: EventQuery,
  hasMore: boolean,
): PageContent => {
  const text = webhookWords(view.locale);
  const choices = [
    { value: '', label: text.all },
    ...EVENT_TYPES.map((value) => ({ value, label: value })),
  ];
  const links = pageLinks(
    {
      path: pathIn(view, 'events'),
      query: { type },
      start,
      limit: EVENT_PAGE_SIZE,
      hasMore,
    },
    view,
  );
  const body = html`<h1>${text.events}</h1>
    <form class="filters" method="get" action="${pathIn(view, 'events')}">
      ${selectField({ name: 'type', label: text.type, choices, value: type })}
      <div class="field-end"><button class="button" data-tone="main">${text.filter}</button></div>
    </form>
    ${
      events.length === 0
        ? empty(text.noEvents)
        : html`<div class="events block">${events.map((event) => eventPart(view, event))}</div>`
    }
    ${links}`;
  return { section: 'events', title: text.events, body };
};

/** The object's id, as a link when the object has a page. */
const objectLink = (view: View, { object_id: id }: LoggedEvent): SafeHtml => {
  const section = id.startsWith('paym_') ? 'payments' : id.startsWith('pi_') ? 'intents' : null;
  return section === null
    ? idText(id, view)
    : html`<a href="${pathIn(view, `${section}/${id}`)}"><code>${id}</code></a>`;
};

const replayForm = (
  view: View,
  event: LoggedEvent,
  endpoints: readonly Endpoint[],
): SafeHtml | null => {
  const text = webhookWords(view.locale);
  const open = endpoints.filter(({ enabled }) => enabled);
  if (open.length === 0) return null;
  return block(
    text.replayTo,
    actionForm(view, {
      path: pathIn(view, `events/${event.id}/replay`),
      label: text.replay,
      icon: 'replay',
      tone: 'main',
      fields: selectField({
        name: 'endpoint',
        label: text.to,
        choices: open.map(({ id, url }) => ({ value: id, label: url })),
      }),
    }),
  );
};

/** The page of one event: its payload, its deliveries, and the button Replay. */
export const eventPage = (
  view: View,
  event: LoggedEvent,
  endpoints: readonly Endpoint[],
): PageContent => {
  const text = webhookWords(view.locale);
  const body = html` <header class="title">
      <div>
        <p class="over-title">${text.event}</p>
        <h1 class="long"><code>${event.type}</code></h1>
        <p class="under-title">${preciseTime(event.created_at, view.locale)}</p>
      </div>
    </header>
    <div class="two">
      <div>
        ${block(text.deliveries, deliveriesOf(view, event))}${block(
          text.body,
          bodyPart(event, view),
        )}
      </div>
      <div>
        ${block(
          text.details,
          facts([
            [text.id, idText(event.id, view)],
            [text.object, objectLink(view, event)],
          ]),
        )}${replayForm(view, event, endpoints)}
      </div>
    </div>`;
  return {
    section: 'events',
    title: event.type,
    body,
    back: { href: pathIn(view, 'events'), label: text.events },
  };
};
