import type { AttemptRow, DeliveryRow } from '../../../webhooks/delivery-log.js';
import { isForwardEndpoint } from '../../../webhooks/forward-endpoints.js';
import { html, type SafeHtml } from '../../web/html.js';
import { actionButton } from '../web/actions.js';
import { idText } from '../web/parts.js';
import { pill } from '../web/statuses.js';
import { preciseTime, time } from '../web/times.js';
import { pathIn, type View } from '../web/view.js';
import { words } from '../../web/words.js';
import type { LoggedEvent } from './event-log.js';

const wordsFor = words(
  {
    replay: 'Replay',
    replayed: 'Replayed',
    next: 'Next attempt:',
    attempts: 'Attempts',
    noAttempt: 'No attempt yet',
    onItsWay: 'In progress',
    interrupted: 'Interrupted by a restart',
    body: 'Body',
    open: 'Open the event',
    none: 'No webhook endpoint was registered',
    lose: 'Lost by a fault',
    double: 'Sent twice by a fault',
    reorder: 'Sent out of order by a fault',
    delay: 'Delayed by a fault',
    attempt: 'Attempt',
    when: 'Time',
    result: 'Result',
    took: 'Duration',
  },
  {
    replay: 'Rejouer',
    replayed: 'Rejoué',
    next: 'Prochaine tentative :',
    attempts: 'Tentatives',
    noAttempt: 'Aucune tentative',
    onItsWay: 'En cours',
    interrupted: 'Interrompu par un redémarrage',
    body: 'Corps',
    open: 'Ouvrir l’événement',
    none: 'Aucun endpoint webhook n’était enregistré',
    lose: 'Perdu par une panne',
    double: 'Envoyé deux fois par une panne',
    reorder: 'Envoyé dans le désordre par une panne',
    delay: 'Retardé par une panne',
    attempt: 'Tentative',
    when: 'Date et heure',
    result: 'Résultat',
    took: 'Durée',
  },
);

type Words = ReturnType<typeof wordsFor>;

const goodOf = ({ outcome, http_status: status }: AttemptRow): string => {
  if (outcome === null) return 'unknown';
  return status === 200 || status === 204 ? 'yes' : 'no';
};

const resultText = (attempt: AttemptRow, text: Words): string => {
  if (attempt.outcome === null) return text.onItsWay;
  if (attempt.outcome === 'interrupted') return text.interrupted;
  return attempt.outcome === 'http' ? `HTTP ${attempt.http_status ?? ''}` : (attempt.error ?? '');
};

const attemptLines = (view: View, delivery: DeliveryRow, text: Words): SafeHtml =>
  delivery.attempts.length === 0
    ? html`<p class="hint">${text.noAttempt}</p>`
    : html`<table class="attempts">
        <caption class="sr-only">
          ${text.attempts}
        </caption>
        <thead class="sr-only">
          <tr>
            <th>${text.attempt}</th>
            <th>${text.when}</th>
            <th>${text.result}</th>
            <th>${text.took}</th>
          </tr>
        </thead>
        <tbody>
          ${delivery.attempts.map(
            (attempt) =>
              html`<tr data-good="${goodOf(attempt)}">
                <td>${attempt.attempt}</td>
                <td>${preciseTime(attempt.started_at, view.locale)}</td>
                <td class="result">${resultText(attempt, text)}</td>
                <td>${attempt.duration_ms === null ? '' : `${attempt.duration_ms} ms`}</td>
              </tr>`,
          )}
        </tbody>
      </table>`;

const note = (tone: string, text: string): SafeHtml =>
  html`<span class="tag" data-tone="${tone}">${text}</span>`;

/** The delivery of one event to one endpoint: every attempt, and the button Replay. */
export const deliveryPart = (view: View, delivery: DeliveryRow, subject: SafeHtml): SafeHtml => {
  const text = wordsFor(view.locale);
  return html` <article class="delivery">
    <div class="delivery-head">
      <div class="delivery-what">${subject}</div>
      ${delivery.replayed_at === null ? null : note('plain', text.replayed)}
      ${delivery.fault === null ? null : note('warn', text[delivery.fault])}
      ${pill(delivery.status, view.locale)}
      ${actionButton(view, {
        path: pathIn(view, `events/${delivery.event_id}/replay/${delivery.endpoint_id}`),
        label: text.replay,
        icon: 'replay',
      })}
    </div>
    ${attemptLines(view, delivery, text)}
    ${
      delivery.due_at === null
        ? null
        : html`<p class="hint">${text.next} ${preciseTime(delivery.due_at, view.locale)}</p>`
    }
  </article>`;
};

const prettyBody = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);

/** The body that every attempt sends, formatted. */
export const bodyPart = (event: LoggedEvent, { locale }: View): SafeHtml =>
  html` <pre class="json" tabindex="0" aria-label="${wordsFor(locale).body}">
${prettyBody(event.body)}</pre>`;

/** The endpoint of a delivery. */
export const endpointSubject = (view: View, delivery: DeliveryRow): SafeHtml =>
  isForwardEndpoint(delivery.endpoint_id)
    ? html` ${delivery.url}`
    : html` <a href="${pathIn(view, `webhooks/${delivery.endpoint_id}`)}">${delivery.url}</a>`;

/** The deliveries of one event. */
export const deliveriesOf = (view: View, { deliveries }: LoggedEvent): SafeHtml =>
  deliveries.length === 0
    ? html`<p class="hint">${wordsFor(view.locale).none}</p>`
    : html`<div class="deliveries">
        ${deliveries.map((delivery) =>
          deliveryPart(view, delivery, endpointSubject(view, delivery)),
        )}
      </div>`;

/** An event in a list: its type and time; when opened, also its payload and deliveries. */
export const eventPart = (view: View, event: LoggedEvent): SafeHtml =>
  html` <details class="event">
    <summary>
      <code class="event-type">${event.type}</code>
      <span class="event-pills"
        >${event.deliveries.map(({ status }) => pill(status, view.locale))}</span
      ><code class="event-object">${event.object_id}</code> ${time(event.created_at, view.locale)}
    </summary>
    <div class="event-body">
      <p class="event-id">
        ${idText(event.id, view)}<a href="${pathIn(view, `events/${event.id}`)}"
          >${wordsFor(view.locale).open}</a
        >
      </p>
      ${deliveriesOf(view, event)}${bodyPart(event, view)}
    </div>
  </details>`;
