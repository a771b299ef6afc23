import { Link } from 'wouter';
import type { CaseTotalList } from '../cases/case';
import { amountsText } from '../cases/case-texts';
import { amountsIn, atRiskOfMode, casesIn, totalsOfMode } from '../cases/totals';
import { useI18n } from '../i18n/i18n';
import { formatCount } from '../shared/format';
import { AttentionTile, tileNames } from './attention-tile';
import styles from './overview.module.css';
import type { Overview } from './overview-query';

interface TotalsProps {
  /** The totals of the open cases. */
  readonly totals: CaseTotalList;
}

/** The number of open cases and the money at risk, beside the link to them. */
const CasesAtRisk = ({ totals }: TotalsProps) => {
  const { t, locale } = useI18n();
  const count = formatCount(casesIn(totalsOfMode(totals, null)), locale);
  return (
    <span className={styles['hint']}>
      {t.overview.openCases(count, amountsText(atRiskOfMode(totals, null), locale))}
    </span>
  );
};

const Tiles = ({ approvals, totals }: TotalsProps & Pick<Overview, 'approvals'>) => {
  const { t, locale } = useI18n();
  const ofMode = totalsOfMode(totals, null);
  return (
    <ul className={styles['tiles']}>
      {tileNames(t).map((name) => {
        const ofKind = ofMode.filter(({ kind }) => kind === name);
        const count = name === 'approvals' ? approvals : casesIn(ofKind);
        return (
          <AttentionTile
            key={name}
            name={name}
            count={formatCount(count, locale)}
            isTrouble={count > 0}
            atRisk={amountsText(amountsIn(ofKind), locale)}
          />
        );
      })}
    </ul>
  );
};

interface AttentionProps extends Pick<Overview, 'approvals'> {
  /** Undefined if the totals cannot be read. */
  readonly totals: CaseTotalList | undefined;
}

/** The number of open cases of each kind and of approvals, with links to them. */
export const Attention = ({ approvals, totals }: AttentionProps) => {
  const { t } = useI18n();
  return (
    <section aria-labelledby="attention">
      <div className={styles['headed']}>
        <h2 id="attention" className={styles['heading']}>
          {t.overview.attention}
        </h2>
        <Link href="/cases" className="link">
          {t.overview.toCases}
        </Link>
        {totals !== undefined && <CasesAtRisk totals={totals} />}
      </div>
      {totals !== undefined && <Tiles approvals={approvals} totals={totals} />}
    </section>
  );
};
