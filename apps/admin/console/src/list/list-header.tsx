import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { PageHeader } from '../shared/page-header';
import { ColumnChooser } from './column-chooser';
import { searchOf } from './query-of';
import { isViewed, SavedViews } from './saved-views';
import type { useColumns } from './use-columns';
import type { PageQuery } from './use-pages';

interface ListHeaderProps<Row> {
  /** The name of the list. */
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  readonly query: PageQuery;
  readonly columns: ReturnType<typeof useColumns<Row>>;
  /** The path of the CSV download; null if the role cannot download it. */
  readonly csvPath: string | null;
  /** The actions of the list. */
  readonly children?: ReactNode;
}

/** The title of a list, and what can be done with the whole list. */
export const ListHeader = <Row,>(props: ListHeaderProps<Row>) => {
  const { name, title, lead, query, columns, csvPath, children } = props;
  const t = useT();
  return (
    <PageHeader title={title} lead={lead}>
      {children}
      {isViewed(name) && <SavedViews list={name} />}
      <ColumnChooser columns={columns} />
      {csvPath !== null && (
        <Button
          component="a"
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          href={`${csvPath}?${searchOf(query)}`}
          download
          title={t.shared.csvHint}
        >
          {t.shared.csv}
        </Button>
      )}
    </PageHeader>
  );
};
