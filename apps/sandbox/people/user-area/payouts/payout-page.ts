import type { PayoutRow } from '../../../collection/payouts/payout-resource.js';
import { payoutMachine } from '../../../collection/payouts/payout-states.js';
import { isAdded, type LineKind, type Method } from '../../../money/fees.js';
import { sumOf } from '../../../money/payout-figures.js';
import type { PayoutLineRow } from '../../../money/payout-line-row.js';
import { html, type SafeHtml } from '../../web/html.js';
import { actionPanel } from '../web/actions.js';
import { block, empty, facts, idText, listTable, money, pageLinks } from '../web/parts.js';
import { pill } from '../web/statuses.js';
import { dayText, time } from '../web/times.js';
import { type PageContent, pathIn, type View } from '../web/view.js';
import { type PayoutWords, payoutWords } from './payout-words.js';
import { PAYOUT_PAGE_SIZE } from './payouts-page.js';

const KINDS = [
  ['payment', 'payments'],
  ['refund', 'refunds'],
  ['dispute', 'disputes'],
] as const;
const METHODS: readonly Method[] = ['card', 'sepa'];

const signed = (view: View, kind: LineKind, amount: number, row: PayoutRow): SafeHtml =>
  money(isAdded(kind) || amount === 0 ? amount : -amount, row.currency, view);

const kindRows = (
  view: View,
  row: PayoutRow,
  [kind, title]: (typeof KINDS)[number],
  text: PayoutWords,
): SafeHtml => {
  const used = METHODS.filter((method) => row.totals[kind][method].count > 0);
  return html`<tr class="sum">
      <th scope="row">${text[title]}</th>
      <td></td>
      <td data-kind="number">${signed(view, kind, sumOf(row.totals[kind]), row)}</td>
    </tr>
    ${used.map(
      (method) =>
        html`<tr class="part">
          <th scope="row">${text[method]}</th>
          <td data-kind="number">${row.totals[kind][method].count}</td>
          <td data-kind="number">${signed(view, kind, row.totals[kind][method].amount, row)}</td>
        </tr>`,
    )}`;
};

/** The calculation of the transferred amount. */
const figures = (view: View, row: PayoutRow, text: PayoutWords): SafeHtml =>
  html` <table class="figures">
    <caption class="sr-only">
      ${text.figures}
    </caption>
    <thead class="sr-only">
      <tr>
        <th>${text.kind}</th>
        <th>${text.count}</th>
        <th>${text.amount}</th>
      </tr>
    </thead>
    <tbody>
      ${KINDS.map((kind) => kindRows(view, row, kind, text))}
      <tr class="sum">
        <th scope="row">${text.fees}</th>
        <td></td>
        <td data-kind="number">${money(-row.fees, row.currency, view)}</td>
      </tr>
      <tr class="sum">
        <th scope="row">${text.vat}</th>
        <td></td>
        <td data-kind="number">${money(-row.fees_vat, row.currency, view)}</td>
      </tr>
      <tr class="total">
        <th scope="row">${text.total}</th>
        <td></td>
        <td data-kind="number">${money(row.amount, row.currency, view)}</td>
      </tr>
    </tbody>
  </table>`;

const lineTable = (view: View, lines: readonly PayoutLineRow[], text: PayoutWords): SafeHtml =>
  listTable(
    text.lines,
    [
      { label: text.amount, kind: 'number' },
      { label: text.kind },
      { label: text.method },
      { label: text.fee, kind: 'number' },
      { label: text.id, kind: 'wide' },
      { label: text.when },
    ],
    lines.map((line) => [
      html`<a class="row-link" href="${pathIn(view, `payments/${line.payment_id}`)}"
        >${money(isAdded(line.kind) ? line.amount : -line.amount, line.currency, view)}</a
      >`,
      text[line.kind],
      text[line.method],
      money(line.fee, line.currency, view),
      html`<code>${line.refund_id ?? line.dispute_id ?? line.payment_id}</code>`,
      time(line.created_at, view.locale),
    ]),
  );

const failPanel = (view: View, row: PayoutRow, text: PayoutWords): SafeHtml =>
  actionPanel(view, { label: text.fail, icon: 'cross' }, text.failHint, {
    path: pathIn(view, `payouts/${row.id}/fail`),
    label: text.failNow,
    tone: 'bad',
  });

/** One payout: its amounts and its lines. */
export const payoutPage = (
  view: View,
  row: PayoutRow,
  lines: readonly PayoutLineRow[],
  start: number,
  hasMore: boolean,
): PageContent => {
  const text = payoutWords(view.locale);
  const path = pathIn(view, `payouts/${row.id}`);
  const body = html` <header class="title">
      <div>
        <p class="over-title">${text.payout}</p>
        <h1>${money(row.amount, row.currency, view)} ${pill(row.status, view.locale)}</h1>
        <p class="under-title">${dayText(row.date, view.locale)}</p>
      </div>
      <div class="actions">
        ${payoutMachine.can(row.status, 'fail') ? failPanel(view, row, text) : null}
      </div>
    </header>
    <div class="two">
      <div>
        ${block(
          text.lines,
          html`${
            lines.length === 0 ? empty(text.noLines) : lineTable(view, lines, text)
          }${pageLinks({ path, query: {}, start, limit: PAYOUT_PAGE_SIZE, hasMore }, view)}`,
        )}
      </div>
      <div>
        ${block(text.figures, figures(view, row, text))}${block(
          text.details,
          facts([
            [text.id, idText(row.id, view)],
            [text.reference, html`<code>${row.reference}</code>`],
            [text.currency, row.currency.toUpperCase()],
            [text.created, time(row.created_at, view.locale)],
            [text.bankDay, row.date_bank === null ? null : dayText(row.date_bank, view.locale)],
          ]),
        )}
      </div>
    </div>`;
  return {
    section: 'payouts',
    title: `${text.payout} ${row.reference}`,
    body,
    back: { href: pathIn(view, 'payouts'), label: text.payouts },
  };
};
