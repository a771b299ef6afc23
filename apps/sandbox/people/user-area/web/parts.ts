import { html, type SafeHtml } from '../../web/html.js';
import { amountText } from '../../web/locale.js';
import { areaIcon } from './area-icons.js';
import type { View } from './view.js';
import { words } from '../../web/words.js';

const wordsFor = words(
  { copy: 'Copy {id}', newer: 'Newer', older: 'Older', pages: 'Pages' },
  { copy: 'Copier {id}', newer: 'Plus récents', older: 'Plus anciens', pages: 'Pages' },
);

/** An id with a button that copies the id. Without JavaScript the button is hidden. */
export const idText = (id: string, { locale }: View): SafeHtml =>
  html`<span class="id"
    ><code>${id}</code
    ><button
      type="button"
      class="copy"
      data-copy="${id}"
      hidden
      aria-label="${wordsFor(locale).copy.replace('{id}', id)}"
    >
      ${areaIcon('copy')}
    </button></span
  >`;

export const money = (amountMinor: number, currency: string, { locale }: View): SafeHtml =>
  html`<span class="money">${amountText(amountMinor, currency, locale)}</span>`;

type Cell = SafeHtml | string | number | null;

/** Labels and values of one object; rows without a value are omitted. */
export const facts = (rows: readonly (readonly [label: string, value: Cell])[]): SafeHtml =>
  html` <dl class="facts">
    ${rows
      .filter(([, value]) => value !== null && value !== '')
      .map(
        ([label, value]) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;

export interface Column {
  readonly label: string;
  /** How the column is shown: numbers are right-aligned; `wide` columns are hidden on a phone. */
  readonly kind?: 'number' | 'wide';
}

/** A list. The cells of a row are in the order of the columns; a phone shows a label per cell. */
export const listTable = (
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): SafeHtml =>
  html` <div class="table-frame" role="region" aria-label="${caption}" tabindex="0">
    <table class="list">
      <caption class="sr-only">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(
            ({ label, kind }) => html`<th scope="col" data-kind="${kind ?? ''}">${label}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map(
                (cell, index) =>
                  html`<td
                    data-kind="${columns[index]?.kind ?? ''}"
                    data-label="${columns[index]?.label ?? ''}"
                    >${cell}</td
                  >`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

export const empty = (text: string, hint: string | null = null): SafeHtml =>
  html` <div class="empty">
    ${areaIcon('inbox')}
    <p>${text}</p>
    ${hint === null ? null : html`<p class="hint">${hint}</p>`}
  </div>`;

/** A section of a page with its title. */
export const block = (title: string, body: SafeHtml, extra: SafeHtml | null = null): SafeHtml =>
  html` <section class="block">
    <div class="block-head">
      <h2>${title}</h2>
      ${extra}
    </div>
    ${body}
  </section>`;

/** Links to the newer and older pages of a list; the links keep the filters. */
export interface Paging {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly start: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

export const addressOf = (path: string, query: Readonly<Record<string, string>>): string => {
  const used = Object.entries(query).filter(([, value]) => value !== '');
  return used.length === 0 ? path : `${path}?${new URLSearchParams(used).toString()}`;
};

export const pageLinks = (paging: Paging, { locale }: View): SafeHtml | null => {
  const { path, query, start, limit, hasMore } = paging;
  if (start === 0 && !hasMore) return null;
  const text = wordsFor(locale);
  const to = (at: number): string =>
    addressOf(path, { ...query, start: at === 0 ? '' : String(at) });
  return html`<nav class="pages" aria-label="${text.pages}">
    ${
      start === 0
        ? html`<span></span>`
        : html`<a class="button" rel="prev" href="${to(Math.max(0, start - limit))}"
            >${areaIcon('back')}${text.newer}</a
          >`
    }${
      hasMore
        ? html`<a class="button" rel="next" href="${to(start + limit)}"
            >${text.older}${areaIcon('next')}</a
          >`
        : null
    }
  </nav>`;
};
