import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useT } from '../i18n/i18n';
import { Balances } from './balances';
import { Entries } from './entries';
import { Statement } from './statement';

const VIEWS = { balances: Balances, entries: Entries, statement: Statement } as const;

type View = keyof typeof VIEWS;

/** The ledger: its balances, its entries, or the statement of a merchant. */
export const LedgerPage = () => {
  const t = useT();
  const [params, setParams] = useSearchParams();
  const names = Object.keys(VIEWS) as View[];
  const view = names.find((one) => one === params.get('view')) ?? 'balances';
  const Content = VIEWS[view];
  return (
    <Content
      choice={
        <SegmentedControl
          aria-label={t.ledger.view}
          value={view}
          data={names.map((value) => ({ value, label: t.ledger.views[value] }))}
          onChange={(next) => setParams(next === 'balances' ? {} : { view: next })}
        />
      }
    />
  );
};
