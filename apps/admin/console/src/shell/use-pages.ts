import { useMemo } from 'react';
import { useIsLimited } from '../session/session-context';
import { type Page, pagesOf } from './pages';

/** The pages that the user may open. */
export const usePages = (): readonly Page[] => {
  const isLimited = useIsLimited();
  return useMemo(() => pagesOf(isLimited), [isLimited]);
};
