import { Link } from 'wouter';
import { useCaseTotals } from '../cases/case';
import { amountsText } from '../cases/case-texts';
import { amountsIn, casesIn } from '../cases/totals';
import { useI18n } from '../i18n/i18n';
import { formatCount } from '../shared/format';
import { Icon } from '../shared/icons';
import styles from './overview.module.css';
import type { Overview } from './overview-query';

type Trouble = keyof Overview['attention'];

/**
 * For each kind of issue, the path of the page that lists the issues; the most severe kind first.
 */
const PLACES: readonly { readonly name: Trouble; readonly path: string }[] = [
  { name: 'failedRequests', path: '/queues?view=calls' },
  { name: 'failedReactions', path: '/queues?view=failed' },
  { name: 'approvals', path: '/approvals?status=pending' },
  { name: 'unknownResults', path: '/payments?unknownResults=true' },
  { name: 'rejectedRefunds', path: '/payments?rejectedRefunds=true' },
  { name: 'rejectedCaptures', path: '/payments?rejectedCaptures=true' },
  { name: 'mismatches', path: '/payments?mismatched=true' },
  { name: 'exceptions', path: '/reconciliation?state=open' },
];

/** The number of open cases and the money at risk, beside the link to them. */
const CasesAtRisk = () => {
  const { t, locale } = useI18n();
  const { data } = useCaseTotals();
  if (data === undefined) return null;
  const count = formatCount(casesIn(data), locale);
  return (
    <span className={styles['hint']}>
      {t.overview.openCases(count, amountsText(amountsIn(data), locale))}
    </span>
  );
};

/** The number of open issues of each kind, with links to them. */
export const Attention = ({ attention }: Pick<Overview, 'attention'>) => {
  const { t, locale } = useI18n();
  return (
    <section aria-labelledby="attention">
      <div className={styles['headed']}>
        <h2 id="attention" className={styles['heading']}>
          {t.overview.attention}
        </h2>
        <Link href="/cases" className="link">
          {t.overview.toCases}
        </Link>
        <CasesAtRisk />
      </div>
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
