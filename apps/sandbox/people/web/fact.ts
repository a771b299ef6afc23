import { html, type SafeHtml } from './html.js';

/** A labelled value of a `dl`. */
export const fact = (label: string, value: string): SafeHtml =>
  html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`;
