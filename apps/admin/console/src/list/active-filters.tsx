import { Button } from '@mantine/core';
import { useI18n, useT } from '../i18n/i18n';
import { formatDay } from '../shared/format';
import { Icon } from '../shared/icons';
import styles from './filter-bar.module.css';
import type { FilterField } from './filter-field';
import { severalOf } from './several-field';
import type { FilterValues } from './use-filters';

/** The value of a filter, in the same words as the filter's control. */
const useWordsOf = () => {
  const { locale } = useI18n();
  return (field: FilterField<string>, value: string): string => {
    switch (field.kind) {
      case 'choice':
      case 'several': {
        const words = severalOf(value).map(
          (one) => field.choices.find((choice) => choice.value === one)?.label ?? one,
        );
        return words.join(', ');
      }
      case 'day':
      case 'date':
        // The URL may contain an invalid day, which is shown unchanged.
        return Number.isNaN(Date.parse(value)) ? value : formatDay(value, locale);
      case 'month':
      case 'amount':
      case 'text':
        return value;
    }
  };
};

interface ActiveProps<Name extends string> {
  readonly fields: readonly FilterField<Name>[];
  readonly values: FilterValues<Name>;
  readonly remove: (name: Name) => void;
}

/** The active filters whose controls are folded; a click removes one. */
export const ActiveFilters = <Name extends string>({
  fields,
  values,
  remove,
}: ActiveProps<Name>) => {
  const t = useT();
  const wordsOf = useWordsOf();
  return (
    <ul className={styles['active']}>
      {fields.map((field) => {
        const text = t.shared.labeled(field.label, wordsOf(field, values[field.name] ?? ''));
        return (
          <li key={field.name}>
            <Button
              size="compact-sm"
              variant="light"
              rightSection={<Icon name="close" size={14} />}
              aria-label={t.shared.labeled(t.shared.removeFilter, text)}
              onClick={() => remove(field.name)}
            >
              {text}
            </Button>
          </li>
        );
      })}
    </ul>
  );
};
