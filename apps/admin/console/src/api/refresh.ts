import type { InfiniteData, Query } from '@tanstack/react-query';

/**
 * What is shown is read again when the server tells of a change; and so often, in milliseconds,
 * for what it does not tell of: deadlines, calls under way, lags.
 */
export const REFRESH_MS = { entity: 10_000, list: 15_000, overview: 10_000 } as const;

/** What is asked for once is asked for again so often while it cannot be had, in milliseconds. */
export const RETRY_MS = 3_000;

/** More pages than this are not read again and again. */
const MAX_REFRESHED = 3;

/** Whether it is a list of which many pages were asked for. */
export const hasManyPages = ({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>): boolean =>
  queryKey[0] === 'list' &&
  ((state.data as InfiniteData<unknown> | undefined)?.pages.length ?? 0) > MAX_REFRESHED;

/** How often a list is read again: never where that is many pages. */
export const listInterval = (query: Pick<Query, 'queryKey' | 'state'>): number | false =>
  hasManyPages(query) ? false : REFRESH_MS.list;
