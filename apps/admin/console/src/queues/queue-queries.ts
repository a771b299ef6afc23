import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../api/client';
import { REFRESH_MS } from '../api/refresh';

export type Queues = Schemas['QueuesAnswer'];
export type ParkedKey = Schemas['ParkedAnswer'];
export type StuckCall = Schemas['StuckCallAnswer'];

const refetchInterval = REFRESH_MS.list;

export const useQueues = () =>
  useQuery({
    queryKey: ['queues'], queryFn: () => bodyOf(api.GET('/v1/queues')), refetchInterval,
  });

export const useParkedKeys = () =>
  useQuery({
    queryKey: ['queues', 'parked'],
    queryFn: async () => (await bodyOf(api.GET('/v1/parked-keys'))).items, refetchInterval,
  });

export const useStuckCalls = () =>
  useQuery({
    queryKey: ['queues', 'calls'],
    queryFn: async () => (await bodyOf(api.GET('/v1/stuck-calls'))).items, refetchInterval,
  });
