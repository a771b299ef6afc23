import { Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useT } from '../i18n/i18n';
import { MoreButton } from '../shared/more-button';
import { ProblemAlert } from '../shared/problem-alert';
import { type Column, DataTable } from './data-table';
import { type CsvPath, EXPORT_PATHS } from './exports';
import { FilterBar } from './filter-bar';
import type { FilterField } from './filter-field';
import { problemOf } from './filter-problem';
import { ListHeader } from './list-header';
import { ListTotals, type ReadTotals } from './list-totals';
import { useColumns } from './use-columns';
import { type FilterValues, useFilters } from './use-filters';
import { queryOf } from './query-of';
import { SelectionBar } from './selection-bar';
import { sortingOf } from './sorting';
import { useSelection } from './use-selection';
import { type ReadPage, usePages } from './use-pages';

interface ListPageProps<Row, Name extends string> {
  /** The name of the list, unique among the lists. */
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  /** Shown when the list is empty without filters. */
  readonly none: string;
  readonly fields: readonly FilterField<Name>[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly read: ReadPage<Row>;
  /** The path of the CSV download; null if the role cannot download it. */
  readonly csvPath: CsvPath | null;
  /** Reads the totals; undefined for a list without amounts. */
  readonly readTotals?: ReadTotals;
  readonly actions?: ReactNode;
  /** The actions on the selected rows, besides the CSV download. */
  readonly actionsOf?: (rows: readonly Row[], clear: () => void) => ReactNode;
  /** Shown between the header and the filters. */
  readonly summary?: ReactNode;
  /** Shown between the filters and the table. */
  readonly above?: ReactNode;
  /** Returns the content below an expanded row; null if the row is not expanded. */
  readonly belowOf?: (row: Row) => ReactNode;
}

const Placeholder = () => (
  <Stack p="md" gap="sm">
    {Array.from({ length: 8 }, (_, index) => (
      <Skeleton key={index} height={22} />
    ))}
  </Stack>
);

interface WrongFiltersProps<Name extends string> {
  readonly fields: readonly FilterField<Name>[];
  readonly values: FilterValues<Name>;
}

/** Shown instead of rows while a filter cannot be applied. */
const WrongFilters = <Name extends string>({ fields, values }: WrongFiltersProps<Name>) => {
  const t = useT();
  return (
    <Stack align="center" gap="xs" py={48} role="status">
      {fields.map((field) => {
        const problem = problemOf(field, values);
        if (problem === null) return null;
        const text = t.shared.labeled(field.label, t.shared.filterProblems[problem]);
        return <Text key={field.name}>{text}</Text>;
      })}
    </Stack>
  );
};

/** A list with filters, pages and a CSV download. */
export const ListPage = <Row, Name extends string>(props: ListPageProps<Row, Name>) => {
  const { name, title, lead, none, fields, keyOf, read, csvPath, readTotals } = props;
  const { actions, actionsOf, summary, above, belowOf } = props;
  const t = useT();
  const columns = useColumns(props.columns);
  const filters = useFilters(fields.map((field) => field.name));
  const query = queryOf(fields, filters.values);
  const isValid = fields.every((field) => problemOf(field, filters.values) === null);
  const pages = usePages<Row>(name, query, read, isValid);
  const { rows, error, hasNextPage } = pages;
  const selection = useSelection(rows ?? [], keyOf);
  // If the CSV file is always downloaded as a whole, the selected rows cannot be downloaded.
  const rowsPath = csvPath === null || EXPORT_PATHS[csvPath] === null ? null : csvPath;
  const isSelectable = rowsPath !== null || actionsOf !== undefined;
  const { sort, currency } = filters.values as Readonly<Record<string, string | undefined>>;
  const sortField = fields.find((field) => field.name === 'sort');
  const sorting =
    sortField && sortingOf(sort, currency, (value) => filters.set(sortField.name, value));
  return (
    <>
      <ListHeader
        {...{ name, title, lead, query, columns }}
        csvPath={isValid ? csvPath : null}
        isWhole={!hasNextPage}
      >
        {actions}
      </ListHeader>
      {summary}
      <FilterBar fields={fields} {...filters} />
      {above}
      {error !== null && <ProblemAlert error={error} retry={pages.refetch} />}
      <div className="card" aria-busy={isValid && pages.isPending}>
        {!isValid && <WrongFilters fields={fields} values={filters.values} />}
        {isValid && rows === undefined && error === null && <Placeholder />}
        {rows?.length === 0 && (
          <Text c="dimmed" ta="center" py={48}>
            {filters.isAny ? t.shared.nothingFiltered : none}
          </Text>
        )}
        {rows !== undefined && rows.length > 0 && (
          <DataTable
            {...{ rows, keyOf, sorting }}
            selection={isSelectable ? selection : undefined}
            columns={columns.shown}
            label={title}
            {...(belowOf && { belowOf })}
          />
        )}
      </div>
      <SelectionBar {...{ selection, keyOf }} csvPath={rowsPath}>
        {actionsOf?.(selection.rows, selection.clear)}
      </SelectionBar>
      {rows !== undefined && rows.length > 0 && (
        <Group justify="space-between" mt="sm">
          <Text size="sm" c="dimmed" role="status">
            <span>{t.shared.shown(rows.length, !hasNextPage)}</span>
            {readTotals !== undefined && (
              <>
                {' · '}
                <span>
                  <ListTotals name={name} query={query} read={readTotals} />
                </span>
              </>
            )}
          </Text>
          {hasNextPage && <MoreButton pages={pages} />}
        </Group>
      )}
    </>
  );
};
