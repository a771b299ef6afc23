import { Fragment, type ReactNode } from 'react';
import { useT } from '../i18n/i18n';
import { ColumnHeader } from './column-header';
import styles from './data-table.module.css';
import { SelectBox, SelectHeader } from './select-box';
import type { SortName, Sorting } from './sorting';
import { useColumnWidths } from './use-column-widths';
import type { Selection } from './use-selection';
import { useVirtualRows } from './virtual-rows';

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

/** A row of the table's body: a row of the list, or what an expanded row shows below itself. */
interface Line<Row> {
  readonly key: string;
  readonly row: Row;
  /** Null for a row of the list. */
  readonly below: ReactNode;
}

const linesOf = <Row,>({ rows, keyOf, belowOf }: DataTableProps<Row>): readonly Line<Row>[] =>
  rows.flatMap((row) => {
    const key = keyOf(row);
    const below = belowOf?.(row) ?? null;
    const line = { key, row, below: null };
    return below === null ? [line] : [line, { key: `${key} below`, row, below }];
  });

/** An empty table row with the total height of the rows that are not drawn. */
const Space = ({ span, height }: { readonly span: number; readonly height: number }) => (
  <tr aria-hidden="true" className={styles['space']}>
    <td colSpan={span} style={{ height }} />
  </tr>
);

const endOf = ({ isNumber }: Pick<Column<never>, 'isNumber'>): string | undefined =>
  isNumber === true ? styles['end'] : undefined;

/**
 * The cells of a row. They are rendered by function calls: each render creates new columns, so
 * cells rendered as components would lose the focus.
 */
const Cells = <Row,>({ row, columns, keyOf, selection }: DataTableProps<Row> & { row: Row }) => {
  const t = useT();
  return (
    <>
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
        <td key={column.id} role="cell" className={endOf(column)} data-label={column.header}>
          {column.cell(row)}
        </td>
      ))}
    </>
  );
};

/**
 * A table; on phones it is shown as cards. ARIA roles are explicit, because browsers drop them from
 * the card layout.
 */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { label, columns, sorting, selection } = props;
  const lines = linesOf(props);
  const { body, isVirtual, drawn, measure, hold } = useVirtualRows(lines.map(({ key }) => key));
  const names = columns.map(({ id }) => id).join();
  const widths = useColumnWidths(body, names, isVirtual && drawn.length > 0);
  const span = columns.length + (selection === undefined ? 0 : 1);
  return (
    <div className={styles['scroll']}>
      <table
        role="table"
        className={styles['table']}
        aria-label={label}
        aria-rowcount={isVirtual ? lines.length + 1 : undefined}
      >
        {isVirtual && (
          <colgroup key={names} ref={widths}>
            {Array.from({ length: span }, (_, index) => (
              <col key={index} />
            ))}
          </colgroup>
        )}
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={isVirtual ? 1 : undefined}>
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
        <tbody role="rowgroup" ref={body} className={isVirtual ? styles['virtual'] : undefined}>
          {drawn.map(({ index, spaceBefore }) => {
            const line = lines[index];
            if (line === undefined) return null;
            const { key, row, below } = line;
            const place = isVirtual && {
              ref: measure,
              'data-index': index,
              'aria-rowindex': index + 2,
              onFocus: () => hold(key),
            };
            return (
              <Fragment key={key}>
                {spaceBefore > 0 && <Space span={span} height={spaceBefore} />}
                <tr role="row" className={below === null ? undefined : styles['below']} {...place}>
                  {below === null ? (
                    <Cells {...props} row={row} />
                  ) : (
                    <td role="cell" colSpan={span}>
                      {below}
                    </td>
                  )}
                </tr>
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};
