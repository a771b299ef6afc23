import { Group, Kbd, Modal, Switch, Table } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useT } from '../i18n/i18n';
import { PAGES } from './pages';

const OPEN = 'console-open-shortcuts';
/** A letter counts as the second of a pair for so long. */
const PAIR_MS = 1_500;

export const openShortcuts = (): void => {
  window.dispatchEvent(new Event(OPEN));
};

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

/** `g` and a letter lead to a page, `?` to the list of them. */
const useLetters = (isOn: boolean, openHelp: () => void): void => {
  const [, go] = useLocation();
  const startedAt = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!isOn || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('[aria-modal="true"]') !== null) return;
      if (event.key === '?') return openHelp();
      const isPair = event.timeStamp - startedAt.current < PAIR_MS;
      startedAt.current = event.key === 'g' && !isPair ? event.timeStamp : 0;
      const page = PAGES.find(({ letter }) => letter === event.key);
      if (isPair && page !== undefined) go(page.path);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isOn, openHelp, go]);
};

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
              {keys.map((key) => <Kbd key={key}>{key}</Kbd>)}
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

/** Listens for the shortcuts of the whole console, and lists them. */
export const Shortcuts = () => {
  const t = useT();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [isOn, setOn] = useLocalStorage({ key: 'console-letters', defaultValue: true });
  useLetters(isOn, open);
  useEffect(() => {
    window.addEventListener(OPEN, open);
    return () => window.removeEventListener(OPEN, open);
  }, [open]);
  const rows: readonly Row[] = [
    { keys: ['Ctrl', 'K'], text: t.shell.keys.palette },
    { keys: ['?'], text: t.shell.keys.help },
    ...PAGES.flatMap(({ letter, name }) =>
      letter === undefined ? [] : [{
        keys: ['g', letter], text: t.shell.keys.goTo(t.shell.pages[name]),
      }]),
    { keys: ['←'], text: t.shell.keys.timeBack },
    { keys: ['→'], text: t.shell.keys.timeForward },
  ];
  return (
    <Modal opened={isOpen} onClose={close} title={t.shell.shortcuts} size="lg"
      closeButtonProps={{ 'aria-label': t.shared.close }}>
      <Switch
        mb="md" label={t.shell.keys.letters} checked={isOn}
        onChange={(event) => setOn(event.target.checked)}
      />
      <Rows rows={rows} />
    </Modal>
  );
};
