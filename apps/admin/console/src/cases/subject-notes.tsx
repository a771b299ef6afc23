import { Link } from 'wouter';
import { useT } from '../i18n/i18n';
import { kindOf, pathOfCase, useCaseNotes } from './case';
import { CaseHistory } from './case-history';
import styles from './cases.module.css';

/**
 * The comments on all cases of an entity, including closed cases; renders nothing if there are
 * none.
 */
export const SubjectNotes = ({ id }: { readonly id: string }) => {
  const t = useT();
  const { data = [] } = useCaseNotes(id);
  if (data.length === 0) return null;
  const cases = [...new Set(data.map(({ caseId }) => caseId))];
  return (
    <section className={`card ${styles['panel']}`} aria-labelledby="case-notes">
      <h2 id="case-notes">{t.cases.notesOfSubject}</h2>
      {cases.map((caseId) => (
        <div key={caseId}>
          <h3>
            <Link href={pathOfCase(caseId)} className="link">
              {t.cases.kinds[kindOf(caseId)].one}
            </Link>
          </h3>
          <CaseHistory deeds={data.filter((one) => one.caseId === caseId).toReversed()} />
        </div>
      ))}
    </section>
  );
};
