import { useEffect } from 'react';
import { useT } from '../i18n/i18n';

/** Sets the title of the browser tab. */
export const useTitle = (title: string): void => {
  const { product } = useT().shell;
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
};
