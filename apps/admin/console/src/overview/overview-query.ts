import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../api/client';
import { REFRESH_MS } from '../api/refresh';
import { queryClient } from '../session/query-client';

export type Overview = Schemas['OverviewAnswer'];

export const OVERVIEW = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => bodyOf(api.GET('/v1/overview', { signal })),
});

/** Asked while the server is still asked who is signed in; who is not sees the door either way. */
void queryClient.prefetchQuery(OVERVIEW);

/** What a person should see first; it keeps itself fresh. */
export const useOverview = () => useQuery({ ...OVERVIEW, refetchInterval: REFRESH_MS.overview });
