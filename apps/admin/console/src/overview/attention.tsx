import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n';
import { formatCount } from '../shared/format';
import { Icon } from '../shared/icons';
import styles from './overview.module.css';
import type { Overview } from './overview-query';

type Trouble = keyof Overview['attention'];

/** Where each is found, the worst first. */
const PLACES: readonly { readonly name: Trouble; readonly path: string }[] = [
  { name: 'stuckCalls', path: '/queues?view=calls' },
  { name: 'failedReactions', path: '/queues?view=failed' },
  { name: 'approvals', path: '/approvals?status=pending' },
  { name: 'unknownOutcomes', path: '/payments?unknown=true' },
  { name: 'unmadeRefunds', path: '/payments?unmadeRefunds=true' },
  { name: 'mismatches', path: '/payments?mismatched=true' },
  { name: 'exceptions', path: '/reconciliation?state=open' },
];

/** What waits for a person: a number each, that leads to the things themselves. */
export const Attention = ({ attention }: Pick<Overview, 'attention'>) => {
  const { t, locale } = useI18n();
  return (
    <section aria-labelledby="attention">
      <h2 id="attention" className={styles['heading']}>
        {t.overview.attention}
      </h2>
      <ul className={styles['tiles']}>
        {PLACES.map(({ name, path }) => {
          const count = attention[name];
          return (
            <li key={name}>
              <Link
                href={path}
                className={`card ${styles['tile']} ${count > 0 ? styles['trouble'] : ''}`}
              >
                <span className={styles['number']}>
                  <Icon name={count > 0 ? 'warning' : 'check'} size={22} />
                  {formatCount(count, locale)}
                </span>
                <span className={styles['label']}>{t.overview.troubles[name]}</span>
                <span className={styles['hint']}>{t.overview.troubleHints[name]}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
};
