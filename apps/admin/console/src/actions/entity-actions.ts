import type { EntityType } from '../entity/entity-types';
import type { ActionRequest } from './action';

interface Seen {
  readonly type: EntityType;
  readonly id: string;
  readonly status: string;
  /** Whether a capture was already requested, so that a second request would change nothing. */
  readonly isCaptureRequested: boolean;
  readonly currency: string | null;
}

/**
 * The actions on a failed provider request. The request can be retried. If it belongs to a payment,
 * its result can also be resolved.
 */
export const actionsForCall = (
  jobId: string,
  of: string,
  call: string,
): readonly ActionRequest[] => {
  const target = { subjectId: jobId };
  const retry: ActionRequest = { kind: 'retry_request', target, of };
  return of.startsWith('pay_') ? [{ kind: 'resolve_result', target, of, call }, retry] : [retry];
};

/** The statuses of a payment that has no intent at the provider, so that nothing can be read. */
const WITHOUT_INTENT = ['requested', 'rejected'];
/**
 * The statuses in which a payment can be captured; in any other status the server rejects the
 * action.
 */
const CAPTURABLE = ['authorized'];
const REFUNDABLE = ['processing', 'to_capture', 'capture_sent', 'captured'];
const CANCELABLE = ['open', 'authorized'];

/** The actions that the status of a webhook endpoint allows. */
export const actionsForEndpoint = (status: string, subjectId: string): readonly ActionRequest[] => {
  const target = { subjectId };
  if (status === 'disabled') return [{ kind: 'enable_endpoint', target }];
  if (status === 'deleted') return [];
  return [
    { kind: 'redeliver_webhooks', target },
    { kind: 'disable_endpoint', target },
  ];
};

/** The actions that the entity's status allows; the preview checks the current state. */
export const actionsFor = ({
  type,
  id,
  status,
  isCaptureRequested,
  currency,
}: Seen): readonly ActionRequest[] => {
  const target = { subjectId: id };
  switch (type) {
    case 'payment':
      return [
        ...(WITHOUT_INTENT.includes(status) ? [] : [{ kind: 'refresh', target } as const]),
        ...(CAPTURABLE.includes(status) && !isCaptureRequested
          ? [{ kind: 'capture', target } as const]
          : []),
        ...(REFUNDABLE.includes(status) && currency !== null
          ? [{ kind: 'refund', target, currency } as const]
          : []),
      ];
    case 'order':
      return CANCELABLE.includes(status) ? [{ kind: 'cancel', target }] : [];
    case 'webhook_endpoint':
      return actionsForEndpoint(status, id);
    case 'payout':
    case 'merchant':
    // The page of a provider account offers no actions. The possible actions depend on the
    // merchant's other accounts, which only the account list shows.
    case 'account':
      return [];
  }
};
