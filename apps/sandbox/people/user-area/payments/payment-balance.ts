import { TAKING_REFUNDS } from '../../../collection/refunds/refund-states.js';
import { html, type SafeHtml } from '../../web/html.js';
import { money } from '../web/parts.js';
import type { View } from '../web/view.js';
import type { PaymentDossier } from './payment-dossier.js';
import { paymentWords, type PaymentWords } from './payment-words.js';

type Part = 'amount' | 'refunded' | 'chargedBack' | 'disputeFees' | 'fee';

const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + amount, 0);

/** What a captured payment adds to the merchant's payouts, in minor units. */
const partsOf = ({
  payment,
  refunds,
  disputes,
}: PaymentDossier): Readonly<Record<Part, number>> => {
  const taking = refunds.filter(({ status }) => TAKING_REFUNDS.includes(status));
  const lost = disputes.filter(({ status }) => status !== 'won');
  return {
    amount: payment.amount,
    refunded: -sumOf(taking.map(({ amount }) => amount)),
    chargedBack: -sumOf(lost.map(({ amount }) => amount)),
    // The fee of a won dispute is not returned.
    disputeFees: -sumOf(disputes.map(({ fee }) => fee)),
    fee: -(payment.fee ?? 0),
  };
};

/**
 * The table of what a payment adds to the merchant's payouts; null before the capture. VAT is
 * computed on the fees of a whole payout.
 */
export const balanceTable = (view: View, dossier: PaymentDossier): SafeHtml | null => {
  if (dossier.payment.fee === null) return null;
  const text: PaymentWords = paymentWords(view.locale);
  const { currency } = dossier.payment;
  const parts = Object.entries(partsOf(dossier)).filter(([, amount]) => amount !== 0);
  return html` <table class="figures" id="balance">
    <caption class="sr-only">
      ${text.settlement}
    </caption>
    <tbody>
      ${parts.map(
        ([part, amount]) =>
          html`<tr>
            <th scope="row">${text[part as Part]}</th>
            <td data-kind="number">${money(amount, currency, view)}</td>
          </tr>`,
      )}
      <tr class="total">
        <th scope="row">${text.net}</th>
        <td data-kind="number">
          ${money(sumOf(parts.map(([, amount]) => amount)), currency, view)}
        </td>
      </tr>
    </tbody>
  </table>`;
};
