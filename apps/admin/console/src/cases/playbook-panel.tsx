import { Alert } from '@mantine/core';
import { Link } from 'wouter';
import { ActionButtons } from '../actions/action-buttons';
import { useI18n, useT } from '../i18n/i18n';
import { Note } from '../shared/note';
import { ApproveButton } from './approve-button';
import type { Case } from './case';
import { detailOf } from './case-texts';
import styles from './cases.module.css';
import { playbookOf, type Step } from './playbook';

const StepLine = ({ step, subject }: { readonly step: Step; readonly subject: string }) => {
  const t = useT();
  const { text, request, path } = step;
  return (
    <div className={styles['step']}>
      <span>{t.cases.steps[text]}</span>
      {request !== undefined && <ActionButtons requests={[request]} subject={subject} />}
      {path !== undefined && (
        <Link href={path} className="link">
          {t.cases.open}
        </Link>
      )}
    </div>
  );
};

/** The panel that says what a case means, what the provider shows, and what to do. */
export const PlaybookPanel = ({ one }: { readonly one: Case }) => {
  const { t, locale } = useI18n();
  const detail = detailOf(t, one, locale);
  const { means, shows, ends } = t.cases.kinds[one.kind];
  const { first, others } = playbookOf(one);
  return (
    <section className={`card ${styles['panel']}`} aria-labelledby="playbook">
      <h2 id="playbook">{t.cases.playbook}</h2>
      <p>{means}</p>
      {one.actionId !== null && (
        <Alert variant="outline" color="indigo" c="inherit" mt="md">
          <div className={styles['step']}>
            <span>{t.cases.awaitsApproval}</span>
            <ApproveButton actionId={one.actionId} />
          </div>
        </Alert>
      )}
      <div className={styles['recommended']}>
        <h3>{t.cases.recommended}</h3>
        <StepLine step={first} subject={one.subjectId} />
      </div>
      {others.length > 0 && (
        <>
          <h3>{t.cases.alternatives}</h3>
          <ul className={styles['others']}>
            {others.map((step) => (
              <li key={step.text}>
                <StepLine step={step} subject={one.subjectId} />
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>{t.cases.shows}</h3>
      <p>{shows}</p>
      {/* A failing endpoint has only its host as detail, which the header shows. */}
      {detail !== null && one.kind !== 'failing_endpoint' && (
        <p>
          {t.cases.recorded} <Note text={detail} />
        </p>
      )}
      <h3>{t.cases.ends}</h3>
      <p>{ends}</p>
    </section>
  );
};
