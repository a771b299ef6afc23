import { AppShell, Burger, useMantineColorScheme } from '@mantine/core';
import { useDisclosure, useReducedMotion } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { ActionHost } from '../actions/action-host';
import { rememberPreference } from '../first-view/first-view-page';
import { useT } from '../i18n/i18n';
import { Logo } from '../shared/icons';
import { ClockNotice, ClockProvider } from './clock';
import { LiveBadge } from './live-badge';
import { MainMenu } from './main-menu';
import { PaletteButton } from './palette-button';
import { Routes } from './routes';
import styles from './shell.module.css';
import { Shortcuts } from './shortcuts';

/** The account menu is loaded after the page, because it is needed last. */
const AccountMenu = lazy(async () => ({
  default: (await import('./account-menu')).AccountMenu,
}));

/** Scrolls a newly opened page to its top and moves the focus to it. */
const useFreshPage = () => {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
};

/** The frame around every page of a signed-in user. */
export const Shell = () => {
  const t = useT();
  const [isOpen, menu] = useDisclosure(false);
  const main = useFreshPage();
  const { colorScheme } = useMantineColorScheme();
  useEffect(() => rememberPreference('scheme', colorScheme), [colorScheme]);
  const isStill = useReducedMotion(undefined, { getInitialValueInEffect: false });
  return (
    <AppShell
      transitionDuration={isStill ? 0 : 200}
      header={{ height: 56 }}
      padding="lg"
      navbar={{ width: 220, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
    >
      <a href="#main" className="skip-link">
        {t.shell.skipToContent}
      </a>
      <AppShell.Header className={styles.header}>
        <Burger
          opened={isOpen}
          onClick={menu.toggle}
          hiddenFrom="md"
          size="sm"
          aria-label={isOpen ? t.shell.closeMenu : t.shell.openMenu}
          aria-expanded={isOpen}
        />
        <Link href="/" className={styles.brand} aria-label={t.shell.product}>
          <Logo />
          <span className={styles.brandText}>{t.shell.product}</span>
        </Link>
        <PaletteButton />
        <span className={styles.spacer} />
        <LiveBadge />
        <Suspense fallback={<span className={styles.account} />}>
          <AccountMenu />
        </Suspense>
      </AppShell.Header>
      <AppShell.Navbar className={styles.navbar} aria-label={t.shell.mainMenu}>
        <MainMenu onChoice={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main>
        <section ref={main} id="main" tabIndex={-1} className={styles.main}>
          <ClockProvider>
            <ClockNotice />
            <ActionHost>
              <Routes />
            </ActionHost>
          </ClockProvider>
        </section>
      </AppShell.Main>
      <Shortcuts />
    </AppShell>
  );
};
