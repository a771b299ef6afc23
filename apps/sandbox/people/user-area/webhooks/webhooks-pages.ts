import type { DeliveryRow } from '../../../webhooks/delivery-log.js';
import { html, type SafeHtml } from '../../web/html.js';
import { block, empty, facts, idText, listTable, pageLinks } from '../web/parts.js';
import { pill } from '../web/statuses.js';
import { time } from '../web/times.js';
import { type PageContent, pathIn, type View } from '../web/view.js';
import { deliveryPart } from './delivery-parts.js';
import type { Endpoint } from './endpoint-list.js';
import { webhookWords } from './webhook-words.js';

export const DELIVERY_PAGE_SIZE = 20;

const statusOf = ({ enabled, deleted_at: deletedAt }: Endpoint): string =>
  deletedAt !== null ? 'dropped' : enabled ? 'enabled' : 'disabled';

/** The webhook endpoints. */
export const endpointsPage = (view: View, rows: readonly Endpoint[]): PageContent => {
  const text = webhookWords(view.locale);
  const list = listTable(
    text.webhooks,
    [{ label: text.address }, { label: text.status }, { label: text.created }],
    rows.map((row) => [
      html`<a class="row-link" href="${pathIn(view, `webhooks/${row.id}`)}">${row.url}</a>`,
      pill(statusOf(row), view.locale),
      time(row.created_at, view.locale),
    ]),
  );
  const body = html`<h1>${text.webhooks}</h1>
    ${rows.length === 0 ? empty(text.none, text.noneHint) : list}`;
  return { section: 'webhooks', title: text.webhooks, body };
};

const eventSubject = (view: View, delivery: DeliveryRow): SafeHtml =>
  html` <a href="${pathIn(view, `events/${delivery.event_id}`)}"><code>${delivery.type}</code></a>
    <span class="hint"><code>${delivery.object_id}</code></span>`;

/** The page of one endpoint, with every delivery attempt. */
export const endpointPage = (
  view: View,
  endpoint: Endpoint,
  deliveries: readonly DeliveryRow[],
  start: number,
  hasMore: boolean,
): PageContent => {
  const text = webhookWords(view.locale);
  const list = html`<div class="deliveries">
    ${deliveries.map((delivery) => deliveryPart(view, delivery, eventSubject(view, delivery)))}
  </div>`;
  const links = pageLinks(
    {
      path: pathIn(view, `webhooks/${endpoint.id}`),
      query: {},
      start,
      limit: DELIVERY_PAGE_SIZE,
      hasMore,
    },
    view,
  );
  const body = html` <header class="title">
      <div>
        <p class="over-title">${text.endpoint}</p>
        <h1 class="long">${endpoint.url} ${pill(statusOf(endpoint), view.locale)}</h1>
      </div>
    </header>
    <div class="two">
      <div>
        ${block(
          text.deliveries,
          html`${deliveries.length === 0 ? empty(text.noDeliveries) : list}${links}`,
        )}
      </div>
      <div>
        ${block(
          text.details,
          facts([
            [text.id, idText(endpoint.id, view)],
            [text.created, time(endpoint.created_at, view.locale)],
          ]),
        )}
      </div>
    </div>`;
  return {
    section: 'webhooks',
    title: endpoint.url,
    body,
    back: { href: pathIn(view, 'webhooks'), label: text.webhooks },
  };
};
