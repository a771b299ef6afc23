import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../api/query-client';
import { OVERVIEW } from '../overview/overview-query';
import { ClockAhead } from '../shared/time';

/** Less is what a request takes. */
const SAME_MS = 30_000;
const LOOK_MS = 60_000;

/** Of the overview that is read anyway, where it is the first page. */
const aheadMs = async (): Promise<number> => {
  const { now } = await queryClient.fetchQuery(OVERVIEW);
  const ahead = Date.parse(now) - Date.now();
  return Math.abs(ahead) < SAME_MS ? 0 : ahead;
};

/** Ages are told in business time, whose clock is the server's. */
export const ClockProvider = ({ children }: { readonly children: ReactNode }) => {
  const { data = null } = useQuery({
    queryKey: ['clock'], queryFn: aheadMs, refetchInterval: LOOK_MS, staleTime: LOOK_MS,
  });
  return <ClockAhead value={data}>{children}</ClockAhead>;
};
