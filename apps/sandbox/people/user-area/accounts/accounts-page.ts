import { type AccountScope, HOUSE_ACCOUNT } from '../../../storage/account-scope.js';
import { html, type SafeHtml } from '../../web/html.js';
import { idText, listTable, pageLinks } from '../web/parts.js';
import { pill } from '../web/statuses.js';
import { areaPath, type PageContent, pathIn, type View } from '../web/view.js';
import { filled, words } from '../../web/words.js';
import type { MerchantAccount } from './account-list.js';

export const ACCOUNT_PAGE_SIZE = 25;

const wordsFor = words(
  {
    title: 'Merchant accounts',
    name: 'Merchant',
    account: 'Account',
    keys: 'Keys',
    own: '{name} (default account)',
    hint:
      'Each onboarded company has its own payments, payouts and webhooks, accessible with its ' +
      'keys only.',
  },
  {
    title: 'Comptes marchands',
    name: 'Marchand',
    account: 'Compte',
    keys: 'Clés',
    own: '{name} (compte par défaut)',
    hint:
      'Chaque société inscrite a ses propres paiements, versements et webhooks, accessibles avec ' +
      'ses clés seulement.',
  },
);

const row = (
  view: View,
  account: Pick<MerchantAccount, 'account_id' | 'name' | 'has_keys'>,
): readonly SafeHtml[] => {
  const scope: AccountScope = { account_id: account.account_id, live: view.live };
  const isHere = account.account_id === view.account_id;
  return [
    html`<a
      class="row-link"
      href="${areaPath(scope)}/payments"
      ${isHere ? html`aria-current="true"` : null}
      >${account.name}</a
    >`,
    idText(account.account_id, view),
    pill(account.has_keys ? 'enabled' : 'disabled', view.locale),
  ];
};

/** The list of all accounts; each account links to its payments. */
export const accountsPage = (
  view: View,
  accounts: readonly MerchantAccount[],
  start: number,
  hasMore: boolean,
  ownName: string,
): PageContent => {
  const text = wordsFor(view.locale);
  const own = {
    account_id: HOUSE_ACCOUNT,
    name: filled(text.own, { name: ownName }),
    has_keys: true,
  };
  const list = listTable(
    text.title,
    [{ label: text.name }, { label: text.account, kind: 'wide' }, { label: text.keys }],
    [...(start === 0 ? [own] : []), ...accounts].map((account) => row(view, account)),
  );
  const links = pageLinks(
    { path: pathIn(view, 'accounts'), query: {}, start, limit: ACCOUNT_PAGE_SIZE, hasMore },
    view,
  );
  const body = html`<h1>${text.title}</h1>
    <p class="lead">${text.hint}</p>
    ${list}${links}`;
  return { section: 'accounts', title: text.title, body };
};
