import { html, type SafeHtml } from '../../web/html.js';
import { type AreaIcon, areaIcon } from './area-icons.js';
import type { View } from './view.js';

export interface Action {
  readonly path: string;
  readonly label: string;
  readonly icon?: AreaIcon;
  readonly tone?: 'main' | 'bad' | 'plain';
  /** Further fields of the form. */
  readonly fields?: SafeHtml;
  readonly hasFiles?: boolean;
}

const hidden = ({ token }: View): SafeHtml =>
  html`<input type="hidden" name="token" value="${token}" />`;

const submit = ({ label, icon, tone }: Action): SafeHtml =>
  html` <button class="button" data-tone="${tone ?? 'plain'}">
    ${icon === undefined ? null : areaIcon(icon)}<span>${label}</span>
  </button>`;

/** A button that executes its action with one press. */
export const actionButton = (view: View, action: Action): SafeHtml =>
  html` <form class="action" method="post" action="${action.path}">
    ${hidden(view)}${action.fields ?? null}${submit(action)}
  </form>`;

/**
 * An action that takes two presses: the first opens its choices or a confirmation, the second
 * executes the action.
 */
export const actionPanel = (
  view: View,
  opener: Pick<Action, 'label' | 'icon' | 'tone'>,
  hint: string,
  action: Action,
): SafeHtml =>
  html` <details class="panel-action">
    <summary class="button" data-tone="${opener.tone ?? 'plain'}">
      ${opener.icon === undefined ? null : areaIcon(opener.icon)}<span>${opener.label}</span>
    </summary>
    <form
      class="action-panel"
      method="post"
      action="${action.path}"
      ${action.hasFiles === true ? html`enctype="multipart/form-data"` : null}
    >
      ${hidden(view)}
      <p class="hint">${hint}</p>
      ${action.fields ?? null}${submit(action)}
    </form>
  </details>`;

/** The form of an action, shown as part of the page and not in a panel that opens. */
export const actionForm = (view: View, action: Action): SafeHtml =>
  html` <form class="fields" method="post" action="${action.path}">
    ${hidden(view)}${action.fields ?? null}
    <div class="field-end">${submit(action)}</div>
  </form>`;

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

const labelled = ({ name, label, hint }: Field, control: SafeHtml): SafeHtml =>
  html` <div class="field">
    <label for="f-${name}">${label}</label>${control}${
      hint === undefined ? null : html`<p class="hint" id="h-${name}">${hint}</p>`
    }
  </div>`;

export const textField = (
  field: Field & {
    readonly value?: string;
    readonly inputmode?: 'decimal' | 'numeric' | 'text';
    readonly type?: 'text' | 'search' | 'date' | 'number';
    readonly isRequired?: boolean;
    readonly list?: string;
  },
): SafeHtml =>
  labelled(
    field,
    html`<input
      id="f-${field.name}"
      name="${field.name}"
      type="${field.type ?? 'text'}"
      inputmode="${field.inputmode ?? 'text'}"
      value="${field.value ?? ''}"
      autocomplete="off"
      ${field.type === 'number' ? html`step="any" min="0"` : null}
      ${field.isRequired === true ? html`required` : null}
      ${field.list === undefined ? null : html`list="${field.list}"`}
      ${field.hint === undefined ? null : html`aria-describedby="h-${field.name}"`}
    />`,
  );

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export const selectField = (
  field: Field & { readonly choices: readonly Choice[]; readonly value?: string },
): SafeHtml =>
  labelled(
    field,
    html`<select id="f-${field.name}" name="${field.name}">
      ${field.choices.map(
        ({ value, label }) =>
          html`<option value="${value}" ${value === field.value ? html`selected` : null}>
            ${label}
          </option>`,
      )}
    </select>`,
  );
