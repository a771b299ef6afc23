import { Button } from '@mantine/core';
import { useState } from 'react';
import { useT } from '../i18n/i18n';
import { useIsLimited } from '../session/session-context';
import { Icon } from '../shared/icons';
import { type CsvPath, EXPORT_PATHS, type ExportPath, useRequestExport } from './exports';
import { ExportsDialog } from './exports-dialog';
import { searchOf } from './query-of';
import type { PageQuery } from './use-pages';

interface DownloadProps {
  readonly path: CsvPath;
  readonly query: PageQuery;
}

interface CsvExportProps extends DownloadProps {
  /** Whether the file has so few rows that it is downloaded at once. */
  readonly isSmall: boolean;
}

const BUTTON = { variant: 'default', leftSection: <Icon name="download" size={16} /> } as const;

const Download = ({ path, query }: DownloadProps) => {
  const t = useT();
  return (
    <Button
      {...BUTTON}
      component="a"
      href={`${path}?${searchOf(query)}`}
      download
      title={t.shared.csvHint}
    >
      {t.shared.csv}
    </Button>
  );
};

interface BackgroundExportProps extends CsvExportProps {
  readonly exportPath: ExportPath;
}

const BackgroundExport = ({ path, exportPath, query, isSmall }: BackgroundExportProps) => {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const requesting = useRequestExport(exportPath);
  return (
    <>
      {isSmall ? (
        <Download path={path} query={query} />
      ) : (
        <Button
          {...BUTTON}
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

/**
 * Downloads all matching rows; a large file is made in the background. Only users who see all rows
 * may export in the background, so a limited user downloads every file at once.
 */
export const CsvExport = (props: CsvExportProps) => {
  const isLimited = useIsLimited();
  const exportPath = EXPORT_PATHS[props.path];
  return exportPath === null || isLimited ? (
    <Download path={props.path} query={props.query} />
  ) : (
    <BackgroundExport {...props} exportPath={exportPath} />
  );
};
