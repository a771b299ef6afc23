import { Link } from 'wouter';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import styles from './overview.module.css';
import type { Overview } from './overview-query';

type Trouble = keyof Overview['attention'];

/** The path of the page that lists the issues of each kind; the most severe kind comes first. */
const PATHS: Readonly<Record<Trouble, string>> = {
  failedRequests: '/queues?view=calls',
  failedReactions: '/queues?view=failed',
  approvals: '/approvals?status=pending',
  unknownResults: '/payments?unknownResults=true',
  rejectedRefunds: '/payments?rejectedRefunds=true',
  rejectedCaptures: '/payments?rejectedCaptures=true',
  mismatches: '/payments?mismatched=true',
  exceptions: '/reconciliation?state=open',
};

/** The kinds of open issues, the most severe kind first. */
export const TROUBLES = Object.keys(PATHS) as readonly Trouble[];

/** The list of breaks has both modes by default; the other lists have the mode of the overview. */
const pathOf = (name: Trouble, mode: Overview['mode']): string =>
  name === 'exceptions' && mode === 'live' ? `${PATHS[name]}&mode=live` : PATHS[name];

interface AttentionTileProps {
  readonly name: Trouble;
  readonly mode: Overview['mode'];
  /** The number of issues, formatted for display. */
  readonly count: string;
  readonly isTrouble: boolean;
}

/** The number of open issues of a kind, with a link to them. */
export const AttentionTile = ({ name, mode, count, isTrouble }: AttentionTileProps) => {
  const t = useT();
  return (
    <li>
      <Link
        href={pathOf(name, mode)}
        className={`card ${styles['tile']} ${isTrouble ? styles['trouble'] : ''}`}
      >
        <span className={styles['number']}>
          <Icon name={isTrouble ? 'warning' : 'check'} size={22} />
          {count}
        </span>
        <span className={styles['label']}>{t.overview.troubles[name]}</span>
        <span className={styles['hint']}>{t.overview.troubleHints[name]}</span>
      </Link>
    </li>
  );
};
