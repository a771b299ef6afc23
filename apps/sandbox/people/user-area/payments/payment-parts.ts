import type { Instant } from '#kernel';
import { CARD_DISPUTE_CODES } from '../../../collection/banks/dispute-codes.js';
import { RESPONSE_CODES } from '../../../collection/banks/response-codes.js';
import { awaitsConfirmation } from '../../../collection/payments/guards.js';
import type { FullPayment } from '../../../collection/payments/payment-resource.js';
import { brandText } from '../../web/card-brand.js';
import { html, type SafeHtml } from '../../web/html.js';
import { pathIn, type View } from '../web/view.js';
import { words } from '../../web/words.js';
import { disputeReason, responseReason } from './reasons.js';

const wordsFor = words(
  { masked: 'the payer sees code 05', maskedDispute: 'the payer sees code 45' },
  { masked: 'le payeur voit le code 05', maskedDispute: 'le payeur voit le code 45' },
);

/**
 * Whether the payment is authorized for automatic capture, but the browser's confirmation did not
 * arrive in time: only the User Area can capture it now. See
 * docs/provider/payments-completion.md#states.
 */
export const isInterrupted = (payment: FullPayment, now: Instant): boolean =>
  payment.status === 'authorized' && payment.capture && !awaitsConfirmation(payment, now);

/**
 * The status that the User Area shows: `interrupted` instead of `authorized` when the automatic
 * capture was not confirmed.
 */
export const shownStatus = (payment: FullPayment, now: Instant): string =>
  isInterrupted(payment, now) ? 'interrupted' : payment.status;

/** The payment's method as text, e.g. `Visa •••• 0012`. */
export const meansText = ({ card, sepa }: FullPayment): string => {
  if (card !== null) return `${brandText(card.brand)} •••• ${card.last4}`;
  return sepa === null ? '—' : `SEPA •••• ${sepa.last4}`;
};

export const paymentLink = (view: View, id: string, content: SafeHtml | string): SafeHtml =>
  html`<a class="row-link" href="${pathIn(view, `payments/${id}`)}">${content}</a>`;

const codeText = (code: string, meaning: string | undefined, note: string | null): SafeHtml =>
  html`<span
    ><span class="code">${code}</span> ${meaning ?? ''}${
      note === null ? null : html` <span class="hint">(${note})</span>`
    }</span
  >`;

/** The bank's response code, and the generic code that the payer sees when the code is masked. */
export const responseText = (code: string | null, { locale }: View): SafeHtml | null => {
  if (code === null) return null;
  const note = RESPONSE_CODES[code]?.masked === true ? wordsFor(locale).masked : null;
  return codeText(code, responseReason(code, locale), note);
};

export const disputeText = (code: string, { locale }: View): SafeHtml => {
  const isMasked = CARD_DISPUTE_CODES[code]?.masked === true;
  const note = isMasked ? wordsFor(locale).maskedDispute : null;
  return codeText(code, disputeReason(code, locale), note);
};
