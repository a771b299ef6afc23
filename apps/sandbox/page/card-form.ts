import { brandMarks } from './brand-marks.js';
import type { PageTexts } from './page-texts.js';
import type { CardHelp } from './test-cards.js';
import { html, type SafeHtml } from './web/html.js';
import { icon } from './web/icons.js';

interface Field {
  readonly id: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly inputmode: 'numeric' | 'text';
  readonly maxLength: number;
  readonly placeholder: string;
  readonly hint?: string;
  readonly extra?: SafeHtml;
}

/** No input has a name: were the script not there, a form sent by the browser holds no number. */
const field = (spec: Field): SafeHtml => html`
<div class="field" id="${spec.id}-field">
  <label for="${spec.id}">${spec.label}</label>
  <div class="control">
    <input id="${spec.id}" type="text" inputmode="${spec.inputmode}" required
      autocomplete="${spec.autocomplete}" maxlength="${spec.maxLength}"
      placeholder="${spec.placeholder}" aria-describedby="${spec.id}-error${
        spec.hint === undefined ? '' : ` ${spec.id}-hint`
      }" autocapitalize="${spec.id === 'name' ? 'words' : 'off'}" autocorrect="off"
      spellcheck="false" enterkeyhint="${spec.id === 'name' ? 'go' : 'next'}">
    ${spec.extra ?? null}
  </div>
  ${spec.hint === undefined
    ? null
    : html`<p class="sr-only" id="${spec.id}-hint">${spec.hint}</p>`}
  <p class="field-error" id="${spec.id}-error"></p>
</div>`;

const testCardList = (texts: PageTexts, cards: readonly CardHelp[]): SafeHtml => html`
<details class="test-cards" id="test-cards">
  <summary><span>${texts.testCards}</span>
    <span class="test-note">${texts.testNotice}</span>${icon('chevron')}</summary>
  <ul>${cards.map((card, index) => html`
    <li><button type="button" data-test-card="${index}" aria-label="${texts.testCardUse
      .replace('{number}', card.number)
      .replace('{scenario}', card.scenario)}">
      <span class="test-number">${card.number}</span>
      <span class="test-scenario">${card.scenario}</span>
      <span class="test-result" data-good="${card.accepted ? 'yes' : 'no'}">${card.response}</span>
    </button></li>`)}
  </ul>
</details>`;

/** The card form with its messages, hidden until the page's script has taken it over. */
export const cardForm = (texts: PageTexts, cards: readonly CardHelp[]): SafeHtml => html`
<section class="panel" id="form-panel">
  <h1 class="form-title" id="form-title" tabindex="-1">${texts.payByCard}</h1>
  <noscript><p class="alert">${texts.needsScript}</p></noscript>
  <div class="alert" id="alert" role="alert" hidden>
    ${icon('alert')}
    <div><p class="alert-title" id="alert-title"></p><p id="alert-text"></p></div>
  </div>
  <form id="card-form" novalidate autocomplete="on" aria-labelledby="form-title">
    ${field({
      id: 'number', label: texts.cardNumber, autocomplete: 'cc-number', inputmode: 'numeric',
      maxLength: 23, placeholder: '1234 1234 1234 1234',
      extra: html`<span class="brands" id="brands" data-brand="card">${brandMarks}</span>`,
    })}
    <div class="field-row">
      ${field({
        id: 'expiry', label: texts.expiry, autocomplete: 'cc-exp', inputmode: 'numeric',
        maxLength: 9, placeholder: texts.expiryFormat,
      })}
      ${field({
        id: 'cvc', label: texts.cvc, autocomplete: 'cc-csc', inputmode: 'numeric',
        maxLength: 4, placeholder: '123', hint: texts.cvcHint, extra: html`<svg class="cvc-mark"
          viewBox="0 0 38 24" aria-hidden="true" focusable="false">
          <rect class="brand-card" x=".5" y=".5" width="37" height="23" rx="4.5"/>
          <rect class="brand-ink" y="4.5" width="38" height="4"/>
          <rect class="cvc-box" x="20" y="11.5" width="14" height="7.5" rx="2"/>
          <path class="cvc-dots" d="M23.5 15.25h.1M27 15.25h.1M30.5 15.25h.1"/></svg>`,
      })}
    </div>
    ${field({
      id: 'name', label: texts.name, autocomplete: 'cc-name', inputmode: 'text',
      maxLength: 64, placeholder: '',
    })}
    <button class="pay" id="pay" type="submit">
      <span class="pay-idle">${icon('lock')}<span>${texts.pay}</span></span>
      <span class="pay-busy"><span class="spinner" aria-hidden="true"></span>
        <span>${texts.paying}</span></span>
    </button>
  </form>
  ${cards.length === 0 ? null : testCardList(texts, cards)}
</section>`;
