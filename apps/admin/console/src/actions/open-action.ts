import { createContext, use } from 'react';
import type { Wish } from './action';

export interface Opened {
  readonly wish: Wish;
  /** To what it is to be done, in words. */
  readonly subject: string;
}

export const OpenContext = createContext<(opened: Opened) => void>(() => {});

/** Opens the dialog of a wish. */
export const useOpenAction = () => use(OpenContext);
