import { Link } from 'wouter';
import type { CaseKind } from '../cases/case';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import styles from './overview.module.css';

type TileName = CaseKind | 'approvals';

/** The kinds of cases, the most severe first, and the approvals. */
export const tileNames = ({ cases }: Dictionary): readonly TileName[] => [
  ...(Object.keys(cases.kinds) as CaseKind[]),
  'approvals',
];

/** The path of the page that lists the cases of a kind, or the approvals. */
const pathOf = (name: TileName): string =>
  name === 'approvals' ? '/approvals?status=pending' : `/cases?kind=${name}`;

interface AttentionTileProps {
  readonly name: TileName;
  /** The number of cases or approvals, formatted for display. */
  readonly count: string;
  readonly isTrouble: boolean;
  /** The money at risk, formatted for display; empty: none. */
  readonly atRisk?: string;
}

/** The number of open cases of a kind, or of approvals, with a link to them. */
export const AttentionTile = ({ name, count, isTrouble, atRisk = '' }: AttentionTileProps) => {
  const t = useT();
  return (
    <li>
      <Link
        href={pathOf(name)}
        className={`card ${styles['tile']} ${isTrouble ? styles['trouble'] : ''}`}
      >
        <span className={styles['number']}>
          <Icon name={isTrouble ? 'warning' : 'check'} size={22} />
          {count}
        </span>
        <span className={styles['label']}>
          {name === 'approvals' ? t.overview.approvals : t.cases.kinds[name].several}
        </span>
        {atRisk !== '' && <span className={styles['hint']}>{atRisk}</span>}
      </Link>
    </li>
  );
};
