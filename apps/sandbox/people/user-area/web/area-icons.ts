import { html, type SafeHtml } from '../../web/html.js';

/** Line icons of 24 units; decorative, so hidden from screen readers. */
const PATHS = {
  card: html`<rect x="3.5" y="5.5" width="17" height="13" rx="2.5" /><path
      d="M3.5 10h17M7 15h3"
    />`,
  link: html`<path d="M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 1 0-5.7-5.7l-1 1" />
    <path d="M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 1 0 5.7 5.7l1-1" />`,
  payout: html`<path d="M4 9.5 12 5l8 4.5M5.5 9.75h13M4.5 19h15" />
    <path d="M6.75 12.5v4M12 12.5v4M17.25 12.5v4" />`,
  webhook: html`<circle cx="12" cy="7" r="3.2" /><circle cx="6" cy="17" r="3.2" />
    <circle cx="18" cy="17" r="3.2" /><path d="m10.5 9.8-3 4.6M13.5 9.8l3 4.6M9.2 17h5.6" />`,
  list: html`<path d="M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.1M4.5 12h.1M4.5 17.5h.1" />`,
  message: html`<path
    d="M4 6.5A2.5 2.5 0 0 1 6.5 4h11A2.5 2.5 0 0 1 20 6.5v7a2.5 2.5 0 0 1-2.5
    2.5H11l-4.5 4V16A2.5 2.5 0 0 1 4 13.5Z"
  />`,
  clock: html`<circle cx="12" cy="12" r="8.5" /><path d="M12 7.2V12l3.2 2" />`,
  bolt: html`<path d="M13 3.5 5.5 13.5H12L11 20.5l7.5-10H12Z" />`,
  people: html`<circle cx="9" cy="8.5" r="3.5" /><path
      d="M3 19.5a6 6 0 0 1 12 0M16 5.4a3.5 3.5 0 0 1
    0 6.2M17.5 14.2a6 6 0 0 1 3.5 5.3"
    />`,
  key: html`<circle cx="8" cy="15.5" r="4" /><path d="m11 12.5 8-8M15.5 8l3 3" />`,
  search: html`<circle cx="10.8" cy="10.8" r="6" /><path d="m15.4 15.4 4.6 4.6" />`,
  copy: html`<rect x="8.5" y="8.5" width="11" height="11" rx="2.5" />
    <path d="M15.5 8.5v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2" />`,
  back: html`<path d="M19 12H5.5M11 6.5 5.5 12l5.5 5.5" />`,
  next: html`<path d="m9.5 6 6 6-6 6" />`,
  chevron: html`<path d="m8 10 4 4 4-4" />`,
  replay: html`<path d="M4.5 12a7.5 7.5 0 1 0 2.4-5.5M6.5 3.5v3.4H10" />`,
  check: html`<path d="m5 12.5 4.6 4.6L19.2 7.4" />`,
  alert: html`<path d="M12 7.5v5.5M12 16.4v.1" /><circle cx="12" cy="12" r="9" />`,
  refund: html`<path d="M8.5 5 4.5 9l4 4M4.5 9h9a5.5 5.5 0 0 1 0 11H9" />`,
  flag: html`<path d="M6 20.5v-16M6 5c4-2.5 8 2.5 12 0v8.5c-4 2.5-8-2.5-12 0" />`,
  cross: html`<path d="m7 7 10 10M17 7 7 17" />`,
  inbox: html`<path
    d="M4 13.5 6.6 5.8A2 2 0 0 1 8.5 4.5h7a2 2 0 0 1 1.9 1.3l2.6 7.7v4a2 2 0 0 1-2
    2H6a2 2 0 0 1-2-2ZM4 13.5h4.5l1.2 2.5h4.6l1.2-2.5H20"
  />`,
} as const;

export type AreaIcon = keyof typeof PATHS;

export const areaIcon = (name: AreaIcon): SafeHtml =>
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
