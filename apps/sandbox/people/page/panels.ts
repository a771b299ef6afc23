import type { PageView } from '../../collection/page-flow/page-flow.js';
import { html, type SafeHtml } from '../web/html.js';
import { icon } from '../web/icons.js';
import type { PageTexts } from './page-texts.js';

/** The final states of a payment page; `missing`: the payment is unknown. */
export type Ending = 'done' | 'processing' | 'canceled' | 'unpaid' | 'missing';

/**
 * The final state of a payment; null while the payer or the script can still act. `authorized` is
 * not final, because the script may still have to send the confirmation.
 */
export const endingOf = ({ status }: PageView): Ending | null => {
  switch (status) {
    case 'require_payment_method':
    case 'require_authentication':
    case 'require_authorization':
    case 'authorized':
      return null;
    case 'to_capture':
    case 'capture_sent':
    case 'captured':
      return 'done';
    case 'processing':
    case 'canceled':
    case 'unpaid':
      return status;
  }
};

/**
 * The label of the amount. It depends on whether the payment is open, was paid, or has ended
 * otherwise.
 */
export const amountLabel = (ending: Ending | null, texts: PageTexts): string => {
  if (ending === null) return texts.amountDue;
  return ending === 'done' ? texts.amountPaid : texts.amount;
};

/**
 * The two panels that the script shows one after the other: the bank's frame, and the wait for the
 * bank's response.
 */
export const statusPanel = (texts: PageTexts): SafeHtml =>
  html` <section class="panel" id="bank-panel" aria-labelledby="bank-title" hidden>
      <div class="panel-head">
        <span class="panel-icon">${icon('bank')}</span>
        <div>
          <h1 class="panel-title" id="bank-title" tabindex="-1">${texts.bankTitle}</h1>
          <p class="panel-lead">${texts.bankLead}</p>
        </div>
      </div>
      <div class="bank-slot" id="bank-slot"></div>
    </section>
    <section class="panel wait" id="wait-panel" hidden>
      <span class="ring" aria-hidden="true"></span>
      <p>${texts.confirming}</p>
    </section>`;

/** The links in the panel of the final state. */
interface Links {
  readonly returnUrl: string | null;
}

/**
 * The panel of the final state, with the icons of all final states, because the script selects one
 * of them when the payment ends.
 */
export const endingPanel = (
  ending: Ending | null,
  texts: PageTexts,
  { returnUrl }: Links,
): SafeHtml =>
  html` <section
    class="panel ending"
    id="ending-panel"
    data-ending="${ending ?? ''}"
    ${ending === null ? html`hidden` : null}
  >
    <span class="seal">
      <span data-for="done">${icon('check')}</span>
      <span data-for="processing">${icon('clock')}</span>
      <span data-for="canceled">${icon('cross')}</span>
      <span data-for="unpaid">${icon('alert')}</span>
      <span data-for="missing">${icon('search')}</span>
    </span>
    <h1 class="ending-title" id="ending-title" tabindex="-1">
      ${ending === null ? '' : texts[`${ending}Title`]}
    </h1>
    <p class="ending-text" id="ending-text">${ending === null ? '' : texts[ending]}</p>
    <p class="going-back" id="going-back" hidden>${texts.goingBack}</p>
    <p class="ending-links">
      <a class="link-button link-strong" id="mandate-link" target="_blank" rel="noopener" hidden
        >${icon('document')}${texts.mandateLink}</a
      >
      ${
        returnUrl === null
          ? null
          : html`<a
              class="link-button"
              id="go-back"
              target="_top"
              rel="noreferrer"
              href="${returnUrl}"
              >${texts.goBack}${icon('arrow')}</a
            >`
      }
    </p>
  </section>`;
