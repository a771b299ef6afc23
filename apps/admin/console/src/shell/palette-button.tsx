import { Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { openUp, useOpening } from './opening';
import styles from './shell.module.css';

/** Loaded when somebody first searches. */
const Palette = lazy(async () => ({ default: (await import('./palette')).Palette }));

const isMac = /mac/i.test(navigator.userAgent);

/** Looks like a search field, and opens the palette, as its shortcuts do. */
export const PaletteButton = () => {
  const t = useT();
  const [opened, setOpened] = useState(0);
  const open = useCallback(() => setOpened((times) => times + 1), []);
  useOpening('palette', open);
  useHotkeys([['mod+K', () => openUp('palette')]]);
  return (
    <>
      <UnstyledButton className={styles['search']} onClick={open} aria-haspopup="dialog">
        <Icon name="search" />
        <span className={styles['searchText']}>{t.shell.searchHint}</span>
        <span className={styles['keys']}>
          <Kbd size="xs">{isMac ? '⌘' : 'Ctrl'} K</Kbd>
        </span>
      </UnstyledButton>
      <Suspense>{opened > 0 && <Palette opened={opened} />}</Suspense>
    </>
  );
};
