import { Link } from 'wouter';
import { useCaseTotals } from '../cases/case';
import { amountsText } from '../cases/case-texts';
import { atRiskOfMode, casesIn, totalsOfMode } from '../cases/totals';
import { useI18n } from '../i18n/i18n';
import { formatCount } from '../shared/format';
import { AttentionTile, TROUBLES } from './attention-tile';
import styles from './overview.module.css';
import type { Overview } from './overview-query';

/** The number of open cases and the money at risk, beside the link to them. */
const CasesAtRisk = () => {
  const { t, locale } = useI18n();
  const { data: all } = useCaseTotals();
  if (all === undefined) return null;
  const data = totalsOfMode(all, null);
  const count = formatCount(casesIn(data), locale);
  return (
    <span className={styles['hint']}>
      {t.overview.openCases(count, amountsText(atRiskOfMode(all, null), locale))}
    </span>
  );
};

/** The number of open issues of each kind, with links to them. */
export const Attention = ({ attention, mode }: Pick<Overview, 'attention' | 'mode'>) => {
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
        {TROUBLES.map((name) => (
          <AttentionTile
            key={name}
            name={name}
            mode={mode}
            count={formatCount(attention[name], locale)}
            isTrouble={attention[name] > 0}
          />
        ))}
      </ul>
    </section>
  );
};
