import { Kbd, Group, Modal, Switch, Table } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { PAGES } from './pages';

interface Row {
  readonly keys: readonly string[];
  readonly text: string;
}

const Rows = ({ rows }: { readonly rows: readonly Row[] }) => (
  <Table>
    <Table.Tbody>
      {rows.map(({ keys, text }) => (
        <Table.Tr key={text}>
          <Table.Td>{text}</Table.Td>
          <Table.Td>
            <Group gap={4} justify="flex-end" wrap="nowrap">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

interface ShortcutListProps {
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  readonly onClose: () => void;
}

/** Lists all keyboard shortcuts, with the switch for single-letter shortcuts. */
export const ShortcutList = ({ isOn, onSwitch, onClose }: ShortcutListProps) => {
  const t = useT();
  const rows: readonly Row[] = [
    { keys: ['Ctrl', 'K'], text: t.shell.keys.palette },
    { keys: ['/'], text: t.shell.search },
    { keys: ['?'], text: t.shell.keys.help },
    ...PAGES.flatMap(({ letter, name }) =>
      letter === undefined
        ? []
        : [
            {
              keys: ['g', letter],
              text: t.shell.keys.goTo(t.shell.pages[name]),
            },
          ],
    ),
    { keys: ['←'], text: t.shell.keys.timeBack },
    { keys: ['→'], text: t.shell.keys.timeForward },
  ];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.shell.shortcuts}
      size="lg"
      closeButtonProps={{ 'aria-label': t.shared.close }}
    >
      <Switch
        mb="md"
        label={t.shell.keys.letters}
        checked={isOn}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      <Rows rows={rows} />
    </Modal>
  );
};
