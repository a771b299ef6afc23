import { Link } from 'wouter';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { GROUPS, type Page } from './pages';
import styles from './shell.module.css';

interface MenuGroupsProps {
  readonly pages: readonly Page[];
  /** The path of the page that is shown. */
  readonly location: string;
  /** The number of pending approvals. */
  readonly pending?: number;
  readonly onChoice?: () => void;
}

const isHere = (path: string, location: string): boolean =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);

/** The pages of the main menu in groups. */
export const MenuGroups = ({ pages: all, location, pending = 0, onChoice }: MenuGroupsProps) => {
  const t = useT();
  return GROUPS.map((group) => {
    const pages = all.filter((page) => page.group === group);
    return (
      pages.length > 0 && (
        <section key={group} aria-labelledby={`menu-${group}`}>
          <h2 id={`menu-${group}`} className={styles['group']}>
            {t.shell.groups[group]}
          </h2>
          <ul className={styles['list']}>
            {pages.map(({ name, path }) => (
              <li key={path}>
                <Link
                  href={path}
                  className={styles['item']}
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
