import { useMemo } from 'react';
import { useIsLimited } from '../session/session-context';
import { type Page, PAGES } from './pages';

/** The pages that the user may open. */
export const usePages = (): readonly Page[] => {
  const isLimited = useIsLimited();
  return useMemo(
    () => (isLimited ? PAGES.filter(({ isForUnlimited }) => isForUnlimited !== true) : PAGES),
    [isLimited],
  );
};
