import { Button } from '@mantine/core';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { ActiveFilters } from './active-filters';
import styles from './filter-bar.module.css';
import { FilterControl, type FilterField } from './filter-field';
import { problemOf } from './filter-problem';
import type { FilterValues } from './use-filters';

interface FilterBarProps<Name extends string> {
  readonly fields: readonly FilterField<Name>[];
  readonly values: FilterValues<Name>;
  readonly set: (name: Name, value: string) => void;
  readonly clear: () => void;
  readonly isAny: boolean;
}

/** If there are at most this many controls besides the main ones, all are shown. */
const MAX_BESIDE = 2;

/** The sort order is a field of the bar, but does not count as a filter. */
const isSort = ({ name }: FilterField<string>): boolean => name === 'sort';

interface FoldedProps<Name extends string> extends Pick<FilterBarProps<Name>, 'values' | 'set'> {
  readonly main: readonly FilterField<Name>[];
  readonly others: readonly FilterField<Name>[];
  readonly controlOf: (field: FilterField<Name>) => ReactNode;
  /** The button that clears all filters. */
  readonly clearing: ReactNode;
}

/** The main filters, and the others behind a button with the number of active ones. */
const FoldedFilters = <Name extends string>(props: FoldedProps<Name>) => {
  const { main, others, values, set, controlOf, clearing } = props;
  const t = useT();
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const active = others.filter(({ name }) => values[name] !== undefined);
  const remove = (name: Name): void => {
    // Moves the focus first, because the clicked button disappears.
    toggle.current?.focus();
    set(name, '');
  };
  return (
    <>
      <div className={styles['row']}>
        {main.map((field) => (
          <div key={field.name} className={field.name === 'search' ? styles['search'] : undefined}>
            {controlOf(field)}
          </div>
        ))}
        <Button
          ref={toggle}
          variant="default"
          size="sm"
          leftSection={<Icon name="filter" size={16} />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {t.shared.filtersOf(active.length)}
        </Button>
        {clearing}
      </div>
      {!isOpen && active.length > 0 && (
        <ActiveFilters fields={active} values={values} remove={remove} />
      )}
      <div id={id} className={styles['panel']} hidden={!isOpen}>
        {isOpen && others.map(controlOf)}
      </div>
    </>
  );
};

/**
 * The filters of a list. The main ones, e.g. the search, are always shown; the others are behind
 * one button unless there are only a few.
 */
export const FilterBar = <Name extends string>(props: FilterBarProps<Name>) => {
  const { fields, values, set, clear, isAny } = props;
  const t = useT();
  const isMain = (field: FilterField<Name>, index: number): boolean =>
    isSort(field) || (field.isMain ?? index === 0);
  const main = fields.filter(isMain);
  const others = fields.filter((field, index) => !isMain(field, index));
  const controlOf = (field: FilterField<Name>): ReactNode => (
    <FilterControl
      key={field.name}
      field={field}
      given={values[field.name]}
      problem={problemOf(field, values)}
      isPossible={(value) => problemOf(field, { ...values, [field.name]: value }) === null}
      onChange={(value) => set(field.name, value)}
    />
  );
  const clearing = isAny && (
    <Button variant="subtle" size="sm" onClick={clear}>
      {t.shared.clearFilters}
    </Button>
  );
  return (
    <search className={styles['bar']} aria-label={t.shared.filters}>
      {others.length > MAX_BESIDE ? (
        <FoldedFilters {...{ main, others, values, set, controlOf, clearing }} />
      ) : (
        <div className={styles['grid']}>
          {fields.map(controlOf)}
          {clearing}
        </div>
      )}
    </search>
  );
};
