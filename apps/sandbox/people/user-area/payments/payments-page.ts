import type { FullPayment } from '../../../collection/payments/payment-resource.js';
import { html, type SafeHtml } from '../../web/html.js';
import { selectField, textField } from '../web/actions.js';
import { areaIcon } from '../web/area-icons.js';
import { empty, listTable, money, pageLinks } from '../web/parts.js';
import { pill, statusText } from '../web/statuses.js';
import { time } from '../web/times.js';
import { type PageContent, pathIn, type View } from '../web/view.js';
import { words } from '../../web/words.js';
import { meansText, paymentLink, shownStatus } from './payment-parts.js';
import { FILTER_STATUSES } from './payment-query.js';
import { PAGE_SIZE, type PaymentQuery } from './payment-search.js';

const wordsFor = words(
  {
    title: 'Payments',
    search: 'Search',
    hint: 'Id, order, e-mail address or last 4 digits',
    status: 'Status',
    method: 'Method',
    from: 'From',
    to: 'To',
    all: 'All',
    card: 'Card',
    sepa: 'Direct debit',
    find: 'Search',
    reset: 'Show all',
    amount: 'Amount',
    means: 'Payment method',
    reference: 'Order',
    customer: 'Customer',
    created: 'Date',
    none: 'No payment yet',
    noneHint: 'Payments appear here when payers pay payment intents.',
    notFound: 'No matching payments',
    notFoundHint: 'Try another reference, account or mode.',
  },
  {
    title: 'Paiements',
    search: 'Rechercher',
    hint: 'Identifiant, commande, adresse e-mail ou 4 derniers chiffres',
    status: 'Statut',
    method: 'Moyen',
    from: 'Du',
    to: 'Au',
    all: 'Tous',
    card: 'Carte',
    sepa: 'Prélèvement',
    find: 'Rechercher',
    reset: 'Tout afficher',
    amount: 'Montant',
    means: 'Moyen de paiement',
    reference: 'Commande',
    customer: 'Client',
    created: 'Date',
    none: 'Aucun paiement',
    noneHint: 'Les paiements apparaissent quand des payeurs paient des intentions de paiement.',
    notFound: 'Aucun paiement correspondant',
    notFoundHint: 'Essayez une autre référence, un autre compte ou un autre mode.',
  },
);

type Words = ReturnType<typeof wordsFor>;

const filterForm = (view: View, query: PaymentQuery, text: Words): SafeHtml => {
  const all = { value: '', label: text.all };
  const statuses = FILTER_STATUSES.map((value) => ({
    value,
    label: statusText(value, view.locale),
  }));
  const methods = [all, { value: 'card', label: text.card }, { value: 'sepa', label: text.sepa }];
  return html` <form
    class="filters"
    method="get"
    action="${pathIn(view, 'payments')}"
    role="search"
  >
    ${textField({ name: 'q', label: text.search, hint: text.hint, value: query.q, type: 'search' })}
    ${selectField({
      name: 'status',
      label: text.status,
      choices: [all, ...statuses],
      value: query.status,
    })}
    ${selectField({ name: 'method', label: text.method, choices: methods, value: query.method })}
    ${textField({ name: 'from', label: text.from, value: query.from, type: 'date' })}
    ${textField({ name: 'to', label: text.to, value: query.to, type: 'date' })}
    <div class="field-end">
      <button class="button" data-tone="main">
        ${areaIcon('search')}<span>${text.find}</span>
      </button>
      ${
        isFiltered(query)
          ? html`<a class="button" href="${pathIn(view, 'payments')}">${text.reset}</a>`
          : null
      }
    </div>
  </form>`;
};

const isFiltered = ({ q, status, method, from, to }: PaymentQuery): boolean =>
  [q, status, method, from, to].some((value) => value !== '');

const customerText = ({ customer }: FullPayment): string =>
  customer === null ? '' : (customer.name ?? customer.email ?? customer.mobile ?? customer.id);

const table = (view: View, rows: readonly FullPayment[], text: Words): SafeHtml =>
  listTable(
    text.title,
    [
      { label: text.amount, kind: 'number' },
      { label: text.status },
      { label: text.means },
      { label: text.reference },
      { label: text.customer, kind: 'wide' },
      { label: text.created },
    ],
    rows.map((row) => [
      paymentLink(view, row.id, money(row.amount, row.currency, view)),
      pill(shownStatus(row, view.now), view.locale),
      meansText(row),
      row.order_id ?? row.description ?? '',
      customerText(row),
      time(row.created_at, view.locale),
    ]),
  );

/** The list of payments, with its filters. */
export const paymentsPage = (
  view: View,
  query: PaymentQuery,
  found: { readonly rows: readonly FullPayment[]; readonly hasMore: boolean },
): PageContent => {
  const text = wordsFor(view.locale);
  const { start, ...filters } = query;
  const nothing = isFiltered(query)
    ? empty(text.notFound, text.notFoundHint)
    : empty(text.none, text.noneHint);
  const body = html` <h1>${text.title}</h1>
    ${filterForm(view, query, text)}
    ${found.rows.length === 0 ? nothing : table(view, found.rows, text)}
    ${pageLinks(
      {
        path: pathIn(view, 'payments'),
        query: filters,
        start,
        limit: PAGE_SIZE,
        hasMore: found.hasMore,
      },
      view,
    )}`;
  return { section: 'payments', title: text.title, body };
};
