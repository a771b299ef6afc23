import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client';
import { ClockAhead } from '../shared/time';

/** Less is what a request takes. */
const SAME_MS = 30_000;
const LOOK_MS = 60_000;

const aheadMs = async (): Promise<number> => {
  const { now } = await bodyOf(api.GET('/v1/overview'));
  const ahead = Date.parse(now) - Date.now();
  return Math.abs(ahead) < SAME_MS ? 0 : ahead;
};

/** Ages are told in business time, whose clock is the server's. */
export const ClockProvider = ({ children }: { readonly children: ReactNode }) => {
  const { data = 0 } = useQuery({
    queryKey: ['clock'], queryFn: aheadMs, refetchInterval: LOOK_MS, staleTime: LOOK_MS,
  });
  return <ClockAhead value={data}>{children}</ClockAhead>;
};
