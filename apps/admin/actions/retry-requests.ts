import type { Pool } from 'pg';
import { Rejection } from '#kernel';
import {
  type IncidentRequest,
  type IncidentRequests,
  incidentRequests,
  StuckCalls,
} from '#operations';
import { type Action, NOTHING } from './action.js';
import type { Follow, Note } from './preview-codes.js';
import type { Preview } from './preview-items.js';

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

/** What happens to the requests of each kind. A refund that may have been sent is never sent again. */
const followsOf = (requests: readonly IncidentRequest[]): readonly Follow[] => {
  const counts = new Map<string, number>();
  for (const { kind } of requests) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([call, count]) =>
      call === 'refund'
        ? { code: 'refunds_searched', count }
        : { code: 'requests_searched', call, count },
    );
};

const previewOfAll = ({ requests, left, fingerprint }: IncidentRequests): Preview => ({
  ...NOTHING,
  follows: followsOf(requests),
  notes: [
    ...amountsOf(requests),
    { code: 'requests_fixed', count: requests.length, fingerprint },
    ...(left > 0 ? [{ code: 'requests_left', count: left } as const] : []),
  ],
});

/** The requests, if they are those that the requester saw; `seen` is absent before the request. */
const asSeen = (found: IncidentRequests, seen: string | undefined): IncidentRequests => {
  if (seen === undefined || seen === found.fingerprint) return found;
  throw new Rejection(
    'preview_changed',
    'the failed requests of the incident are others than those of the request: request it again',
  );
};

/**
 * Retries all failed provider requests of an incident. A second person must approve, because one
 * person alone must not send hundreds of requests. What is retried is the set that the requester saw:
 * if a request joined it or was retried meanwhile, the action fails. The outcome lists what was
 * retried.
 */
export const retryRequests = (pool: Pool): Action => {
  const calls = new StuckCalls(pool);
  return {
    takesTwo: true,
    subjectOf: ({ subjectId }) => ({ type: 'incident', id: subjectId }),
    fixed: ({ notes }) => {
      const fixed = notes.find(({ code }) => code === 'requests_fixed');
      return fixed?.code === 'requests_fixed' ? { requests: fixed.fingerprint } : null;
    },
    preview: async ({ target, private: kept }) =>
      previewOfAll(asSeen(await incidentRequests(pool, target.subjectId), kept?.requests)),
    executedAs: 'rows',
    execute: async ({ target, reason, private: kept }, client) => {
      const found = await incidentRequests(client, target.subjectId);
      const { requests } = asSeen(found, kept?.requests);
      const retried = await calls.releaseAll(
        requests.map(({ jobId }) => jobId),
        reason,
        client,
      );
      return { count: retried.length, retried };
    },
  };
};
