import type { Pool } from 'pg';
import { type IncidentRequest, incidentRequests, StuckCalls } from '#operations';
import { type Action, NOTHING } from './action.js';
import type { Note } from './preview-codes.js';

/** The sums of the requests' amounts, one for each currency. */
const amountsOf = (requests: readonly IncidentRequest[]): readonly Note[] => {
  const sums = new Map<string, number>();
  for (const { amountMinor, currency } of requests) {
    if (amountMinor === null || currency === null) continue;
    sums.set(currency, (sums.get(currency) ?? 0) + amountMinor);
  }
  return [...sums].map(([currency, amountMinor]) => ({
    code: 'amount_concerned',
    amountMinor,
    currency,
  }));
};

/**
 * Retries all failed provider requests of an incident. A second person must approve, because one
 * person alone must not send hundreds of requests. Requests that fail later, and those that were
 * retried meanwhile, are not part of it: the period of the incident is in its target.
 */
export const retryRequests = (pool: Pool): Action => {
  const calls = new StuckCalls(pool);
  return {
    takesTwo: true,
    subjectOf: ({ subjectId }) => ({ type: 'incident', id: subjectId }),
    preview: async ({ target }) => {
      const requests = await incidentRequests(pool, target.subjectId);
      return {
        ...NOTHING,
        follows: [{ code: 'requests_searched', count: requests.length }],
        notes: amountsOf(requests),
      };
    },
    executedAs: 'rows',
    execute: async ({ target, reason }, client) => {
      const requests = await incidentRequests(client, target.subjectId);
      await calls.releaseAll(
        requests.map(({ jobId }) => jobId),
        reason,
        client,
      );
    },
  };
};
