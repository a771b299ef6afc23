import { useEffect } from 'react';

/** The dialogs that a button, a menu or a key can open from anywhere in the shell. */
const EVENTS = { palette: 'console-open-palette', shortcuts: 'console-open-shortcuts' } as const;

export type Opened = keyof typeof EVENTS;

/**
 * Whether a dialog is open. No other dialog may open over it, because the message in the open
 * dialog would be lost.
 */
export const isModalOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

export const openUp = (what: Opened): void => {
  if (!isModalOpen()) window.dispatchEvent(new Event(EVENTS[what]));
};

/** Calls `open` each time the dialog is to be opened. */
export const useOpening = (what: Opened, open: () => void): void => {
  useEffect(() => {
    window.addEventListener(EVENTS[what], open);
    return () => window.removeEventListener(EVENTS[what], open);
  }, [what, open]);
};
