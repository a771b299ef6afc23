import { Text } from '@mantine/core';
import { type ReactNode, use } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useI18n } from '../i18n/i18n';
import { OVERVIEW } from '../overview/overview-query';
import { queryClient } from '../session/query-client';
import { formatInstant } from '../shared/format';
import { ClockAhead, useWallNow } from '../shared/time';

/**
 * A smaller difference between business time and wall-clock time is ignored: it only reflects how
 * long the request took.
 */
const SAME_MS = 30_000;
const REFETCH_MS = 60_000;

/**
 * The offset between business time and wall-clock time, from the query that the overview page also
 * uses.
 */
const aheadMs = async (): Promise<number> => {
  const { now } = await queryClient.fetchQuery(OVERVIEW);
  const ahead = Date.parse(now) - Date.now();
  return Math.abs(ahead) < SAME_MS ? 0 : ahead;
};

/** Provides the offset between the server's business time and wall-clock time to the page. */
export const ClockProvider = ({ children }: { readonly children: ReactNode }) => {
  const { data = null } = useQuery({
    queryKey: ['clock'],
    queryFn: aheadMs,
    refetchInterval: REFETCH_MS,
    staleTime: REFETCH_MS,
  });
  return <ClockAhead value={data}>{children}</ClockAhead>;
};

/** A notice that is shown if business time differs from wall-clock time, as in development. */
export const ClockNotice = () => {
  const { t, locale } = useI18n();
  const ahead = use(ClockAhead);
  const wallNow = useWallNow();
  if (ahead === null || ahead === 0) return null;
  const now = formatInstant(new Date(wallNow + ahead).toISOString(), locale);
  return (
    <Text size="sm" c="dimmed" mb="xs" role="note">
      {t.shell.clockAhead(now)}
    </Text>
  );
};
