import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client';
import { REFRESH_MS, RETRY_MS } from '../api/refresh';
import type { EntityType } from '../entity/entity-types';

/** The whole timeline, refetched periodically. */
export const useTimeline = (type: EntityType, id: string) =>
  useQuery({
    queryKey: ['entity', type, id, 'timeline'],
    queryFn: () =>
      bodyOf(
        api.GET('/v1/entities/{type}/{id}/timeline', {
          params: { path: { type, id } },
        }),
      ),
    refetchInterval: REFRESH_MS.entity,
  });

/**
 * The state after a given number of events. This state never changes, so it is fetched only once.
 * No other state is shown while the fetch is running.
 */
export const useStateAt = (type: EntityType, id: string, version: number) =>
  useQuery({
    queryKey: ['entity', type, id, 'state', version],
    queryFn: () =>
      bodyOf(
        api.GET('/v1/entities/{type}/{id}', {
          params: { path: { type, id }, query: { version } },
        }),
      ),
    enabled: version > 0,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
  });
