import { html, type SafeHtml } from '../web/html.js';

/** The drawing of each brand; `card` is a card of any other brand. */
const DRAWINGS = {
  visa: html`<text
      x="19"
      y="16"
      text-anchor="middle"
      fill="#1a2b8f"
      font-size="10.5"
      font-weight="800"
      font-style="italic"
      font-family="Arial, sans-serif"
      >VISA</text
    >`,
  mastercard: html`<circle cx="15" cy="12" r="6.2" fill="#e2231a" />
      <circle cx="23" cy="12" r="6.2" fill="#f6a01a" />
      <path d="M19 7.26a6.2 6.2 0 0 1 0 9.48 6.2 6.2 0 0 1 0-9.48" fill="#ef6a17" />`,
  amex: html`<rect x="4" y="4" width="30" height="16" rx="2" fill="#1a6fc4" />
      <text
        x="19"
        y="15.2"
        text-anchor="middle"
        fill="#fff"
        font-size="8.4"
        font-weight="800"
        font-family="Arial, sans-serif"
        >AMEX</text
      >`,
  cb: html`<rect x="4" y="4" width="30" height="16" rx="3" fill="#0b5a8f" />
      <path d="M19 4h12a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H19Z" fill="#0f8a5f" />
      <text
        x="19"
        y="15.7"
        text-anchor="middle"
        fill="#fff"
        font-size="10.5"
        font-weight="800"
        letter-spacing="1.6"
        font-family="Arial, sans-serif"
        >CB</text
      >`,
  maestro: html`<circle cx="15" cy="12" r="6.2" fill="#1479c9" />
      <circle cx="23" cy="12" r="6.2" fill="#e2231a" />
      <path d="M19 7.26a6.2 6.2 0 0 1 0 9.48 6.2 6.2 0 0 1 0-9.48" fill="#7a5aa6" />`,
  card: html`<rect class="brand-ink" x="5" y="7.5" width="28" height="3" />
      <rect class="brand-ink" x="5" y="14.5" width="9" height="2" rx="1" />`,
};

const mark = (brand: string, drawing: SafeHtml): SafeHtml =>
  html`<svg
    class="brand"
    data-brand="${brand}"
    viewBox="0 0 38 24"
    aria-hidden="true"
    focusable="false"
  >
    <rect class="brand-card" x=".5" y=".5" width="37" height="23" rx="4.5" />
    ${drawing}
  </svg>`;

/** The picture of a card brand. */
export const brandMark = (brand: keyof typeof DRAWINGS): SafeHtml => mark(brand, DRAWINGS[brand]);

/**
 * The pictures of all card brands, in the field for the card number. The page's script shows only
 * the picture of the entered card's brand.
 */
export const brandMarks: readonly SafeHtml[] = Object.entries(DRAWINGS).map(([brand, drawing]) =>
  mark(brand, drawing),
);
