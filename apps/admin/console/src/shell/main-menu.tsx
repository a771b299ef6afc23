import { Link, useLocation } from 'wouter';
import { usePendingActions } from '../actions/action';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { GROUPS } from './pages';
import styles from './shell.module.css';
import { usePages } from './use-pages';

const isHere = (path: string, location: string): boolean =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);

/** The main menu. `onChoice` lets a phone close the menu after a choice. */
export const MainMenu = ({ onChoice }: { readonly onChoice: () => void }) => {
  const t = useT();
  const all = usePages();
  const [location] = useLocation();
  const pending = usePendingActions().data?.length ?? 0;
  return GROUPS.map((group) => {
    const pages = all.filter((page) => page.group === group);
    return (
      pages.length > 0 && (
        <section key={group} aria-labelledby={`menu-${group}`}>
          <h2 id={`menu-${group}`} className={styles.group}>
            {t.shell.groups[group]}
          </h2>
          <ul className={styles.list}>
            {pages.map(({ name, path }) => (
              <li key={path}>
                <Link
                  href={path}
                  className={styles.item}
                  onClick={onChoice}
                  aria-current={isHere(path, location) ? 'page' : undefined}
                >
                  <Icon name={name} />
                  {t.shell.pages[name]}
                  {name === 'approvals' && pending > 0 && (
                    <span className={styles['count']}>
                      {pending}
                      <span className="visually-hidden"> {t.actions.statuses.pending}</span>
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )
    );
  });
};
