import type { Message } from '../../collection/messages/message-resource.js';
import { html, type SafeHtml } from '../web/html.js';
import type { Locale } from '../web/locale.js';
import { documentShell } from './document-shell.js';
import { pageTexts } from './page-texts.js';

/** A message in the form in which the inbox shows it. */
export interface ShownMessage {
  readonly id: string;
  readonly to: string;
  /** The time of the message as an ISO instant, and in the reader's format. */
  readonly at: string;
  readonly time: string;
  readonly body: string;
  /** True when the message's code was used or has expired; the message then shows no text. */
  readonly isErased: boolean;
}

export const shownMessage = (message: Message, locale: Locale): ShownMessage => {
  const at = new Date(message.created_at * 1_000);
  const time = new Intl.DateTimeFormat(locale === 'fr' ? 'fr-FR' : 'en-IE', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at);
  return {
    id: message.id,
    to: pageTexts(locale).inboxTo.replace('{phone}', message.recipient),
    at: at.toISOString(),
    time: `${time} UTC`,
    body: message.body ?? pageTexts(locale).inboxErased,
    isErased: message.body === null,
  };
};

const messageItem = ({ id, to, at, time, body, isErased }: ShownMessage): SafeHtml =>
  html` <li class="message" data-message="${id}" ${isErased ? html`data-erased` : null}>
    <p class="message-head"><span>${to}</span><time datetime="${at}">${time}</time></p>
    <p class="message-body">${body}</p>
  </li>`;

/**
 * The page with the text messages of one test payment, newest first; its script polls for new
 * messages.
 */
export const inboxPage = (messages: readonly ShownMessage[], locale: Locale): SafeHtml => {
  const texts = pageTexts(locale);
  const body = html` <div class="page page-inbox">
    <header class="summary">
      <p class="badge">${texts.testMode}</p>
      <h1 class="inbox-title">${texts.inboxTitle}</h1>
      <p class="inbox-lead">${texts.inboxLead}</p>
    </header>
    <main class="card" id="main">
      <p class="inbox-empty" id="inbox-empty" ${messages.length === 0 ? null : html`hidden`}>
        ${texts.inboxEmpty}
      </p>
      <ul class="messages" id="messages" aria-live="polite">
        ${messages.map(messageItem)}
      </ul>
    </main>
  </div>`;
  const { inboxTitle: title } = texts;
  return documentShell({ locale, isFramed: false, title, data: null, body, script: 'inbox.js' });
};
