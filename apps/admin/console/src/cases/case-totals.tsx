import { useSearchParams } from 'wouter';
import { useI18n } from '../i18n/i18n';
import { formatCount } from '../shared/format';
import { type CaseTotal, useCaseTotals } from './case';
import { amountsText } from './case-texts';
import styles from './cases.module.css';
import { amountsIn, atRiskOfMode, casesIn, totalsOfMode } from './totals';

/**
 * The number of cases and the money at risk of each kind of case; a click lists only the cases of
 * that kind.
 */
export const CaseTotals = () => {
  const { t, locale } = useI18n();
  const [params, setParams] = useSearchParams();
  const { data: all } = useCaseTotals();
  const chosen = params.get('kind') ?? '';
  const data = all === undefined ? [] : totalsOfMode(all, params.get('mode'));
  if (all === undefined || data.length === 0) return null;
  const tile = (
    kind: string,
    label: string,
    totals: readonly CaseTotal[],
    amounts = amountsIn(totals),
  ) => (
    <li key={kind}>
      <button
        type="button"
        className={`card ${styles['tile']}`}
        aria-pressed={chosen === kind}
        onClick={() =>
          setParams((before) => {
            const next = new URLSearchParams(before);
            if (kind === '' || chosen === kind) next.delete('kind');
            else next.set('kind', kind);
            return next;
          })
        }
      >
        <span className={styles['count']}>{formatCount(casesIn(totals), locale)}</span>
        <span className={styles['label']}>{label}</span>
        <span className={styles['risk']}>{amountsText(amounts, locale)}</span>
      </button>
    </li>
  );
  return (
    <ul className={styles['tiles']} aria-label={t.cases.kind}>
      {tile('', t.cases.all, data, atRiskOfMode(all, params.get('mode')))}
      {Object.entries(t.cases.kinds).map(([name, { several }]) => {
        const totals = data.filter(({ kind }) => kind === name);
        return totals.length > 0 && tile(name, several, totals);
      })}
    </ul>
  );
};
