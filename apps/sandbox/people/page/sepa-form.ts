import type { Creditor } from '../../collection/mandates/creditor.js';
import { fact } from '../web/fact.js';
import { html, type SafeHtml } from '../web/html.js';
import { icon } from '../web/icons.js';
import { busyButton, formField } from './form-field.js';
import type { PageTexts } from './page-texts.js';

/** The fields for the bank account to debit and for the telephone that receives the code. */
export const sepaForm = (texts: PageTexts, creditor: Creditor): SafeHtml =>
  html` <form
    class="method-form"
    id="sepa-form"
    novalidate
    autocomplete="on"
    aria-labelledby="form-title"
  >
    ${formField({
      id: 'account-name',
      label: texts.accountName,
      autocomplete: 'name',
      inputmode: 'text',
      maxLength: 64,
      placeholder: '',
      capitals: 'words',
    })}
    ${formField({
      id: 'iban',
      label: texts.iban,
      autocomplete: 'off',
      inputmode: 'text',
      maxLength: 42,
      placeholder: 'FR76 1234 1234 1234 …',
      capitals: 'characters',
      hint: texts.ibanHint,
    })}
    ${formField({
      id: 'phone',
      label: texts.phone,
      autocomplete: 'tel',
      inputmode: 'tel',
      maxLength: 24,
      placeholder: '+33 6 12 34 56 78',
      hint: texts.phoneHint,
      isHintShown: true,
      isLast: true,
    })}
    <dl class="mandate-facts" id="creditor">
      ${fact(texts.creditor, creditor.name)} ${fact(texts.creditorId, creditor.id)}
    </dl>
    <p class="consent">${texts.consent}</p>
    ${busyButton('get-code', html`${icon('phone')}<span>${texts.getCode}</span>`, texts.gettingCode)}
  </form>`;

/**
 * The step in which the payer signs: enters the code, requests a new code, or changes the bank
 * account.
 */
export const signPanel = (
  texts: PageTexts,
  creditor: Creditor,
  inboxPath: string | null,
): SafeHtml =>
  html` <section class="panel" id="sign-panel" aria-labelledby="sign-title" hidden>
    <div class="panel-head sign-head">
      <span class="panel-icon">${icon('phone')}</span>
      <div>
        <h1 class="panel-title" id="sign-title" tabindex="-1">${texts.signTitle}</h1>
        <p class="panel-lead" id="sign-lead"></p>
      </div>
    </div>
    <dl class="mandate-facts">
      ${fact(texts.creditor, creditor.name)}
      <div>
        <dt>${texts.signAccount}</dt>
        <dd id="sign-account"></dd>
      </div>
    </dl>
    <form
      class="method-form"
      id="sign-form"
      novalidate
      autocomplete="off"
      aria-labelledby="sign-title"
    >
      ${formField({
        id: 'code',
        label: texts.code,
        autocomplete: 'one-time-code',
        inputmode: 'numeric',
        maxLength: 4,
        placeholder: '••••',
        isLast: true,
      })}
      ${busyButton('sign', html`${icon('lock')}<span>${texts.sign}</span>`, texts.signing)}
    </form>
    <p class="sign-links">
      <button class="text-button" id="new-code" type="button">${texts.newCode}</button>
      <button class="text-button" id="other-account" type="button">${texts.otherAccount}</button>
    </p>
    ${
      inboxPath === null
        ? null
        : html`<p class="inbox-link">
            ${texts.inboxNote}
            <a href="${inboxPath}" id="inbox-link" target="_blank" rel="noopener"
              >${texts.openInbox}</a
            >
          </p>`
    }
  </section>`;
