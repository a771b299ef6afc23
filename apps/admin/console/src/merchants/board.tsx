import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ActionRequest } from '../actions/action';
import { ActionButtons } from '../actions/action-buttons';
import { api, bodyOf, type Schemas } from '../api/client';
import { REFRESH_MS } from '../api/refresh';
import { MERCHANT_STATUSES, merchantTone } from '../entity/merchant-status';
import { useI18n, useT } from '../i18n/i18n';
import { formatCount } from '../shared/format';
import { PageHeader } from '../shared/page-header';
import { ProblemAlert } from '../shared/problem-alert';
import { StatusBadge } from '../shared/status-badge';
import { Age } from '../shared/time';
import styles from './board.module.css';
import { requirementText } from './requirement';

type Shown = Schemas['BoardColumn'];

/**
 * The maximum number of missing requirements shown on a card. A longer list is cut, with the number
 * of further requirements.
 */
const MAX_MISSING = 4;

const Missing = ({ status, missing }: { status: string; missing: readonly string[] }) => {
  const t = useT();
  if (missing.length === 0) return null;
  const rest = missing.length - MAX_MISSING;
  return (
    <div className={styles['missing']}>
      <span>{status === 'rejected' ? t.merchants.refusedFor : t.merchants.missing}</span>
      <ul>
        {missing.slice(0, MAX_MISSING).map((one) => (
          <li key={one}>{requirementText(t, one)}</li>
        ))}
        {rest > 0 && <li className={styles['small']}>{t.merchants.more(rest)}</li>}
      </ul>
    </div>
  );
};

const Column = ({ status, merchants, cards }: Shown) => {
  const { t, locale } = useI18n();
  return (
    <section className={styles['column']} aria-labelledby={`column-${status}`}>
      <h2 className={styles['head']} id={`column-${status}`}>
        <StatusBadge tone={merchantTone(status)} label={t.merchants.statuses[status] ?? status} />
        <span>{formatCount(merchants, locale)}</span>
      </h2>
      <ul className={styles['cards']}>
        {cards.map(({ id, reference, draftedAt, mode, ordersEnabled, missing }) => (
          <li key={id}>
            <Link href={`/merchants/${id}`} className={`card ${styles['merchant']}`}>
              <strong>{reference}</strong>
              <div className={styles['small']}>
                {mode} · <Age at={draftedAt} />
                {ordersEnabled && ` · ${t.merchants.ordersEnabled}`}
              </div>
              <Missing status={status} missing={missing} />
            </Link>
          </li>
        ))}
      </ul>
      {merchants > cards.length && (
        <Link className="link" href={`/merchants?view=list&status=${status}`}>
          {t.merchants.all}
        </Link>
      )}
    </section>
  );
};

const place = (status: string): number => {
  const index = (MERCHANT_STATUSES as readonly string[]).indexOf(status);
  return index === -1 ? MERCHANT_STATUSES.length : index;
};

/** The action that polls the status history. Its dialog selects the mode and the first day. */
const historyActions = (modes: readonly string[]): readonly ActionRequest[] =>
  modes.slice(0, 1).map((subjectId) => ({ kind: 'poll_history', target: { subjectId }, modes }));

/** Merchants by onboarding status. */
export const Board = ({ choice }: { readonly choice: ReactNode }) => {
  const { t } = useI18n();
  const { data, error, refetch } = useQuery({
    queryKey: ['merchant-board'],
    queryFn: ({ signal }) => bodyOf(api.GET('/v1/merchant-board', { signal })),
    refetchInterval: REFRESH_MS.list,
  });
  const columns = data?.columns.toSorted((a, b) => place(a.status) - place(b.status));
  return (
    <>
      <PageHeader title={t.merchants.title} lead={t.merchants.lead}>
        <ActionButtons
          subject={t.merchants.title}
          requests={historyActions(data?.historyModes ?? [])}
        />
        {choice}
      </PageHeader>
      {error !== null && <ProblemAlert error={error} retry={refetch} />}
      {data === undefined && error === null && <Skeleton height={240} />}
      {columns?.length === 0 && <p>{t.merchants.none}</p>}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls sideways. */}
      <div className={styles['board']} tabIndex={0} role="region" aria-label={t.merchants.board}>
        {columns?.map((column) => (
          <Column key={column.status} {...column} />
        ))}
      </div>
    </>
  );
};
