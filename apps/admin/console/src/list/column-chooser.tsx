import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useT } from '../i18n/i18n';
import type { Column } from './data-table';
import styles from './saved-views.module.css';
import type { useColumns } from './use-columns';

type Columns = ReturnType<typeof useColumns<never>>;

interface ColumnRowProps {
  readonly column: Pick<Column<never>, 'id' | 'header'>;
  readonly columns: Columns;
}

const ColumnRow = ({ column: { id, header }, columns }: ColumnRowProps) => {
  const t = useT();
  const place = columns.shown.findIndex((one) => one.id === id);
  const isShown = place >= 0;
  const isLastShown = isShown && columns.shown.length === 1;
  const mover = (by: -1 | 1, arrow: string, label: string, isPossible: boolean) => (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-label={t.shared.labeled(label, header)}
      // `aria-disabled` instead of `disabled`, so that the button keeps the focus after a column
      // reaches either end.
      aria-disabled={!isPossible}
      {...(!isPossible && { 'data-disabled': true })}
      onClick={() => columns.move(id, by)}
    >
      <span aria-hidden="true">{arrow}</span>
    </Button>
  );
  return (
    <li className={styles['row']}>
      <Checkbox
        label={header}
        checked={isShown}
        aria-disabled={isLastShown}
        onChange={() => columns.toggle(id)}
      />
      {isShown && (
        <Group gap={4}>
          {mover(-1, '↑', t.shared.columns.up, place > 0)}
          {mover(1, '↓', t.shared.columns.down, place < columns.shown.length - 1)}
        </Group>
      )}
    </li>
  );
};

/** The button and the dialog in which a viewer chooses the columns of a list and their order. */
export const ColumnChooser = <Row,>({
  columns,
}: {
  readonly columns: ReturnType<typeof useColumns<Row>>;
}) => {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t.shared.columns.title}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t.shared.columns.title}
        closeButtonProps={{ 'aria-label': t.shared.close }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {t.shared.columns.lead}
          </Text>
          <ul className={styles['rows']}>
            {[...columns.shown, ...columns.hidden].map((column) => (
              <ColumnRow key={column.id} column={column} columns={columns as Columns} />
            ))}
          </ul>
          <Group justify="flex-end">
            {columns.isChosen && (
              <Button variant="subtle" onClick={columns.reset}>
                {t.shared.columns.reset}
              </Button>
            )}
            <Button onClick={() => setOpen(false)}>{t.shared.close}</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
};
