import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf, csrf, type Schemas } from '../api/client';
import { REFRESH_MS } from '../api/refresh';

export type Case = Schemas['CaseItem'];
export type CaseKind = Schemas['CaseKind'];
export type CaseAnswer = Schemas['CaseAnswer'];
export type CaseDeed = Schemas['CaseDeed'];
export type CaseTotal = Schemas['CaseTotal'];
export type CaseTotalList = Schemas['CaseTotalList'];

/** The page of a case. The id has only characters that a path may contain. */
export const pathOfCase = (id: string): string => `/cases/${id}`;

/** The kind of a case is the beginning of its id. */
export const kindOf = (id: string): CaseKind => id.split(':', 1)[0] as CaseKind;

/** Whether a row of the list is an incident of several cases. */
export const isIncident = ({ cases }: Case): boolean => cases > 1;

/** The maximum number of cases of an incident that a row shows. */
const SHOWN = 50;
/** The maximum number of cases of an incident that one request reads. */
const MAX_OF_INCIDENT = 200;

/** The cases of an incident, the most urgent first. */
export const useCasesOf = (incident: string) =>
  useQuery({
    queryKey: ['cases', 'cases-of-incident', incident],
    queryFn: async ({ signal }) =>
      (
        await bodyOf(
          api.GET('/v1/cases', { params: { query: { incident, limit: SHOWN } }, signal }),
        )
      ).items,
    refetchInterval: REFRESH_MS.list,
  });

/**
 * All cases in a row of the list, which is one case or an incident; none if the incident has
 * another name since its first case has ended.
 */
export const allCasesOf = async (row: Case): Promise<readonly Case[]> => {
  if (!isIncident(row)) return [row];
  const query = { incident: row.incident, limit: MAX_OF_INCIDENT };
  return (await bodyOf(api.GET('/v1/cases', { params: { query } }))).items;
};

/** Reads a case with its history. */
export const useCase = (id: string) =>
  useQuery({
    queryKey: ['cases', 'case', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/v1/cases/{id}', { params: { path: { id } }, signal })),
    refetchInterval: REFRESH_MS.entity,
  });

const readTotals = ({ signal }: { readonly signal: AbortSignal }): Promise<CaseTotalList> =>
  bodyOf(api.GET('/v1/case-totals', { signal }));

/** The totals of the open cases of all modes, and the usual mode. */
export const CASE_TOTALS = queryOptions({
  queryKey: ['cases', 'case-totals'],
  queryFn: readTotals,
});

export const useCaseTotals = () => useQuery({ ...CASE_TOTALS, refetchInterval: REFRESH_MS.list });

/** The usual mode changes only when the first live merchant or account is registered. */
const USUAL_MODE_MS = 600_000;

/** Whether there is a live merchant or account; false until this is read. */
export const useHasLive = (isNeeded: boolean): boolean =>
  useQuery({
    queryKey: ['usual-mode'],
    queryFn: async (context) => (await readTotals(context)).usualMode,
    enabled: isNeeded,
    staleTime: USUAL_MODE_MS,
  }).data === 'live';

/** The comments on the cases of an entity, newest first. */
export const useCaseNotes = (subjectId: string) =>
  useQuery({
    queryKey: ['cases', 'case-notes', subjectId],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/v1/case-notes', { params: { query: { subjectId } }, signal }))).items,
  });

const params = (id: string) => ({ path: { id }, header: csrf() });

export const takeCase = (id: string): Promise<CaseAnswer> =>
  bodyOf(api.POST('/v1/cases/{id}/take', { params: params(id) }));

export const releaseCase = (id: string): Promise<CaseAnswer> =>
  bodyOf(api.POST('/v1/cases/{id}/release', { params: params(id) }));

export const commentCase = (id: string, text: string): Promise<CaseAnswer> =>
  bodyOf(api.POST('/v1/cases/{id}/comments', { params: params(id), body: { text } }));

/** Snoozes a case; without an instant, the case is shown again. */
export const snoozeCase = (id: string, reason: string, until?: string): Promise<CaseAnswer> =>
  bodyOf(
    api.POST('/v1/cases/{id}/snooze', {
      params: params(id),
      body: { reason, ...(until !== undefined && { until }) },
    }),
  );
