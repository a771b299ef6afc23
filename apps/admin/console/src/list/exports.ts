import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, csrf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import type { PageQuery } from './use-pages';

export type Export = Schemas['ExportAnswer'];
/** The path of a CSV download. */
export type CsvPath = Extract<keyof paths, `/v1/${string}.csv`>;
/** The path that requests a file in the background. */
export type ExportPath = Extract<keyof paths, `/v1/${string}/exports`>;
type Query = NonNullable<paths[ExportPath]['post']['parameters']['query']>;

/**
 * The path that exports a list in the background, by the path of its CSV download. Null for
 * statements: the file of a statement contains the lines of one merchant and month with their
 * totals, and is always downloaded at once and as a whole.
 */
export const EXPORT_PATHS = {
  '/v1/audit.csv': '/v1/audit/exports',
  '/v1/ledger-entries.csv': '/v1/ledger-entries/exports',
  '/v1/merchants.csv': '/v1/merchants/exports',
  '/v1/orders.csv': '/v1/orders/exports',
  '/v1/payments.csv': '/v1/payments/exports',
  '/v1/payouts.csv': '/v1/payouts/exports',
  '/v1/statements/lines.csv': null,
} as const satisfies Readonly<Record<CsvPath, ExportPath | null>>;

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
export const useRequestExport = (path: ExportPath) =>
  useChange((query: PageQuery) =>
    bodyOf(api.POST(path, { params: { query: query as Query, header: csrf() } })),
  );

export const useDeleteExport = () =>
  useChange((id: string) =>
    bodyOf(api.DELETE('/v1/exports/{id}', { params: { path: { id }, header: csrf() } })),
  );
