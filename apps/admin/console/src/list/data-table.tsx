import type { ReactNode } from 'react';
import styles from './data-table.module.css';

/** A column of a table: what stands in its cells, and at which end. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts and counts stand under each other at the end. */
  readonly isNumber?: boolean;
}

interface DataTableProps<Row> {
  /** What a screen reader calls it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/**
 * Rows as a table; on a phone as cards. Roles are said, as cards would lose them. A cell is what its
 * column returns, and no component of its own: it stays in the page, with its focus, while columns
 * are made anew by each render.
 */
export const DataTable = <Row,>({ label, columns, rows, keyOf }: DataTableProps<Row>) => {
  const endOf = ({ isNumber }: Column<Row>): string | undefined =>
    isNumber === true ? styles['end'] : undefined;
  return (
    <div className={styles['scroll']}>
      <table role="table" className={styles['table']} aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.id} role="columnheader" scope="col" className={endOf(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
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
          ))}
        </tbody>
      </table>
    </div>
  );
};
