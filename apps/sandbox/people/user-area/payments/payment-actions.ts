import { CARD_DISPUTE_CODES, SEPA_DISPUTE_CODES } from '../../../collection/banks/dispute-codes.js';
import type { FullPayment } from '../../../collection/payments/payment-resource.js';
import { paymentMachine } from '../../../collection/payments/states.js';
import { html, type SafeHtml } from '../../web/html.js';
import { amountText } from '../../web/locale.js';
import { actionButton, actionPanel, selectField, textField } from '../web/actions.js';
import { pathIn, type View } from '../web/view.js';
import { filled, words } from '../../web/words.js';
import { leftToRefund, type PaymentDossier } from './payment-dossier.js';
import { isInterrupted } from './payment-parts.js';
import { disputeReason } from './reasons.js';

const wordsFor = words(
  {
    capture: 'Capture {amount}',
    cancel: 'Cancel',
    cancelHint: 'The held amount is released and nothing is debited. This cannot be undone.',
    cancelNow: 'Cancel the payment',
    refund: 'Refund',
    refundNow: 'Refund',
    refundHint: 'At most {amount}. The refund is sent at the next cut-off after the capture.',
    amount: 'Amount',
    dispute: 'Open a dispute',
    disputeNow: 'Dispute the payment',
    disputeHint:
      'Opens a dispute as the payer’s bank would: the amount not refunded and a fee are deducted.',
    code: 'Reason',
    masked: 'the payer sees code 45',
  },
  {
    capture: 'Capturer {amount}',
    cancel: 'Annuler',
    cancelHint: 'Le montant réservé est libéré et rien n’est débité. L’annulation est définitive.',
    cancelNow: 'Annuler le paiement',
    refund: 'Rembourser',
    refundNow: 'Rembourser',
    refundHint: '{amount} au plus. Envoyé à la prochaine heure limite après la capture.',
    amount: 'Montant',
    dispute: 'Ouvrir une contestation',
    disputeNow: 'Contester le paiement',
    disputeHint:
      'Ouvre une contestation comme le ferait la banque du payeur : le montant non remboursé ' +
      'et des frais sont déduits.',
    code: 'Motif',
    masked: 'le payeur voit le code 45',
  },
);

type Words = ReturnType<typeof wordsFor>;

/**
 * Whether the payment can be captured manually: it was created with `capture=false`, or interrupted
 * after 3-D Secure. While the payer may still be on the page, the page requests the automatic
 * capture. See docs/provider/payments.md#manual-capture.
 */
const canCapture = (payment: FullPayment, view: View): boolean =>
  payment.status === 'authorized' && (!payment.capture || isInterrupted(payment, view.now));

const capture = (view: View, { payment }: PaymentDossier, text: Words): SafeHtml => {
  const amount = amountText(payment.amount, payment.currency, view.locale);
  return actionButton(view, {
    path: pathIn(view, `payments/${payment.id}/capture`),
    icon: 'check',
    tone: 'main',
    label: filled(text.capture, { amount }),
  });
};

const refund = (view: View, dossier: PaymentDossier, text: Words): SafeHtml => {
  const { id, currency } = dossier.payment;
  const left = leftToRefund(dossier);
  const value = (left / 100).toFixed(2);
  return actionPanel(
    view,
    { label: text.refund, icon: 'refund' },
    filled(text.refundHint, { amount: amountText(left, currency, view.locale) }),
    {
      path: pathIn(view, `payments/${id}/refund`),
      label: text.refundNow,
      tone: 'main',
      fields: textField({
        name: 'amount',
        label: `${text.amount} (${currency.toUpperCase()})`,
        value,
        inputmode: 'decimal',
        isRequired: true,
      }),
    },
  );
};

const codeChoices = (view: View, method: FullPayment['method'], text: Words) =>
  Object.entries(method === 'card' ? CARD_DISPUTE_CODES : SEPA_DISPUTE_CODES).map(
    ([value, { masked }]) => ({
      value,
      label: `${value} · ${disputeReason(value, view.locale)}${masked ? ` (${text.masked})` : ''}`,
    }),
  );

const dispute = (view: View, { payment }: PaymentDossier, text: Words): SafeHtml =>
  actionPanel(view, { label: text.dispute, icon: 'flag' }, text.disputeHint, {
    path: pathIn(view, `payments/${payment.id}/dispute`),
    label: text.disputeNow,
    tone: 'bad',
    fields: selectField({
      name: 'code',
      label: text.code,
      choices: codeChoices(view, payment.method, text),
    }),
  });

const cancel = (view: View, { payment }: PaymentDossier, text: Words): SafeHtml =>
  actionPanel(view, { label: text.cancel, icon: 'cross' }, text.cancelHint, {
    path: pathIn(view, `payments/${payment.id}/cancel`),
    label: text.cancelNow,
    tone: 'bad',
  });

/** The actions that the payment allows now. */
export const paymentActions = (view: View, dossier: PaymentDossier): SafeHtml => {
  const text = wordsFor(view.locale);
  const { payment, intent } = dossier;
  const isLatest = intent.payment_id === payment.id;
  const refundable = payment.status === 'captured' || payment.status === 'capture_sent';
  return html`<div class="actions">
    ${canCapture(payment, view) ? capture(view, dossier, text) : null}
    ${refundable && leftToRefund(dossier) > 0 ? refund(view, dossier, text) : null}
    ${paymentMachine.can(payment.status, 'dispute') ? dispute(view, dossier, text) : null}
    ${isLatest && paymentMachine.can(payment.status, 'cancel') ? cancel(view, dossier, text) : null}
  </div>`;
};
