import { html, type SafeHtml } from '../web/html.js';

interface Field {
  readonly id: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly inputmode: 'numeric' | 'text' | 'tel';
  readonly maxLength: number;
  readonly placeholder: string;
  /** Read aloud with the field; also shown when `isHintShown`. */
  readonly hint?: string;
  readonly isHintShown?: boolean;
  readonly capitals?: 'words' | 'characters';
  /** The last field of its form: the keyboard of a phone offers to send it. */
  readonly isLast?: boolean;
  readonly extra?: SafeHtml;
}

/** No input has a name: were the script not there, a form sent by the browser holds no number. */
export const formField = (spec: Field): SafeHtml => html`
<div class="field" id="${spec.id}-field">
  <label for="${spec.id}">${spec.label}</label>
  <div class="control">
    <input id="${spec.id}" type="${spec.inputmode === 'tel' ? 'tel' : 'text'}" required
      inputmode="${spec.inputmode}"
      autocomplete="${spec.autocomplete}" maxlength="${spec.maxLength}"
      placeholder="${spec.placeholder}" aria-describedby="${spec.id}-error${
        spec.hint === undefined ? '' : ` ${spec.id}-hint`
      }" autocapitalize="${spec.capitals ?? 'off'}" autocorrect="off"
      spellcheck="false" enterkeyhint="${spec.isLast === true ? 'go' : 'next'}">
    ${spec.extra ?? null}
  </div>
  ${
    spec.hint === undefined
      ? null
      : html`<p class="${spec.isHintShown === true ? 'field-hint' : 'sr-only'}" id="${
          spec.id
        }-hint">${spec.hint}</p>`
  }
  <p class="field-error" id="${spec.id}-error"></p>
</div>`;

/**
 * A button that shows that it is at work, and keeps its place meanwhile. It cannot be pressed before
 * the page's script listens: a press that came too early would be lost without a word.
 */
export const busyButton = (id: string, idle: SafeHtml, busy: string): SafeHtml => html`
<button class="pay" id="${id}" type="submit" disabled>
  <span class="pay-idle">${idle}</span>
  <span class="pay-busy"><span class="spinner" aria-hidden="true"></span>
    <span>${busy}</span></span>
</button>`;
