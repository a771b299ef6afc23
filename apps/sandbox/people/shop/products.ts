import { html, type SafeHtml } from '../web/html.js';
import type { Locale } from '../web/locale.js';

/** A product of the shop. Prices are in euro cents. */
export interface Product {
  readonly id: string;
  readonly name: Readonly<Record<Locale, string>>;
  readonly blurb: Readonly<Record<Locale, string>>;
  readonly amountMinor: number;
  readonly picture: SafeHtml;
}

const picture = (drawing: SafeHtml): SafeHtml =>
  html`<svg viewBox="0 0 160 120" aria-hidden="true" focusable="false">${drawing}</svg>`;

const honey = html`<ellipse cx="80" cy="103" rx="36" ry="5" fill="#00000014" />
  <path d="M50 42h60v50a10 10 0 0 1-10 10H60a10 10 0 0 1-10-10Z" fill="#f4b73f" />
  <path
    d="M50 58c12 8 20-6 32 0s18 5 28-1v35a10 10 0 0 1-10 10H60a10 10 0 0 1-10-10Z"
    fill="#e39a1d"
  />
  <rect x="46" y="28" width="68" height="15" rx="5" fill="#7b4b2a" />
  <rect x="60" y="64" width="40" height="24" rx="4" fill="#fff6e2" />
  <path d="M80 69.5l6 3.5v7l-6 3.5-6-3.5v-7Z" fill="none" stroke="#b9770e" stroke-width="2" />`;

const tea = html`<ellipse cx="80" cy="103" rx="40" ry="5" fill="#00000014" />
  <path d="M52 34h56l5 62a6 6 0 0 1-6 6H53a6 6 0 0 1-6-6Z" fill="#8fb58b" />
  <path d="M52 34h56l-6-14H58Z" fill="#6c9a69" />
  <rect x="62" y="50" width="36" height="34" rx="18" fill="#f2f6ea" />
  <path
    d="M80 78c0-14 3-19 10-22-1 11-4 15-10 22Zm0 0c0-10-3-14-9-16 1 8 4 12 9 16Z"
    fill="#5b8a58"
  />`;

const candle = html`<ellipse cx="80" cy="103" rx="34" ry="5" fill="#00000014" />
  <path d="M80 14c7 9 9 13 9 18a9 9 0 0 1-18 0c0-5 2-9 9-18Z" fill="#f6a623" />
  <path d="M80 24c3 4 4 6 4 9a4 4 0 0 1-8 0c0-3 1-5 4-9Z" fill="#fff2c7" />
  <path d="M80 38v10" stroke="#6b5a4b" stroke-width="2.5" stroke-linecap="round" />
  <rect x="56" y="48" width="48" height="54" rx="7" fill="#e9dcc6" />
  <path d="M56 60c8 5 12-3 20 0s14 6 28 0v-5a7 7 0 0 0-7-7H63a7 7 0 0 0-7 7Z" fill="#f7efe0" />
  <path d="M64 80h32M64 88h22" stroke="#c7b596" stroke-width="2.5" stroke-linecap="round" />`;

const gift = html`<ellipse cx="80" cy="103" rx="44" ry="5" fill="#00000014" />
  <rect x="42" y="50" width="76" height="52" rx="6" fill="#c8553d" />
  <rect x="37" y="40" width="86" height="18" rx="5" fill="#db6b52" />
  <path d="M73 40h14v62H73Z" fill="#f8e9d2" />
  <path d="M80 40c-22 0-27-9-23-15s17-1 23 15Zm0 0c22 0 27-9 23-15s-17-1-23 15Z" fill="#f8e9d2" />`;

export const PRODUCTS: readonly Product[] = [
  {
    id: 'linden-honey',
    name: { en: 'Linden honey', fr: 'Miel de tilleul' },
    amountMinor: 1250,
    picture: picture(honey),
    blurb: {
      en: 'Pale and minty, from the trees behind the house. 250\u00a0g.',
      fr: 'Clair et mentholé, des arbres derrière la maison. 250\u00a0g.',
    },
  },
  {
    id: 'garden-tea',
    name: { en: 'Garden tea', fr: 'Tisane du jardin' },
    amountMinor: 890,
    picture: picture(tea),
    blurb: {
      en: 'Verbena, mint and a little sage, dried in the attic.',
      fr: 'Verveine, menthe et un peu de sauge, séchées au grenier.',
    },
  },
  {
    id: 'beeswax-candle',
    name: { en: 'Beeswax candle', fr: 'Bougie en cire d’abeille' },
    amountMinor: 1800,
    picture: picture(candle),
    blurb: {
      en: 'Poured by hand. Burns for forty quiet hours.',
      fr: 'Coulée à la main. Brûle quarante heures paisibles.',
    },
  },
  {
    id: 'sunday-box',
    name: { en: 'The Sunday box', fr: 'Le coffret du dimanche' },
    amountMinor: 4200,
    picture: picture(gift),
    blurb: {
      en: 'One of each, wrapped, with a note in your words.',
      fr: 'Un de chaque, emballé, avec un mot de votre part.',
    },
  },
];

export const productOf = (id: unknown): Product | undefined =>
  PRODUCTS.find((product) => product.id === id);
