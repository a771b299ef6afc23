import { Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import { CASE_TOTALS, type CaseTotalList, useCaseTotals } from '../cases/case';
import { endFirstView } from '../first-view/first-view-page';
import { useT } from '../i18n/i18n';
import { queryClient } from '../session/query-client';
import { useIsLimited } from '../session/session-context';
import { PageHeader } from '../shared/page-header';
import { ProblemAlert } from '../shared/problem-alert';
import { StatusBadge } from '../shared/status-badge';
import { Attention } from './attention';
import { OldestOpen, ProviderHealth, Relay, Watermarks } from './health';
import styles from './overview.module.css';
import { type Overview, useOverview } from './overview-query';
import { Panel } from './panel';

/**
 * The charts are loaded after the numbers, because they are the largest part of the console's code.
 */
const OrdersChart = lazy(async () => ({
  default: (await import('./orders-chart')).OrdersChart,
}));
const ExceptionsChart = lazy(async () => ({
  default: (await import('./exceptions-chart')).ExceptionsChart,
}));

/** Fetched in parallel with the session, if this is the first page. */
void queryClient.prefetchQuery(CASE_TOTALS);

interface PanelsProps {
  readonly overview: Overview;
  readonly totals: CaseTotalList | undefined;
}

const Panels = ({ overview, totals }: PanelsProps) => {
  const t = useT();
  const isLimited = useIsLimited();
  return (
    <Stack gap="md">
      <Attention approvals={overview.approvals} totals={totals} />
      <div className={styles['grid']}>
        <Stack gap="md">
          <Panel title={t.overview.orders} hint={t.overview.ordersHint}>
            {overview.byHour.length === 0 && (
              <p className={styles['hint']}>{t.overview.ordersNone}</p>
            )}
            {overview.byHour.length > 0 && (
              <Suspense fallback={<Skeleton className={styles['chart']} />}>
                <OrdersChart overview={overview} />
              </Suspense>
            )}
          </Panel>
          {!isLimited && <ProviderHealth provider={overview.provider} />}
        </Stack>
        <Stack gap="md">
          <OldestOpen oldestOpen={overview.oldestOpen} />
          {overview.exceptions.length > 0 && (
            <Panel title={t.overview.exceptionsByAge}>
              <Suspense fallback={<Skeleton className={styles['low']} />}>
                <ExceptionsChart exceptions={overview.exceptions} />
              </Suspense>
            </Panel>
          )}
          {!isLimited && <Relay relay={overview.relay} />}
          <Watermarks watermarks={overview.watermarks} />
        </Stack>
      </div>
    </Stack>
  );
};

/** The open cases, the orders of the day and the health of the provider connection. */
export const OverviewPage = () => {
  const t = useT();
  const overview = useOverview();
  const totals = useCaseTotals();
  const { data } = overview;
  const error = overview.error ?? totals.error;
  const isShown = error !== null || (data !== undefined && totals.data !== undefined);
  const retry = (): void => {
    void overview.refetch();
    void totals.refetch();
  };
  useEffect(() => {
    if (isShown) endFirstView();
  }, [isShown]);
  useEffect(() => endFirstView, []);
  return (
    <>
      <PageHeader title={t.overview.title} lead={t.overview.lead}>
        {data !== undefined && (
          <StatusBadge
            tone={data.mode === 'live' ? 'ok' : 'calm'}
            label={t.shared.labeled(t.money.mode, t.money.modes[data.mode])}
          />
        )}
      </PageHeader>
      {error !== null && <ProblemAlert error={error} retry={retry} />}
      {!isShown && <Skeleton height={320} />}
      {isShown && data !== undefined && <Panels overview={data} totals={totals.data} />}
    </>
  );
};
