import { Button } from '@mantine/core';
import { useState } from 'react';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { useRequestExport } from './exports';
import { ExportsDialog } from './exports-dialog';
import { searchOf } from './query-of';
import type { PageQuery } from './use-pages';

interface CsvExportProps {
  /** The name of the list. */
  readonly list: string;
  readonly path: string;
  readonly query: PageQuery;
  /** Whether the file has so few rows that it is downloaded at once. */
  readonly isSmall: boolean;
}

/** Downloads all matching rows; a large file is made in the background. */
export const CsvExport = ({ list, path, query, isSmall }: CsvExportProps) => {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const requesting = useRequestExport(list);
  const button = {
    variant: 'default',
    leftSection: <Icon name="download" size={16} />,
  } as const;
  return (
    <>
      {isSmall ? (
        <Button
          {...button}
          component="a"
          href={`${path}?${searchOf(query)}`}
          download
          title={t.shared.csvHint}
        >
          {t.shared.csv}
        </Button>
      ) : (
        <Button
          {...button}
          title={t.shared.exports.csvHint}
          onClick={() => {
            requesting.mutate(query);
            setOpen(true);
          }}
        >
          {t.shared.csv}
        </Button>
      )}
      <Button variant="default" onClick={() => setOpen(true)}>
        {t.shared.exports.title}
      </Button>
      {isOpen && (
        <ExportsDialog query={query} requesting={requesting} onClose={() => setOpen(false)} />
      )}
    </>
  );
};
