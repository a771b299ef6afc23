import { Checkbox } from '@mantine/core';
import { useT } from '../i18n/i18n';
import styles from './data-table.module.css';
import type { Selection } from './use-selection';

/** The header of the column that selects rows; it selects all loaded rows. */
export const SelectHeader = <Row,>({ selection }: { readonly selection: Selection<Row> }) => {
  const t = useT();
  const { isAll, rows, toggleAll } = selection;
  return (
    <th role="columnheader" scope="col" className={styles['select']}>
      <Checkbox
        size="xs"
        aria-label={t.shared.selection.all}
        checked={isAll}
        indeterminate={!isAll && rows.length > 0}
        onChange={toggleAll}
      />
    </th>
  );
};

interface SelectBoxProps<Row> {
  readonly selection: Selection<Row>;
  readonly row: Row;
  /** What identifies the row. */
  readonly label: string;
}

/** Selects a row; with Shift, also the rows since the last one clicked. */
export const SelectBox = <Row,>({ selection, row, label }: SelectBoxProps<Row>) => {
  const t = useT();
  return (
    <Checkbox
      size="xs"
      aria-label={t.shared.labeled(t.shared.selection.row, label)}
      checked={selection.isSelected(row)}
      onChange={({ nativeEvent }) =>
        selection.toggle(row, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
};
