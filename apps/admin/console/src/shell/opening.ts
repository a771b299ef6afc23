import { useEffect } from 'react';

/** What is opened from anywhere in the shell: by a button, a menu or a key. */
const EVENTS = { palette: 'console-open-palette', shortcuts: 'console-open-shortcuts' } as const;

export type Opened = keyof typeof EVENTS;

/** Over a dialog nothing is opened: what it has not told yet would be lost. */
export const isModalOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

export const openUp = (what: Opened): void => {
  if (!isModalOpen()) window.dispatchEvent(new Event(EVENTS[what]));
};

/** Calls `open` when it shall be opened. */
export const useOpening = (what: Opened, open: () => void): void => {
  useEffect(() => {
    window.addEventListener(EVENTS[what], open);
    return () => window.removeEventListener(EVENTS[what], open);
  }, [what, open]);
};
