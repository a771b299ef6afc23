import { type Instant, msOf } from '#kernel';
import type { AuthSessionView } from '../../collection/page-flow/page-flow.js';
import { brandText } from '../web/card-brand.js';
import { fact } from '../web/fact.js';
import { htmlDocument } from '../web/html-document.js';
import { dataBlock, html, type SafeHtml } from '../web/html.js';
import { icon } from '../web/icons.js';
import { amountText, type Locale } from '../web/locale.js';
import { type BankTexts, bankTexts } from './bank-texts.js';

interface BankData {
  readonly session: string;
  readonly isOver: boolean;
  /** The payment intent that the payer has approved, and the browser may still have to confirm. */
  readonly approvedIntent: string | null;
  readonly returnUrl: string | null;
  readonly texts: BankTexts;
}

const document = (
  locale: Locale,
  texts: BankTexts,
  body: SafeHtml,
  data: BankData | null,
): SafeHtml =>
  htmlDocument({
    locale,
    title: `${texts.title} · ${texts.bank}`,
    styles: ['/bank-assets/bank.css'],
    script: data === null ? null : '/bank-assets/bank.js',
    body: html` <div class="bank" id="bank">
        <header class="bank-head">${icon('bank')}<span>${texts.bank}</span></header>
        <main class="bank-body">${body}</main>
      </div>
      ${data === null ? null : dataBlock('bank-data', data)}`,
  });

const buttons = (texts: BankTexts): SafeHtml =>
  html` <p class="bank-message" id="message" role="status"></p>
    <div class="bank-actions" id="actions">
      <button class="approve" type="button" data-decision="approve" disabled>
        ${texts.approve}
      </button>
      <button class="refuse" type="button" data-decision="refuse" disabled>${texts.refuse}</button>
      <button class="leave" type="button" data-decision="leave" disabled>${texts.leave}</button>
    </div>
    <p class="bank-note">${texts.notice}</p>`;

const cardText = ({ cardBrand, cardLast4 }: AuthSessionView): string =>
  `${brandText(cardBrand)} •••• ${cardLast4}`;

/** The bank's confirmation form for the payer. */
export const bankPage = (view: AuthSessionView, now: Instant, locale: Locale): SafeHtml => {
  const texts = bankTexts(locale);
  const time = new Intl.DateTimeFormat(locale === 'fr' ? 'fr-FR' : 'en-GB', {
    dateStyle: 'medium',
  }).format(msOf(now));
  const body = html` <h1 class="bank-title">${texts.question}</h1>
    <p class="bank-amount">${amountText(view.amountMinor, view.currency, locale)}</p>
    <dl class="bank-facts">
      ${fact(texts.merchant, view.merchantName)}
      ${view.description === null ? null : fact(texts.purchase, view.description)}
      ${fact(texts.card, cardText(view))}
      ${fact(texts.time, time)}
    </dl>
    ${buttons(texts)}`;
  const { id: session, returnUrl } = view;
  const data = { session, isOver: false, approvedIntent: null, returnUrl, texts };
  return document(locale, texts, body, data);
};

/**
 * The bank's page when the payer has already decided, or the time for the decision has expired. The
 * page reports this to the payment page that frames it; outside a frame it redirects the payer to
 * the merchant. `view` is null when the session is unknown or was replaced by another attempt.
 */
export const overPage = (
  session: string,
  view: AuthSessionView | null,
  locale: Locale,
): SafeHtml => {
  const texts = bankTexts(locale);
  const body = html`<h1 class="bank-title is-over">${texts.overTitle}</h1>
    <p class="bank-message" id="message" role="status">${texts.over}</p>`;
  const approvedIntent = view?.status === 'success' ? view.intentId : null;
  const returnUrl = view?.returnUrl ?? null;
  return document(locale, texts, body, { session, isOver: true, approvedIntent, returnUrl, texts });
};

/** The page that the bank shows when another site frames it directly, without the payment page. */
export const elsewherePage = (locale: Locale): SafeHtml => {
  const texts = bankTexts(locale);
  const body = html`<h1 class="bank-title is-over">${texts.bank}</h1>
    <p class="bank-message">${texts.elsewhere}</p>`;
  return document(locale, texts, body, null);
};
