import { createContext, use } from 'react';
import type { ActionRequest } from './action';

export interface Opened {
  readonly request: ActionRequest;
  /** The subject of the action, in words. */
  readonly subject: string;
}

export const OpenContext = createContext<(opened: Opened) => void>(() => {});

/** Opens the dialog of an action. */
export const useOpenAction = () => use(OpenContext);
