import type { ReactNode } from 'react';
import { PageHeader } from '../shared/page-header';
import { ColumnChooser } from './column-chooser';
import { CsvExport } from './csv-export';
import type { CsvPath } from './exports';
import { useKnownTotals } from './list-totals';
import { isViewed, SavedViews } from './saved-views';
import type { useColumns } from './use-columns';
import type { PageQuery } from './use-pages';

/** The maximum number of rows of a file that is downloaded at once. */
const MAX_IMMEDIATE = 10_000;

interface ListHeaderProps<Row> {
  /** The name of the list. */
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  readonly query: PageQuery;
  readonly columns: ReturnType<typeof useColumns<Row>>;
  /** The path of the CSV download; null if the role cannot download it. */
  readonly csvPath: CsvPath | null;
  /** Whether all matching rows are loaded. */
  readonly isWhole: boolean;
  /** The actions of the list. */
  readonly children?: ReactNode;
}

/** The title of a list, and the actions on the whole list. */
export const ListHeader = <Row,>(props: ListHeaderProps<Row>) => {
  const { name, title, lead, query, columns, csvPath, isWhole, children } = props;
  const rows = useKnownTotals(name, query);
  const isSmall = isWhole || (rows !== null && rows <= MAX_IMMEDIATE);
  return (
    <PageHeader title={title} lead={lead}>
      {children}
      {isViewed(name) && <SavedViews list={name} />}
      <ColumnChooser columns={columns} />
      {csvPath !== null && <CsvExport path={csvPath} query={query} isSmall={isSmall} />}
    </PageHeader>
  );
};
