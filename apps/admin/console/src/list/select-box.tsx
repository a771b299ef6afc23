import { Checkbox } from '@mantine/core';
import { memo, useId } from 'react';
import { useT } from '../i18n/i18n';
import styles from './data-table.module.css';
import type { Selection } from './use-selection';

/** The header of the selection column; its checkbox selects all loaded rows. */
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

interface SelectBoxProps {
  /** The key of the row; also the label of the checkbox for screen readers. */
  readonly rowKey: string;
  readonly isSelected: boolean;
  readonly toggle: Selection<unknown>['toggle'];
}

/**
 * Selects a row; with Shift, also the rows since the last clicked one. The checkbox renders again
 * only when its own properties change, because React writes the attributes of a controlled input at
 * each render. It has an explicit id, because the library would otherwise render a second time to
 * set a random id.
 */
export const SelectBox = memo(({ rowKey, isSelected, toggle }: SelectBoxProps) => {
  const t = useT();
  const id = useId();
  return (
    <Checkbox
      id={id}
      size="xs"
      aria-label={t.shared.labeled(t.shared.selection.row, rowKey)}
      checked={isSelected}
      onChange={({ nativeEvent }) =>
        toggle(rowKey, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
});
SelectBox.displayName = 'SelectBox';
