import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, csrf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import type { PageQuery } from './use-pages';

export type Export = Schemas['ExportAnswer'];
type Query = NonNullable<paths['/v1/orders/exports']['post']['parameters']['query']>;

const KEY = ['exports'];
const POLL_MS = 1_000;

/** The user's exports, newest first; read again while one is in progress. */
export const useExports = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await bodyOf(api.GET('/v1/exports', { signal }))).items,
    refetchInterval: ({ state }) =>
      state.data?.some((one) => one.state === 'running') === true && POLL_MS,
  });

const useChange = <Value>(act: (value: Value) => Promise<unknown>) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
};

/** Requests a file of all rows that match. */
export const useRequestExport = (list: string) =>
  useChange((query: PageQuery) =>
    bodyOf(
      // The cast covers all lists: their routes differ in the filters only, and all return an
      // export.
      api.POST(`/v1/${list}/exports` as '/v1/orders/exports', {
        params: { query: query as Query, header: csrf() },
      }),
    ),
  );

export const useDeleteExport = () =>
  useChange((id: string) =>
    bodyOf(api.DELETE('/v1/exports/{id}', { params: { path: { id }, header: csrf() } })),
  );
