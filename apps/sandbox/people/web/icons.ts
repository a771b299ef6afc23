import { html, type SafeHtml } from './html.js';

/** Line icons of 24 units; decorative, so hidden from screen readers. */
const PATHS = {
  lock: html`<rect x="4.75" y="10.75" width="14.5" height="9.5" rx="2.5" />
    <path d="M8 10.5V7.75a4 4 0 0 1 8 0v2.75" />`,
  check: html`<path d="m5 12.5 4.6 4.6L19.2 7.4" />`,
  cross: html`<path d="m7 7 10 10M17 7 7 17" />`,
  alert: html`<path d="M12 7.5v5.5M12 16.4v.1" /><circle cx="12" cy="12" r="9" />`,
  clock: html`<circle cx="12" cy="12" r="8.75" /><path d="M12 7.2V12l3.2 2" />`,
  search: html`<circle cx="10.8" cy="10.8" r="6" /><path d="m15.4 15.4 4.6 4.6" />`,
  arrow: html`<path d="M5 12h13.5M13 6.5l5.5 5.5-5.5 5.5" />`,
  chevron: html`<path d="m8 10 4 4 4-4" />`,
  bank: html`<path d="M4 9.5 12 5l8 4.5M5.5 9.75h13M4.5 19h15" />
    <path d="M6.75 12.5v4M12 12.5v4M17.25 12.5v4" />`,
  card: html`<rect x="3.75" y="6" width="16.5" height="12" rx="2.5" /><path
      d="M4 10h16M7 14.5h3"
    />`,
  document: html`<path d="M7 4.5h6.5L18 9v10.5H7a1.5 1.5 0 0 1-1.5-1.5V6A1.5 1.5 0 0 1 7 4.5Z" />
    <path d="M13.25 4.75V9.2H18M9 13h6M9 16h4" />`,
  phone: html`<rect x="7.25" y="3.75" width="9.5" height="16.5" rx="2.25" /><path
      d="M11 17.25h2"
    />`,
  shield: html`<path d="M12 4.2 5.5 6.6v5c0 4 2.7 6.8 6.5 8.2 3.8-1.4 6.5-4.2 6.5-8.2v-5Z" />
    <path d="m9.2 12 2 2 3.6-3.8" />`,
} as const;

export type IconName = keyof typeof PATHS;

export const icon = (name: IconName): SafeHtml =>
  html`<svg
    class="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    ${PATHS[name]}
  </svg>`;
