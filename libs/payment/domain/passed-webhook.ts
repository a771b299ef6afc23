import { isShownOneByOne } from './capture.js';
import { hasPassed } from './intent-track.js';
import { exists, type Payment } from './payment.js';

/** The facts about a payment that a webhook shows. */
export interface WebhookNotice {
  readonly accountId: string;
  readonly intentId: string | null;
  /** The status of the intent or attempt; null if the bank has not responded yet. */
  readonly status: string | null;
}

/**
 * Why a webhook about this payment needs no read: the webhook shows the present or an earlier
 * status of the payment. A cached state is enough to decide this, because a payment never returns
 * to an earlier status. Null if the webhook may show something new, or is about a different intent
 * or provider account.
 */
export const reasonToIgnore = (
  payment: Payment,
  { accountId, intentId, status }: WebhookNotice,
): string | null => {
  if (!exists(payment) || payment.terms.accountId !== accountId) return null;
  // If there are several captures, the status of the intent does not show whether each capture has
  // advanced.
  if (payment.intentId !== intentId || isShownOneByOne(payment.captures)) return null;
  return hasPassed(payment.status, status)
    ? `ignored: the payment’s status is already ${payment.status}`
    : null;
};
