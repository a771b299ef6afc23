import type { PayoutRow } from '../../../collection/payouts/payout-resource.js';
import { html, type SafeHtml } from '../../web/html.js';
import { empty, listTable, money, pageLinks } from '../web/parts.js';
import { pill } from '../web/statuses.js';
import { dayText } from '../web/times.js';
import { type PageContent, pathIn, type View } from '../web/view.js';
import type { Waiting } from './payout-ledger.js';
import { type PayoutWords, payoutWords } from './payout-words.js';

export const PAYOUT_PAGE_SIZE = 25;

const waitingPart = (view: View, waiting: readonly Waiting[], text: PayoutWords): SafeHtml | null =>
  waiting.length === 0
    ? null
    : html`<section class="tiles" aria-label="${text.next}">
        ${waiting.map(
          (sum) =>
            html` <div class="tile">
              <p class="tile-label">${text.next}</p>
              <p class="tile-figure">${money(sum.amount, sum.currency, view)}</p>
              <p class="hint">${text.lines}: ${sum.count}</p>
            </div>`,
        )}
      </section>`;

/** The list of payouts; its first page begins with the balance for the next payout. */
export const payoutsPage = (
  view: View,
  rows: readonly PayoutRow[],
  waiting: readonly Waiting[],
  start: number,
  hasMore: boolean,
): PageContent => {
  const text = payoutWords(view.locale);
  const list = listTable(
    text.payouts,
    [
      { label: text.amount, kind: 'number' },
      { label: text.status },
      { label: text.day },
      { label: text.fees, kind: 'wide' },
      { label: text.reference, kind: 'wide' },
    ],
    rows.map((row) => [
      html`<a class="row-link" href="${pathIn(view, `payouts/${row.id}`)}"
        >${money(row.amount, row.currency, view)}</a
      >`,
      pill(row.status, view.locale),
      dayText(row.date, view.locale),
      money(row.fees + row.fees_vat, row.currency, view),
      html`<code>${row.reference}</code>`,
    ]),
  );
  const links = pageLinks(
    { path: pathIn(view, 'payouts'), query: {}, start, limit: PAYOUT_PAGE_SIZE, hasMore },
    view,
  );
  const body = html`<h1>${text.payouts}</h1>
    ${waitingPart(view, waiting, text)}
    ${rows.length === 0 ? empty(text.none, text.noneHint) : list}${links}`;
  return { section: 'payouts', title: text.payouts, body };
};
