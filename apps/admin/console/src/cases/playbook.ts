import type { ActionRequest } from '../actions/action';
import { actionsForCall, actionsForEndpoint } from '../actions/entity-actions';
import { actionsForFailedRefund } from '../actions/rejected-refund';
import { pathOf } from '../entity/entity-types';
import type { Dictionary } from '../i18n/en';
import { isOfLine } from '../reconciliation/close-exception';
import type { Exception } from '../reconciliation/exception';
import { sentWebhooksPath } from '../webhooks/sent-webhooks-path';
import { type Case, isIncident } from './case';

/** One step to resolve a case: a text, and the existing action or page for it. */
export interface Step {
  readonly text: keyof Dictionary['cases']['steps'];
  readonly request?: ActionRequest;
  readonly path?: string;
}

/** The recommended step of a case, and the alternative steps. */
export interface Play {
  readonly first: Step;
  readonly others: readonly Step[];
}

const subjectPath = ({ subjectType, subjectId }: Case): Pick<Step, 'path'> => {
  const path = pathOf(subjectType, subjectId);
  return path === null ? {} : { path };
};

const steps = (requests: readonly ActionRequest[]): readonly Step[] =>
  requests.map((request) => ({ text: request.kind as Step['text'], request }));

const playOf = (first: Step, ...others: readonly Step[]): Play => ({ first, others });

/** Makes a step of each action, in the given order; the first step is recommended. */
const playOfActions = (requests: readonly ActionRequest[], fallback: Step): Play => {
  const [first = fallback, ...others] = steps(requests);
  return { first, others };
};

/** The name of an incident: its cause and its period. */
const incidentRef = ({ cause, begun, latest }: Case): string =>
  `${cause}.f${Date.parse(begun)}.t${Date.parse(latest)}`;

/** Retries all failed requests of these incidents. */
const retryOf = (rows: readonly Case[]): ActionRequest => ({
  kind: 'retry_requests',
  target: { subjectId: rows.map(incidentRef).join(':') },
});

const retryAll = (one: Case): Step => ({
  text: one.kind === 'unpaid_refund' ? 'retry_refunds' : 'retry_requests',
  request: retryOf([one]),
});

/** A lost refund is only searched for at the provider when its request is retried. */
const refundRetried = ({ first, others }: Play): Play => ({
  first,
  others: others.map((step) =>
    step.text === 'retry_request' ? { ...step, text: 'retry_refund' } : step,
  ),
});

const refundPlay = (one: Case): Play => {
  const { part, subjectId, targetId } = one;
  const refresh: Step = {
    text: 'refresh',
    request: { kind: 'refresh', target: { subjectId } },
  };
  switch (part) {
    case 'not_made':
      return playOfActions(actionsForFailedRefund(subjectId, targetId), refresh);
    case 'failed':
      return refundRetried(playOfActions(actionsForCall(targetId, subjectId, 'refund'), refresh));
    case 'dispute_won':
      return playOf(
        { text: 'pay_otherwise', path: `/payments/${subjectId}` },
        ...steps(actionsForFailedRefund(subjectId, targetId)).filter(
          ({ text }) => text === 'abandon_refund',
        ),
      );
    case 'reissued':
    case 'accepted':
      return playOf({ text: 'await_refund' }, refresh);
    default:
      return playOf({ text: 'await_result' }, refresh);
  }
};

/** A payment whose intent is being created has nothing at the provider that could be read. */
const canRefresh = (subjectId: string, call: string): boolean =>
  subjectId.startsWith('pay_') && call !== 'create_intent';

/** A request that is retried cannot be retried or resolved by an operator now. */
const awaitRetry = (subjectId: string, call: string): Play =>
  canRefresh(subjectId, call)
    ? playOf(
        { text: 'await_retry' },
        { text: 'refresh', request: { kind: 'refresh', target: { subjectId } } },
      )
    : playOf({ text: 'await_retry' });

/** The statuses of a registration in which the platform must act. */
const OF_PLATFORM: readonly string[] = ['draft', 'incomplete', 'rejected'];

/**
 * Returns the playbook of a case: what an operator can do, by actions that other pages also offer.
 */
export const playbookOf = (one: Case): Play => {
  const { kind, part, subjectId, targetId, subjectType, acts, amountMinor } = one;
  const page = subjectPath(one);
  const target = { subjectId };
  switch (kind) {
    case 'unpaid_refund':
      return refundPlay(one);
    case 'failed_request': {
      if (acts === 'provider') return awaitRetry(subjectId, part);
      const [first, ...others] = steps(actionsForCall(targetId, subjectId, part)).toReversed();
      return { first: first ?? { text: 'compare', ...page }, others };
    }
    case 'rejected_capture': {
      // Without an amount, the whole rest of the authorization would be captured.
      const amount = amountMinor === null ? {} : { amountMinor };
      const final = part === 'final' ? { isFinal: true } : {};
      const again = { ...target, ...amount, ...final };
      return playOf(
        { text: 'capture', request: { kind: 'capture', target: again } },
        { text: 'refresh', request: { kind: 'refresh', target } },
      );
    }
    case 'lapsing_authorization':
      if (part !== '') return awaitRetry(subjectId, part);
      return playOf(
        { text: 'ask_platform_capture', ...page },
        { text: 'capture', request: { kind: 'capture', target } },
      );
    case 'unknown_result':
      if (subjectType !== 'payment') return playOf({ text: 'await_result', ...page });
      return canRefresh(subjectId, part)
        ? playOf(
            { text: 'refresh', request: { kind: 'refresh', target } },
            { text: 'await_result' },
          )
        : playOf({ text: 'await_result' });
    case 'mismatch':
      return playOf(
        { text: 'compare', ...page },
        { text: 'review_mismatches', request: { kind: 'review_mismatches', target } },
        ...(subjectType === 'payment'
          ? [{ text: 'refresh', request: { kind: 'refresh', target } } as const]
          : []),
      );
    case 'reconciliation_break':
      return breakPlay(one);
    case 'failed_reaction':
      return playOf(
        {
          text: 'retry_reaction',
          request: { kind: 'retry_reaction', target: { subjectId, saga: part } },
        },
        { text: 'discard_reaction', path: '/queues?view=failed' },
      );
    case 'blocked_stream':
      return playOf({ text: 'upgrade', path: '/queues' });
    case 'silent_merchant':
      return playOf({
        text: OF_PLATFORM.includes(part) ? 'complete_registration' : 'ask_provider',
        ...page,
      });
    case 'failing_endpoint':
      return playOf(
        { text: 'repair_endpoint', path: sentWebhooksPath(subjectId, 'pending', 'failed') },
        ...steps(actionsForEndpoint(part, subjectId)),
        ...(part === 'disabled'
          ? [{ text: 'keep_disabled', request: { kind: 'disable_endpoint', target } } as const]
          : []),
      );
  }
};

const breakPlay = (one: Case): Play => {
  const { targetId, part, detail } = one;
  // The detail of a reconciliation break contains the kind and the id of its line, separated by a
  // space.
  const lineKind = (detail ?? '').split(' ', 1)[0] as Exception['lineKind'];
  const path = `/reconciliation?id=${encodeURIComponent(targetId)}`;
  const close: Step = {
    text: 'close_exception',
    request: { kind: 'close_exception', target: { subjectId: targetId } },
  };
  return isOfLine(part, lineKind)
    ? playOf(
        { text: 'accept_line', request: { kind: 'accept_line', target: { subjectId: targetId } } },
        close,
        { text: 'read_evidence', path },
      )
    : playOf({ text: 'read_evidence', path }, close);
};

/** Whether the failed requests of the incident can be retried together. */
const canRetryAll = ({ kind, part }: Case): boolean =>
  kind === 'failed_request' || (kind === 'unpaid_refund' && part === 'failed');

/** The step for an incident as a whole; null if each of its cases needs its own step. */
export const stepOfIncident = (one: Case): Step | null =>
  isIncident(one) && canRetryAll(one) ? retryAll(one) : null;

/** The maximum number of incidents that one action retries. */
const MAX_RETRIED = 20;

/** Retries the failed requests of all selected cases and incidents; null: not all can be retried. */
export const retrySelected = (rows: readonly Case[]): ActionRequest | null =>
  rows.length > 0 && rows.length <= MAX_RETRIED && rows.every(canRetryAll) ? retryOf(rows) : null;
