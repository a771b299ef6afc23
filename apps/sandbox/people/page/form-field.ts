import { html, type SafeHtml } from '../web/html.js';

interface Field {
  readonly id: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly inputmode: 'numeric' | 'text' | 'tel';
  readonly maxLength: number;
  readonly placeholder: string;
  /** A hint read aloud with the field; also shown when `isHintShown`. */
  readonly hint?: string;
  readonly isHintShown?: boolean;
  readonly capitals?: 'words' | 'characters';
  /**
   * True for the last field of its form: the keyboard of a phone then has a key to submit the form.
   */
  readonly isLast?: boolean;
  readonly extra?: SafeHtml;
}

/** No input has a name, so that a form submitted without the script contains no card number. */
export const formField = (spec: Field): SafeHtml =>
  html` <div class="field" id="${spec.id}-field">
    <label for="${spec.id}">${spec.label}</label>
    <div class="control">
      <input
        id="${spec.id}"
        type="${spec.inputmode === 'tel' ? 'tel' : 'text'}"
        required
        inputmode="${spec.inputmode}"
        autocomplete="${spec.autocomplete}"
        maxlength="${spec.maxLength}"
        placeholder="${spec.placeholder}"
        aria-describedby="${spec.id}-error${spec.hint === undefined ? '' : ` ${spec.id}-hint`}"
        autocapitalize="${spec.capitals ?? 'off'}"
        autocorrect="off"
        spellcheck="false"
        enterkeyhint="${spec.isLast === true ? 'go' : 'next'}"
      />
      ${spec.extra ?? null}
    </div>
    ${
      spec.hint === undefined
        ? null
        : html`<p
            class="${spec.isHintShown === true ? 'field-hint' : 'sr-only'}"
            id="${spec.id}-hint"
          >
            ${spec.hint}
          </p>`
    }
    <p class="field-error" id="${spec.id}-error"></p>
  </div>`;

/**
 * A button that keeps its size while it is busy. The button is disabled until the page's script
 * handles clicks, so that no early click is lost.
 */
export const busyButton = (id: string, idle: SafeHtml, busy: string): SafeHtml =>
  html` <button class="pay" id="${id}" type="submit" disabled>
    <span class="pay-idle">${idle}</span>
    <span class="pay-busy"
      ><span class="spinner" aria-hidden="true"></span> <span>${busy}</span></span
    >
  </button>`;
