import type { FullPayment } from '../../../collection/payments/payment-resource.js';
import { brandText } from '../../web/card-brand.js';
import { html, type SafeHtml } from '../../web/html.js';
import { block, facts, idText, listTable, money } from '../web/parts.js';
import { pill } from '../web/statuses.js';
import { dayText, time } from '../web/times.js';
import { type PageContent, pathIn, type View } from '../web/view.js';
import { eventPart } from '../webhooks/delivery-parts.js';
import { disputeActions } from './dispute-actions.js';
import { paymentActions } from './payment-actions.js';
import { balanceTable } from './payment-balance.js';
import type { PaymentDossier } from './payment-dossier.js';
import {
  disputeText,
  isInterrupted,
  meansText,
  paymentLink,
  responseText,
  shownStatus,
} from './payment-parts.js';
import { paymentWords, type PaymentWords } from './payment-words.js';
import { refundActions } from './refund-actions.js';

const details = (view: View, { payment, intent }: PaymentDossier, text: PaymentWords): SafeHtml =>
  block(
    text.details,
    facts([
      [text.id, idText(payment.id, view)],
      [
        text.intent,
        payment.single_call
          ? text.singleCall
          : html`<a href="${pathIn(view, `intents/${intent.id}`)}"><code>${intent.id}</code></a>
              ${pill(intent.status, view.locale)}`,
      ],
      [text.description, payment.description],
      [text.order, payment.order_id],
      [text.uniqueId, payment.unique_id],
      [text.captureMode, payment.capture ? text.auto : text.manual],
      [text.created, time(payment.created_at, view.locale)],
      [text.authorized, time(payment.authorized_at, view.locale)],
      [text.captured, time(payment.captured_at, view.locale)],
      [text.response, responseText(payment.response, view)],
      [
        text.customer,
        payment.customer === null
          ? null
          : html`${payment.customer.name ?? payment.customer.email ?? ''}
            ${idText(payment.customer.id, view)}`,
      ],
    ]),
  );

const means = (view: View, payment: FullPayment, text: PaymentWords): SafeHtml => {
  const { card, sepa } = payment;
  if (card !== null) {
    const month = String(card.exp_month).padStart(2, '0');
    return block(
      text.card,
      facts([
        [text.number, meansText(payment)],
        [text.expiry, `${month} / ${card.exp_year}`],
        [text.holder, card.name],
        [text.country, card.country],
        [text.network, card.network === null ? null : brandText(card.network)],
        [text.id, idText(card.id, view)],
      ]),
    );
  }
  return block(
    text.sepa,
    facts([
      [text.number, meansText(payment)],
      [text.holder, sepa?.name ?? null],
      [text.country, sepa?.country ?? null],
      ['BIC', sepa?.bic ?? null],
      [text.mandate, payment.mandate_id === null ? null : idText(payment.mandate_id, view)],
      [text.id, sepa === null ? null : idText(sepa.id, view)],
    ]),
  );
};

const authentication = (view: View, payment: FullPayment, text: PaymentWords): SafeHtml | null =>
  payment.auth_status === null
    ? null
    : block(
        text.auth,
        facts([
          [text.status, pill(payment.auth_status, view.locale)],
          [text.expires, time(payment.auth_expires_at, view.locale)],
          [text.left, time(payment.auth_left_at, view.locale)],
        ]),
      );

const settlement = (view: View, dossier: PaymentDossier, text: PaymentWords): SafeHtml | null => {
  const { payment } = dossier;
  return payment.fee === null && payment.payout_id === null
    ? null
    : block(
        text.settlement,
        html`${balanceTable(view, dossier)}${facts([
          [
            text.payout,
            payment.payout_id === null
              ? text.nextPayout
              : html`<a href="${pathIn(view, `payouts/${payment.payout_id}`)}"
                  ><code>${payment.payout_id}</code></a
                >`,
          ],
          [
            text.bankDay,
            payment.date_bank === null ? null : dayText(payment.date_bank, view.locale),
          ],
        ])}`,
      );
};

const attempts = (view: View, dossier: PaymentDossier, text: PaymentWords): SafeHtml | null =>
  dossier.attempts.length < 2
    ? null
    : block(
        text.attempts,
        listTable(
          text.attempts,
          [
            { label: text.created },
            { label: text.number },
            { label: text.status },
            { label: text.response, kind: 'wide' },
          ],
          dossier.attempts.map((each) => [
            each.id === dossier.payment.id
              ? html`<strong>${time(each.created_at, view.locale)}</strong>`
              : paymentLink(view, each.id, html`${time(each.created_at, view.locale)}`),
            meansText(each),
            pill(shownStatus(each, view.now), view.locale),
            responseText(each.response, view),
          ]),
        ),
      );

const refunds = (view: View, dossier: PaymentDossier, text: PaymentWords): SafeHtml | null =>
  dossier.refunds.length === 0
    ? null
    : block(
        text.refunds,
        listTable(
          text.refunds,
          [
            { label: text.amount, kind: 'number' },
            { label: text.status },
            { label: text.id },
            { label: text.created },
            { label: text.actions },
          ],
          dossier.refunds.map((row) => [
            money(row.amount, row.currency, view),
            pill(row.status, view.locale),
            idText(row.id, view),
            time(row.created_at, view.locale),
            refundActions(view, row),
          ]),
        ),
      );

const disputes = (view: View, dossier: PaymentDossier, text: PaymentWords): SafeHtml | null =>
  dossier.disputes.length === 0
    ? null
    : block(
        text.disputes,
        listTable(
          text.disputes,
          [
            { label: text.amount, kind: 'number' },
            { label: text.status },
            { label: text.reason },
            { label: text.id, kind: 'wide' },
            { label: text.created },
          ],
          dossier.disputes.map((row) => [
            money(row.amount, row.currency, view),
            pill(row.status, view.locale),
            disputeText(row.response, view),
            idText(row.id, view),
            time(row.created_at, view.locale),
          ]),
        ),
        html`${dossier.disputes.map((row) => disputeActions(view, row))}`,
      );

const hintOf = (payment: FullPayment, view: View, text: PaymentWords): SafeHtml | null => {
  if (isInterrupted(payment, view.now)) return html`<p class="callout">${text.interrupted}</p>`;
  if (payment.status !== 'authorized') return null;
  return html`<p class="callout">${payment.capture ? text.onPage : text.awaitsCapture}</p>`;
};

const secureText = (view: View, payment: FullPayment, text: PaymentWords): SafeHtml | null =>
  payment.auth_status === null
    ? null
    : html` · ${text.secure} ${pill(payment.auth_status, view.locale)}`;

const DECLINED: readonly string[] = ['refused', 'failed'];

/** Why the payment was declined; null for a payment that was not declined. */
const declineText = (view: View, payment: FullPayment): SafeHtml | null =>
  DECLINED.includes(payment.status)
    ? html`<p class="under-title">${responseText(payment.response, view)}</p>`
    : null;

/** One payment: its details, its actions and its history. */
export const paymentPage = (view: View, dossier: PaymentDossier): PageContent => {
  const text = paymentWords(view.locale);
  const { payment, events } = dossier;
  const body = html` <header class="title">
      <div>
        <p class="over-title">${text.payment}</p>
        <h1>
          ${money(payment.amount, payment.currency, view)}
          ${pill(shownStatus(payment, view.now), view.locale)}
        </h1>
        <p class="under-title">
          ${meansText(payment)} · ${time(payment.created_at, view.locale)}${secureText(
            view,
            payment,
            text,
          )}
        </p>
        ${declineText(view, payment)}
      </div>
      ${paymentActions(view, dossier)}
    </header>
    ${hintOf(payment, view, text)}
    <div class="two">
      <div>
        ${refunds(view, dossier, text)}${disputes(view, dossier, text)}${attempts(
          view,
          dossier,
          text,
        )}${block(
          text.events,
          html`<div class="events">${events.map((event) => eventPart(view, event))}</div>`,
        )}
      </div>
      <div>
        ${settlement(view, dossier, text)}${details(view, dossier, text)}${means(
          view,
          payment,
          text,
        )}${authentication(view, payment, text)}
      </div>
    </div>`;
  return {
    section: 'payments',
    title: `${text.payment} ${payment.id}`,
    body,
    back: { href: pathIn(view, 'payments'), label: text.payments },
  };
};
