import { Skeleton, Text } from '@mantine/core';
import { ProblemAlert } from '../shared/problem-alert';
import { type Column, DataTable } from './data-table';

interface LoadedTableProps<Row> {
  readonly label: string;
  readonly query: {
    readonly data: readonly Row[] | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Shown when there are no rows. */
  readonly none: string;
}

/** A table without pages, with its loading and error states. */
export const LoadedTable = <Row,>({
  label,
  query,
  columns,
  keyOf,
  none,
}: LoadedTableProps<Row>) => {
  const { data, error, refetch } = query;
  if (error !== null && data === undefined) return <ProblemAlert error={error} retry={refetch} />;
  if (data === undefined) return <Skeleton height={120} />;
  return (
    <div className="card">
      {data.length === 0 ? (
        <Text c="dimmed" ta="center" py={40}>
          {none}
        </Text>
      ) : (
        <DataTable label={label} columns={columns} rows={data} keyOf={keyOf} />
      )}
    </div>
  );
};
