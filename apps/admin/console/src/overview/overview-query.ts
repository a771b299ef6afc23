import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../api/client';
import { REFRESH_MS } from '../api/refresh';
import { queryClient } from '../session/query-client';

export type Overview = Schemas['OverviewAnswer'];

export const OVERVIEW = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => bodyOf(api.GET('/v1/overview', { signal })),
});

/** Fetched in parallel with the session, to show the first page earlier. */
void queryClient.prefetchQuery(OVERVIEW);

/** The overview, refetched periodically. */
export const useOverview = () => useQuery({ ...OVERVIEW, refetchInterval: REFRESH_MS.overview });
