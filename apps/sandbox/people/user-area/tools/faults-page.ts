import { EVENT_TARGETS } from '../../../faults/fault-input.js';
import {
  CALL_FAULTS,
  type CallFault,
  WEBHOOK_FAULTS,
  type WebhookFault,
} from '../../../faults/fault.js';
import { html, type SafeHtml } from '../../web/html.js';
import { actionButton, actionForm, selectField, textField } from '../web/actions.js';
import { block, empty, listTable } from '../web/parts.js';
import { type PageContent, pathIn, type View } from '../web/view.js';
import { type FaultWords, faultWords } from './fault-words.js';

/** Suggested routes; the field also accepts any other route. */
const ROUTES = [
  'POST /v2/payment_intents',
  'GET /v2/payment_intents/:id',
  'POST /v2/payment_intents/:id/capture',
  'POST /v2/payment_intents/:id/refund',
  'DELETE /v2/payment_intents/:id',
  'POST /v2/payments',
  'GET /v2/payments/:id',
  'POST /v2/refunds',
  'POST /v2/customers',
  'GET /v2/payouts',
  'POST /v2/webhooks',
  '*',
] as const;

const timesFields = (prefix: string, text: FaultWords): SafeHtml =>
  html` ${textField({ name: 'count', label: text.count, inputmode: 'numeric', hint: text.countHint })}
  ${textField({ name: 'rate', label: text.rate, inputmode: 'decimal', hint: text.rateHint })}
  ${textField({ name: 'seed', label: text.seed, hint: text.seedHint })}
  ${textField({ name: 'delay', label: text.delay, inputmode: 'numeric', hint: prefix })}`;

const callForm = (view: View, text: FaultWords): SafeHtml =>
  actionForm(view, {
    path: pathIn(view, 'faults'),
    label: text.add,
    icon: 'bolt',
    tone: 'main',
    fields: html`${textField({
      name: 'route',
      label: text.route,
      value: ROUTES[0],
      list: 'routes',
      isRequired: true,
      hint: text.routeHint,
    })}
      <datalist id="routes">
        ${ROUTES.map((route) => html`<option value="${route}"></option>`)}
      </datalist>
      ${selectField({
        name: 'kind',
        label: text.kind,
        choices: CALL_FAULTS.map((value) => ({ value, label: text[value] })),
      })}${timesFields(text.callDelay, text)}`,
  });

const webhookForm = (view: View, text: FaultWords): SafeHtml =>
  actionForm(view, {
    path: pathIn(view, 'faults'),
    label: text.add,
    icon: 'bolt',
    tone: 'main',
    fields: html`${selectField({
      name: 'event',
      label: text.event,
      choices: EVENT_TARGETS.map((value) => ({ value, label: value === '*' ? text.every : value })),
    })}${selectField({
      name: 'kind',
      label: text.kind,
      choices: WEBHOOK_FAULTS.map((value) => ({
        value,
        label: value === 'delay' ? text.delayWebhook : text[value],
      })),
    })}${timesFields(text.webhookDelay, text)}`,
  });

const PERCENTS = {
  en: new Intl.NumberFormat('en-IE', { style: 'percent', maximumFractionDigits: 1 }),
  fr: new Intl.NumberFormat('fr-FR', { style: 'percent', maximumFractionDigits: 1 }),
};

const row = (view: View, fault: CallFault | WebhookFault, kind: string, text: FaultWords) => [
  html`<code>${fault.target === '*' ? text.every : fault.target}</code>`,
  kind,
  fault.count === null ? text.endless : String(fault.count),
  PERCENTS[view.locale].format(fault.rate),
  html`<code>${fault.seed}</code>`,
  `${fault.met} / ${fault.seen}`,
  actionButton(view, { path: pathIn(view, `faults/${fault.id}/clear`), label: text.clear }),
];

const waiting = (
  view: View,
  calls: readonly CallFault[],
  webhooks: readonly WebhookFault[],
  text: FaultWords,
): SafeHtml => {
  const rows = [
    ...calls.map((fault) => row(view, fault, text[fault.kind], text)),
    ...webhooks.map((fault) =>
      row(view, fault, fault.kind === 'delay' ? text.delayWebhook : text[fault.kind], text),
    ),
  ];
  if (rows.length === 0) return empty(text.none);
  return listTable(
    text.waiting,
    [
      { label: text.whom },
      { label: text.kind },
      { label: text.left },
      { label: text.rate },
      { label: text.seed, kind: 'wide' },
      { label: text.met },
      { label: '' },
    ],
    rows,
  );
};

/** The active faults, and the form for a new one. */
export const faultsPage = (
  view: View,
  calls: readonly CallFault[],
  webhooks: readonly WebhookFault[],
): PageContent => {
  const text = faultWords(view.locale);
  const clear =
    calls.length + webhooks.length === 0
      ? null
      : actionButton(view, { path: pathIn(view, 'faults/clear'), label: text.clearAll });
  const body = html`<h1>${text.title}</h1>
    <p class="lead">${text.lead}</p>
    ${block(text.waiting, waiting(view, calls, webhooks, text), clear)}
    <div class="two even">
      <div>${block(text.forCalls, callForm(view, text))}</div>
      <div>${block(text.forWebhooks, webhookForm(view, text))}</div>
    </div>`;
  return { section: 'faults', title: text.title, body };
};
