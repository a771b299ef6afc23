import { html, type SafeHtml } from '../web/html.js';
import { icon } from '../web/icons.js';
import { brandMarks } from './brand-marks.js';
import { busyButton, formField } from './form-field.js';
import type { PageTexts } from './page-texts.js';

const cvcMark = html`<svg class="cvc-mark" viewBox="0 0 38 24" aria-hidden="true" focusable="false">
  <rect class="brand-card" x=".5" y=".5" width="37" height="23" rx="4.5" />
  <rect class="brand-ink" y="4.5" width="38" height="4" />
  <rect class="cvc-box" x="20" y="11.5" width="14" height="7.5" rx="2" />
  <path class="cvc-dots" d="M23.5 15.25h.1M27 15.25h.1M30.5 15.25h.1" />
</svg>`;

/** The fields of a card, which the page's script reads. */
export const cardForm = (texts: PageTexts): SafeHtml =>
  html` <form
    class="method-form"
    id="card-form"
    novalidate
    autocomplete="on"
    aria-labelledby="form-title"
  >
    ${formField({
      id: 'number',
      label: texts.cardNumber,
      autocomplete: 'cc-number',
      inputmode: 'numeric',
      maxLength: 23,
      placeholder: '1234 1234 1234 1234',
      extra: html`<span class="brands" id="brands" data-brand="card">${brandMarks}</span>`,
    })}
    <div class="field-row">
      ${formField({
        id: 'expiry',
        label: texts.expiry,
        autocomplete: 'cc-exp',
        inputmode: 'numeric',
        maxLength: 9,
        placeholder: texts.expiryFormat,
      })}
      ${formField({
        id: 'cvc',
        label: texts.cvc,
        autocomplete: 'cc-csc',
        inputmode: 'numeric',
        maxLength: 4,
        placeholder: '123',
        hint: texts.cvcHint,
        extra: cvcMark,
      })}
    </div>
    ${formField({
      id: 'name',
      label: texts.name,
      autocomplete: 'cc-name',
      inputmode: 'text',
      maxLength: 64,
      placeholder: '',
      capitals: 'words',
      isLast: true,
    })}
    ${busyButton('pay', html`${icon('lock')}<span>${texts.pay}</span>`, texts.paying)}
  </form>`;
