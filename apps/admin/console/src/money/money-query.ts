import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../api/client';
import { REFRESH_MS } from '../api/refresh';

export type Money = Schemas['MoneyAnswer'];
export type MoneyOfCurrency = Schemas['MoneyOfCurrency'];

/** The lengths of the selectable periods in days, including today. */
export const PERIODS = ['1', '7', '30'] as const;

export type PeriodDays = (typeof PERIODS)[number];

/** The filters that the page reads from its URL. */
export interface MoneyFilters {
  readonly days?: string;
  readonly mode?: string;
  readonly platformId?: string;
  readonly merchantId?: string;
}

const DEFAULT_DAYS = '7';

const isMode = (mode: string | undefined): mode is Money['mode'] =>
  mode === 'live' || mode === 'test';

const isPeriod = (days: string | undefined): days is PeriodDays =>
  PERIODS.some((one) => one === days);

/**
 * The figures of the period. After a change of filters, the previous figures are shown until the
 * new ones are read.
 */
export const useMoney = ({ days, mode, platformId, merchantId }: MoneyFilters) => {
  const query = {
    days: Number(isPeriod(days) ? days : DEFAULT_DAYS) as 1 | 7 | 30,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(isMode(mode) && { mode }),
    ...(platformId !== undefined && { platformId }),
    ...(merchantId !== undefined && { merchantId }),
  } as const;
  return useQuery({
    queryKey: ['money', query],
    queryFn: ({ signal }) => bodyOf(api.GET('/v1/money', { params: { query }, signal })),
    placeholderData: (before) => before,
    refetchInterval: REFRESH_MS.money,
  });
};
