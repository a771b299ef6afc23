import type { InfiniteData, Query } from '@tanstack/react-query';

/**
 * Queries are refetched when the server reports a change. For deadlines, requests in progress and
 * lags, which the server does not report, they are also refetched at these intervals, in
 * milliseconds.
 */
export const REFRESH_MS = {
  entity: 10_000,
  list: 15_000,
  overview: 10_000,
  totals: 60_000,
  money: 30_000,
} as const;

/** The retry interval of queries without a refetch interval, in milliseconds. */
export const RETRY_MS = 3_000;

/** The maximum number of loaded pages with which a list is still refetched periodically. */
const MAX_REFRESHED = 3;

/** Whether so many pages of the list are loaded that they are not refetched periodically. */
export const hasManyPages = ({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>): boolean =>
  queryKey[0] === 'list' &&
  ((state.data as InfiniteData<unknown> | undefined)?.pages.length ?? 0) > MAX_REFRESHED;

/** The refetch interval of a list; none if many pages are loaded. */
export const listInterval = (query: Pick<Query, 'queryKey' | 'state'>): number | false =>
  hasManyPages(query) ? false : REFRESH_MS.list;
