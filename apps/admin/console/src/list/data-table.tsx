import { Fragment, type ReactNode } from 'react';
import { useT } from '../i18n/i18n';
import { ColumnHeader } from './column-header';
import styles from './data-table.module.css';
import { SelectBox, SelectHeader } from './select-box';
import type { SortName, Sorting } from './sorting';
import type { Selection } from './use-selection';

/** A column of a table: its header, cells and alignment. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Whether the cells are amounts or counts, which are aligned at the end. */
  readonly isNumber?: boolean;
  /** The sort order that a click on the header selects. */
  readonly sort?: SortName;
}

interface DataTableProps<Row> {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The sort order and the function that changes it; undefined if the table cannot be sorted. */
  readonly sorting?: Sorting | undefined;
  /** The selected rows; absent if rows cannot be selected. */
  readonly selection?: Selection<Row> | undefined;
  /**
   * Returns the content below an expanded row; null if the row is not expanded. If absent, no row
   * can be expanded.
   */
  readonly belowOf?: (row: Row) => ReactNode;
}

const Below = ({ span, children }: { readonly span: number; readonly children: ReactNode }) =>
  children !== null && (
    <tr role="row" className={styles['below']}>
      <td role="cell" colSpan={span}>
        {children}
      </td>
    </tr>
  );

/**
 * A table; on phones it is shown as cards. ARIA roles are explicit, because browsers drop them from
 * the card layout. Cells are rendered by function calls: each render creates new columns, so cells
 * rendered as components would lose the focus.
 */
export const DataTable = <Row,>({
  label,
  columns,
  rows,
  keyOf,
  sorting,
  selection,
  belowOf = () => null,
}: DataTableProps<Row>) => {
  const t = useT();
  const endOf = ({ isNumber }: Column<Row>): string | undefined =>
    isNumber === true ? styles['end'] : undefined;
  return (
    <div className={styles['scroll']}>
      <table role="table" className={styles['table']} aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {selection && <SelectHeader selection={selection} />}
            {columns.map((column) => (
              <ColumnHeader
                key={column.id}
                column={column}
                className={endOf(column)}
                sorting={sorting}
              />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <Fragment key={keyOf(row)}>
              <tr role="row">
                {selection && (
                  <td role="cell" className={styles['select']} data-label={t.shared.selection.row}>
                    <SelectBox
                      rowKey={keyOf(row)}
                      isSelected={selection.isSelected(row)}
                      toggle={selection.toggle}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td
                    key={column.id}
                    role="cell"
                    className={endOf(column)}
                    data-label={column.header}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
              <Below span={columns.length + (selection === undefined ? 0 : 1)}>
                {belowOf(row)}
              </Below>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
};
