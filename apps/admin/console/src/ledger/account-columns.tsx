import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import { Amount } from '../shared/amount';

type LedgerAccount = keyof Dictionary['ledger']['accounts'];

/** A column for each of the six ledger accounts. @param balanceOf in minor units */
export const accountColumns = <Row extends { readonly currency: string }>(
  t: Dictionary,
  balanceOf: (row: Row, account: LedgerAccount) => number,
): readonly Column<Row>[] =>
  (Object.keys(t.ledger.accounts) as LedgerAccount[]).map((name) => ({
    id: name,
    header: t.ledger.accounts[name],
    isNumber: true,
    cell: (row) => <Amount amountMinor={balanceOf(row, name)} currency={row.currency} />,
  }));
