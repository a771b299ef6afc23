import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import styles from './data-table.module.css';

const FEATURES = tableFeatures({});

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

const definitionOf = <Row extends object>(
  { id, header, cell }: Column<Row>,
): ColumnDef<typeof FEATURES, Row> => ({
  id, header, cell: ({ row }) => cell(row.original),
});

/** Rows as a table; on a phone as cards. Roles are said, as cards would lose them. */
export const DataTable = <Row extends object>(
  { label, columns, rows, keyOf }: DataTableProps<Row>,
) => {
  const table = useTable({
    features: FEATURES, columns: columns.map(definitionOf), data: rows, getRowId: keyOf,
  });
  const endOf = (index: number): string | undefined =>
    columns[index]?.isNumber === true ? styles['end'] : undefined;
  return (
    <div className={styles['scroll']}>
      <table role="table" className={styles['table']} aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {table.getFlatHeaders().map((header, index) => (
              <th key={header.id} role="columnheader" scope="col" className={endOf(index)}>
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} role="row">
              {row.getAllCells().map((cell, index) => (
                <td
                  key={cell.id} role="cell" className={endOf(index)}
                  data-label={columns[index]?.header}
                >
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
