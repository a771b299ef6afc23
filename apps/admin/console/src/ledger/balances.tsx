import type { ReactNode } from 'react';
import { api, bodyOf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import type { FilterField } from '../list/filter-field';
import { ListPage } from '../list/list-page';
import type { PageQuery } from '../list/use-pages';
import { accountColumns } from './account-columns';
import { ledgerFields } from './ledger-fields';
import { TrialBalance } from './trial-balance';

type Query = NonNullable<paths['/v1/ledger/accounts']['get']['parameters']['query']>;
type Filter = Exclude<keyof Query, 'cursor' | 'limit'>;
type Account = Schemas['LedgerAccountAnswer'];

/** The six ledger accounts of a provider account and currency. */
interface Row {
  readonly providerAccountId: string;
  readonly currency: string;
  readonly balances: Readonly<Record<string, number>>;
}

const keyOf = ({ providerAccountId, currency }: Pick<Account, 'providerAccountId' | 'currency'>) =>
  `${providerAccountId} ${currency}`;

const rowsOf = (accounts: readonly Account[]): readonly Row[] =>
  [...new Map(accounts.map((one) => [keyOf(one), one])).values()].map(
    ({ providerAccountId, currency }) => {
      const own = accounts.filter((one) => keyOf(one) === keyOf({ providerAccountId, currency }));
      const balances = Object.fromEntries(
        own.map(({ account, balanceMinor }) => [account, balanceMinor]),
      );
      return { providerAccountId, currency, balances };
    },
  );

const read = async (query: PageQuery, signal: AbortSignal) => {
  const page = await bodyOf(
    api.GET('/v1/ledger/accounts', { params: { query: query as Query }, signal }),
  );
  return { items: rowsOf(page.items), nextCursor: page.nextCursor };
};

const columnsOf = (t: Dictionary): readonly Column<Row>[] => [
  {
    id: 'account',
    header: t.ledger.account,
    cell: ({ providerAccountId }) => <EntityLink id={providerAccountId} />,
  },
  {
    id: 'currency',
    header: t.shared.currency,
    cell: ({ currency }) => currency.toUpperCase(),
  },
  ...accountColumns<Row>(t, ({ balances }, name) => balances[name] ?? 0),
];

const fieldsOf = (t: Dictionary): readonly FilterField<Filter>[] => [
  { name: 'at', label: t.ledger.asOf, kind: 'day' },
  ...ledgerFields(t),
];

/** The trial balance, and the balances of each provider account, now or at the end of a day. */
export const Balances = ({ choice }: { readonly choice: ReactNode }) => {
  const t = useT();
  const fields = fieldsOf(t);
  return (
    <ListPage
      none={t.ledger.none}
      name="ledger-accounts"
      title={t.ledger.title}
      lead={t.ledger.leads.balances}
      fields={fields}
      columns={columnsOf(t)}
      keyOf={keyOf}
      read={read}
      csvPath={null}
      actions={choice}
      above={<TrialBalance fields={fields} />}
    />
  );
};
