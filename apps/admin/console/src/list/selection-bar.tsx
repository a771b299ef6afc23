import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import type { CsvPath } from './exports';
import type { Selection } from './use-selection';

/** The maximum number of ids in the URL of a download. */
const MAX_IDS = 200;

interface SelectionBarProps<Row> {
  readonly selection: Selection<Row>;
  readonly keyOf: (row: Row) => string;
  /** The path of the CSV download; null if the selected rows cannot be downloaded. */
  readonly csvPath: CsvPath | null;
  /** The further actions on the selected rows. */
  readonly children?: ReactNode;
}

/** The actions on the selected rows; not shown while no row is selected. */
export const SelectionBar = <Row,>(props: SelectionBarProps<Row>) => {
  const { selection, keyOf, csvPath, children } = props;
  const t = useT();
  const { rows, clear } = selection;
  if (rows.length === 0) return null;
  const ids = new URLSearchParams(rows.map((row) => ['ids', keyOf(row)]));
  return (
    <Group
      role="group"
      aria-label={t.shared.selection.title}
      gap="xs"
      py="xs"
      // Stays below the table, at the bottom of the screen, so that no row moves under the pointer.
      pos="sticky"
      bottom={0}
      bg="var(--mantine-color-body)"
    >
      <Text size="sm" role="status">
        {t.shared.selection.count(rows.length)}
      </Text>
      {csvPath !== null &&
        (rows.length > MAX_IDS ? (
          <Text size="sm">{t.shared.selection.tooMany(MAX_IDS)}</Text>
        ) : (
          <Button
            component="a"
            size="compact-md"
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            href={`${csvPath}?${ids.toString()}`}
            download
          >
            {t.shared.selection.csv}
          </Button>
        ))}
      {children}
      <Button size="compact-md" variant="subtle" onClick={clear}>
        {t.shared.selection.clear}
      </Button>
    </Group>
  );
};
