import { Alert, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { ApiProblem } from '../api/client';
import { EntityLink } from '../entity/entity-link';
import { useI18n, useT } from '../i18n/i18n';
import { useMay } from '../session/session-context';
import { Amount } from '../shared/amount';
import { NotFound } from '../shared/not-found';
import { PageHeader } from '../shared/page-header';
import { ProblemAlert } from '../shared/problem-alert';
import { Age } from '../shared/time';
import { BreakEvidence } from './break-evidence';
import { type Case, type CaseDeed, kindOf, useCase } from './case';
import { ActsBadge } from './case-columns';
import { CaseHistory } from './case-history';
import { CaseOwner, CommentForm } from './case-people';
import { partOf } from './case-texts';
import styles from './cases.module.css';
import { DecideHost } from './decide-host';
import { PlaybookPanel } from './playbook-panel';
import { TestBadge } from './test-badge';

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className={styles['fact']}>
    <span>{label}</span>
    <span>{children}</span>
  </div>
);

/** The facts of a case: the money at risk, the subject, the times and who must act. */
const CaseFacts = ({ one }: { readonly one: Case }) => {
  const { t } = useI18n();
  const { kind, detail, amountMinor, currency, subjectType, subjectId } = one;
  const { since, deadline, acts } = one;
  const part = partOf(t, one);
  return (
    <div className={`card ${styles['header']}`}>
      {amountMinor !== null && currency !== null && (
        <Fact label={t.cases.atRisk}>
          <span className={styles['amount']}>
            <Amount amountMinor={amountMinor} currency={currency} />
          </span>
        </Fact>
      )}
      <Fact label={t.cases.subject}>
        <EntityLink type={subjectType} id={subjectId} /> <TestBadge mode={one.mode} />
      </Fact>
      {kind === 'failing_endpoint' && <Fact label={t.settings.endpointHost}>{detail}</Fact>}
      {part !== null && <Fact label={t.shared.details}>{part}</Fact>}
      <Fact label={t.cases.since}>
        <Age at={since} />
      </Fact>
      {deadline !== null && (
        <Fact label={t.cases.deadline}>
          <Age at={deadline} />
        </Fact>
      )}
      <Fact label={t.cases.actsNext}>
        <ActsBadge acts={acts} t={t} />
      </Fact>
    </div>
  );
};

interface PeopleProps {
  readonly id: string;
  readonly one: Case | null;
  readonly history: readonly CaseDeed[];
}

const People = ({ id, one, history }: PeopleProps) => {
  const t = useT();
  const mayAct = useMay('operator');
  return (
    <section className={`card ${styles['panel']}`} aria-labelledby="case-history">
      <h2 id="case-history">{t.cases.history}</h2>
      <Stack gap="md">
        {one !== null && <CaseOwner one={one} />}
        <CaseHistory deeds={history} />
        {one !== null && mayAct && <CommentForm id={id} />}
      </Stack>
    </section>
  );
};

/** A case with its playbook, history and comments. A closed case shows only its history. */
const ShownCase = ({ id }: { readonly id: string }) => {
  const t = useT();
  const { data, error, refetch } = useCase(id);
  if (error instanceof ApiProblem && error.status === 404) {
    return <NotFound title={t.cases.notFound} hint={t.cases.notFoundHint} />;
  }
  if (error !== null && data === undefined) return <ProblemAlert error={error} retry={refetch} />;
  if (data === undefined) return <Skeleton height={320} />;
  const { case: one, history } = data;
  return (
    <>
      <PageHeader title={t.cases.kinds[kindOf(id)].one}>
        <Link href="/cases" className="link">
          {t.cases.all}
        </Link>
      </PageHeader>
      <Stack gap="md">
        {one === null ? (
          <Alert variant="outline" color="teal" c="inherit">
            {t.cases.closed}
          </Alert>
        ) : (
          <CaseFacts one={one} />
        )}
        {kindOf(id) === 'reconciliation_break' && (
          <BreakEvidence id={id.slice(id.indexOf(':') + 1)} />
        )}
        <div className={styles['columns']}>
          {one !== null && <PlaybookPanel one={one} />}
          <People id={id} one={one} history={history} />
        </div>
      </Stack>
    </>
  );
};

/** The page of one case. */
export const CasePage = () => {
  const { id } = useParams<{ id: string }>();
  return (
    <DecideHost>
      <ShownCase id={decodeURIComponent(id)} />
    </DecideHost>
  );
};
