import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { isModalOpen, openUp, useOpening } from './opening';
import { usePages } from './use-pages';

const ShortcutList = lazy(async () => ({
  default: (await import('./shortcut-list')).ShortcutList,
}));

/** How long after `g` a letter opens a page. */
const PAIR_MS = 1_500;

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

/**
 * Handles the shortcuts: `g` and a letter open a page, `/` the search, `?` the list of shortcuts.
 */
const useLetters = (isOn: boolean): void => {
  const pages = usePages();
  const [, go] = useLocation();
  const startedAt = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!isOn || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isModalOpen()) return;
      if (event.key === '?') return openUp('shortcuts');
      if (event.key === '/') {
        // Prevents the key from being typed into the search field.
        event.preventDefault();
        return openUp('palette');
      }
      const isPair = event.timeStamp - startedAt.current < PAIR_MS;
      startedAt.current = event.key === 'g' && !isPair ? event.timeStamp : 0;
      const page = pages.find(({ letter }) => letter === event.key);
      if (isPair && page !== undefined) go(page.path);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isOn, go, pages]);
};

/** Handles the keyboard shortcuts of the console, and shows the list of them. */
export const Shortcuts = () => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [isOn, setOn] = useLocalStorage({ key: 'console-letters', defaultValue: true });
  useLetters(isOn);
  useOpening('shortcuts', open);
  return (
    <Suspense>{isOpen && <ShortcutList isOn={isOn} onSwitch={setOn} onClose={close} />}</Suspense>
  );
};
