import { useT } from '../i18n/i18n';
import type { Column } from './data-table';
import styles from './data-table.module.css';
import type { Sorting } from './sorting';

const ARIA = { asc: 'ascending', desc: 'descending' } as const;
const ARROWS = { asc: '↑', desc: '↓' } as const;

interface ColumnHeaderProps<Row> {
  readonly column: Column<Row>;
  readonly className: string | undefined;
  readonly sorting: Sorting | undefined;
}

/** The header of a column; a button if the list can be sorted by the column. */
export const ColumnHeader = <Row,>({ column, className, sorting }: ColumnHeaderProps<Row>) => {
  const t = useT();
  const { header, sort } = column;
  if (sort === undefined || sorting === undefined) {
    return (
      <th role="columnheader" scope="col" className={className}>
        {header}
      </th>
    );
  }
  const direction = sorting.directionOf(column);
  const isPossible = sorting.isPossible(sort);
  return (
    <th
      role="columnheader"
      scope="col"
      className={className}
      aria-sort={direction === null ? 'none' : ARIA[direction]}
    >
      <button
        type="button"
        className={styles['sort']}
        // `aria-disabled` instead of `disabled`, so that keyboard and screen reader users can reach
        // the button, whose title says why sorting is impossible.
        aria-disabled={!isPossible}
        title={isPossible ? undefined : t.shared.sortNeedsCurrency}
        onClick={() => {
          if (isPossible) sorting.sortBy(sort);
        }}
      >
        {header}
        <span aria-hidden="true" className={styles['arrow']}>
          {direction === null ? '↕' : ARROWS[direction]}
        </span>
      </button>
    </th>
  );
};
