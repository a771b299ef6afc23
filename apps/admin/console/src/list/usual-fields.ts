import type { Dictionary } from '../i18n/en';
import type { FilterField } from './filter-field';
import { choicesOf } from './status-choices';

type Name =
  | 'currency'
  | 'amountFrom'
  | 'amountTo'
  | 'from'
  | 'to'
  | 'updatedFrom'
  | 'updatedTo'
  | 'sort';

const CURRENCIES = ['eur', 'aud', 'cad', 'chf', 'dkk', 'gbp', 'nok', 'pln', 'sek', 'usd'] as const;

/**
 * The filters and sort orders of lists with amounts. `made` is the type of the creation filter:
 * `day` filters instants by days in the viewer's time zone, `date` filters calendar days.
 */
export const usualFields = (
  t: Dictionary,
  made: 'day' | 'date' = 'day',
): readonly FilterField<Name>[] => [
  {
    name: 'currency',
    label: t.shared.currency,
    kind: 'choice',
    choices: CURRENCIES.map((value) => ({ value, label: value.toUpperCase() })),
  },
  { name: 'amountFrom', label: t.shared.amountFrom, kind: 'amount' },
  { name: 'amountTo', label: t.shared.amountTo, kind: 'amount' },
  { name: 'from', label: t.shared.from, kind: made },
  { name: 'to', label: t.shared.to, kind: made },
  { name: 'updatedFrom', label: t.shared.updatedFrom, kind: 'day' },
  { name: 'updatedTo', label: t.shared.updatedTo, kind: 'day' },
  {
    name: 'sort',
    label: t.shared.order,
    kind: 'choice',
    choices: choicesOf(t.shared.orders),
    usually: t.shared.newestFirst,
  },
];

/** The filter by mode. Live and test rows are never listed or added up together. */
export const modeField = (t: Dictionary) =>
  ({
    name: 'mode',
    label: t.money.mode,
    kind: 'choice',
    choices: choicesOf(t.money.modes),
    usually: t.money.usualMode,
    unset: 'usual',
  }) as const satisfies FilterField<'mode'>;
