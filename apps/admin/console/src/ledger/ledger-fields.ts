import type { Dictionary } from '../i18n/en';
import type { FilterField } from '../list/filter-field';
import { modeField, usualFields } from '../list/usual-fields';

type Name = 'currency' | 'mode' | 'merchantId' | 'platformId';

/** The filters by which every view of the ledger is restricted. */
export const ledgerFields = (t: Dictionary): readonly FilterField<Name>[] => [
  ...usualFields(t).filter((field): field is FilterField<'currency'> => field.name === 'currency'),
  modeField(t),
  { name: 'merchantId', label: t.shared.merchant, kind: 'text' },
  { name: 'platformId', label: t.shared.platform, kind: 'text' },
];
