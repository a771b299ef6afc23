import { Rejection } from '#kernel';
import type { EventStore } from '#log';
import {
  type IncidentRequest,
  type IncidentRequests,
  incidentRequests,
  type StepOnceParts,
  StuckCalls,
} from '#operations';
import { aboutPayment, partOfCall } from './about.js';
import { type Action, NOTHING } from './action.js';
import type { Follow, Note } from './preview-codes.js';
import type { ActionAbout, Preview } from './preview-items.js';

/**
 * If the list of failed requests does not contain the amount yet, the amount is read from the
 * payment's events.
 */
const amountOf = async (
  store: EventStore,
  { kind, subjectId, amountMinor, currency }: IncidentRequest,
): Promise<Pick<ActionAbout, 'amountMinor' | 'currency'> | null> =>
  amountMinor !== null && currency !== null
    ? { amountMinor, currency }
    : aboutPayment(store, subjectId, partOfCall(kind));

/** The sums of the requests' amounts, one for each currency. */
const amountsOf = async (
  store: EventStore,
  requests: readonly IncidentRequest[],
): Promise<readonly Note[]> => {
  const sums = new Map<string, number>();
  for (const request of requests) {
    const amount = await amountOf(store, request);
    if (amount === null) continue;
    sums.set(amount.currency, (sums.get(amount.currency) ?? 0) + amount.amountMinor);
  }
  return [...sums].map(([currency, amountMinor]) => ({
    code: 'amount_concerned',
    amountMinor,
    currency,
  }));
};

/**
 * The effect of a retry on requests of each kind. A refund that may have been sent is never sent
 * again.
 */
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

const previewOfAll = async (
  store: EventStore,
  { requests, left, fingerprint }: IncidentRequests,
): Promise<Preview> => ({
  ...NOTHING,
  follows: followsOf(requests),
  notes: [
    ...(await amountsOf(store, requests)),
    { code: 'requests_fixed', count: requests.length, fingerprint },
    ...(left > 0 ? [{ code: 'requests_left', count: left } as const] : []),
  ],
});

/**
 * Returns the found requests; throws if they are not the requests that the requester saw. `seen`:
 * the fingerprint of those requests; undefined before the action is requested.
 */
const asSeen = (found: IncidentRequests, seen: string | undefined): IncidentRequests => {
  if (seen === undefined || seen === found.fingerprint) return found;
  throw new Rejection(
    'requests_changed',
    'the failed requests of the incident have changed since the action was requested: ' +
      'reject this request, and request the action again',
  );
};

/**
 * Retries all failed provider requests of an incident. A second person must approve, because one
 * person alone must not send hundreds of requests. The action retries exactly the requests that the
 * requester saw: if another request of the incident has failed or one was retried meanwhile, the
 * action fails. The outcome lists the retried requests.
 */
export const retryRequests = ({ pool, store }: Pick<StepOnceParts, 'pool' | 'store'>): Action => {
  const calls = new StuckCalls(pool);
  return {
    takesTwo: true,
    subjectOf: ({ subjectId }) => ({ type: 'incident', id: subjectId }),
    fixed: ({ notes }) => {
      const fixed = notes.find(({ code }) => code === 'requests_fixed');
      return fixed?.code === 'requests_fixed' ? { requests: fixed.fingerprint } : null;
    },
    preview: async ({ target, private: kept }) =>
      previewOfAll(store, asSeen(await incidentRequests(pool, target.subjectId), kept?.requests)),
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
