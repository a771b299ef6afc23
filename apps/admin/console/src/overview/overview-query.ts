import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../api/client';
import { REFRESH_MS } from '../api/refresh';

export type Overview = Schemas['OverviewAnswer'];

/** What a person should see first; it keeps itself fresh. */
export const useOverview = () =>
  useQuery({
    queryKey: ['overview'],
    queryFn: () => bodyOf(api.GET('/v1/overview')),
    refetchInterval: REFRESH_MS.overview,
  });
