import { Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { openUp, useOpening } from './opening';
import styles from './shell.module.css';

/** The palette is loaded at the first search. */
const Palette = lazy(async () => ({ default: (await import('./palette')).Palette }));

const isMac = /mac/i.test(navigator.userAgent);

/** A button in the form of a search field that opens the palette. */
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
