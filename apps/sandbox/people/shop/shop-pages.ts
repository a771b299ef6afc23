import { dataBlock, html, type SafeHtml } from '../web/html.js';
import { icon } from '../web/icons.js';
import { amountText, type Locale } from '../web/locale.js';
import type { ShopOrder } from './orders-api.js';
import { PRODUCTS, type Product } from './products.js';
import { shopWords } from './shop-words.js';

const LOGO = html`<svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
  <path d="M16 27V15M16 15C9 15 6 10.5 6 5c7 0 10 4 10 10Zm0 5c6 0 9-3.5 9-9-6 0-9 3.5-9 9Z" />
</svg>`;

const document = (locale: Locale, title: string, script: string | null, body: SafeHtml): SafeHtml =>
  html` <!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Maison Tilleul</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/shop.css" />
        ${script === null ? null : html`<script type="module" src="/assets/${script}"></script>`}
      </head>
      <body>
        <header class="top">
          <a class="home" href="/">${LOGO}<span>Maison Tilleul</span></a>
          <p class="top-note">${shopWords(locale).note}</p>
        </header>
        ${body}
      </body>
    </html>`;

const shelf = ({ id, name, blurb, amountMinor, picture }: Product, locale: Locale): SafeHtml => {
  const { buy } = shopWords(locale);
  return html` <li class="product">
    <div class="picture" data-product="${id}">${picture}</div>
    <h2>${name[locale]}</h2>
    <p class="blurb">${blurb[locale]}</p>
    <div class="buy-row">
      <p class="price">${amountText(amountMinor, 'eur', locale)}</p>
      <button
        class="buy"
        type="button"
        data-buy="${id}"
        aria-label="${buy} ${name[locale]}"
      >
        <span>${buy}</span>${icon('arrow')}
      </button>
    </div>
  </li>`;
};

/** The list of products. A click on a product orders it: there is no cart. */
export const shelfPage = (locale: Locale): SafeHtml => {
  const text = shopWords(locale);
  return document(
    locale,
    text.title,
    'shelf.js',
    html` <main class="shelf">
        <div class="hero">
          <h1>${text.heading}</h1>
          <p>${text.lead}</p>
        </div>
        <p class="notice" id="notice" role="alert" hidden></p>
        <ul class="products">
          ${PRODUCTS.map((product) => shelf(product, locale))}
        </ul>
      </main>
      ${dataBlock('shop-data', { text })}`,
  );
};

/**
 * The checkout of an order: the payment page in a frame, beside the order's events as they arrive.
 */
export const orderPage = (order: ShopOrder, pageOrigin: string, locale: Locale): SafeHtml => {
  const text = shopWords(locale);
  const amount = amountText(order.amountMinor, order.currency, locale);
  const what = order.description ?? text.yourOrder;
  return document(
    locale,
    text.yourOrder,
    'order.js',
    html` <main class="checkout">
        <section class="paying" aria-labelledby="order-title">
          <div class="order-head">
            <h1 id="order-title" tabindex="-1">${what}</h1>
            <p class="price">${amount}</p>
          </div>
          <div class="outcome" id="outcome" role="status" hidden>
            <span class="outcome-mark">${icon('check')}</span>
            <div>
              <h2 id="outcome-title"></h2>
              <p id="outcome-text"></p>
            </div>
          </div>
          <div class="frame-slot" id="frame-slot">
            <p class="frame-wait" id="frame-wait">
              <span class="spinner"></span>${text.preparing}
            </p>
          </div>
          <a class="again" id="again" href="/" hidden>${text.back}</a>
        </section>
        <section class="story" aria-labelledby="story-title">
          <div class="story-head">
            <h2 id="story-title">${text.story}</h2>
            <p class="live" id="live" data-live="no"><span>${text.connecting}</span></p>
          </div>
          <ol class="timeline" id="timeline" aria-live="polite"></ol>
          <p class="story-foot">${text.order} <code>${order.id}</code></p>
        </section>
      </main>
      ${dataBlock('shop-data', { orderId: order.id, pageOrigin, text })}`,
  );
};

/** The page shown for an unknown order, or when the orchestrator does not respond. */
export const sorryPage = (locale: Locale, title: string, text: string): SafeHtml =>
  document(
    locale,
    title,
    null,
    html` <main class="sorry">
      <h1>${title}</h1>
      <p>${text}</p>
      <a class="again" href="/">${shopWords(locale).back}</a>
    </main>`,
  );
