import { Link } from 'wouter';
import { useT } from '../i18n/i18n';
import { kindOf, pathOfCase, useCaseNotes } from './case';
import { CaseHistory } from './case-history';
import styles from './cases.module.css';

/** What people wrote about the cases of an entity, also of closed cases; nothing if there is none. */
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
