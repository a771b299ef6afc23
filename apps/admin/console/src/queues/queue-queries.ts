import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../api/client';
import { REFRESH_MS } from '../api/refresh';

export type Queues = Schemas['QueuesAnswer'];
export type FailedReaction = Schemas['FailedReactionAnswer'];

const refetchInterval = REFRESH_MS.list;

export const useQueues = () =>
  useQuery({
    queryKey: ['queues'],
    queryFn: ({ signal }) => bodyOf(api.GET('/v1/queues', { signal })),
    refetchInterval,
  });

export const useFailedReactions = () =>
  useQuery({
    queryKey: ['queues', 'failed'],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/v1/failed-reactions', { signal }))).items,
    refetchInterval,
  });
