import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { PAGES } from './pages';

const ShortcutList = lazy(async () => ({
  default: (await import('./shortcut-list')).ShortcutList,
}));

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

/** Listens for the shortcuts of the whole console, and lists them. */
export const Shortcuts = () => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [isOn, setOn] = useLocalStorage({ key: 'console-letters', defaultValue: true });
  useLetters(isOn, open);
  useEffect(() => {
    window.addEventListener(OPEN, open);
    return () => window.removeEventListener(OPEN, open);
  }, [open]);
  return (
    <Suspense>
      {isOpen && <ShortcutList isOn={isOn} onSwitch={setOn} onClose={close} />}
    </Suspense>
  );
};
