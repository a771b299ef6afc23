import { isShownOneByOne } from './capture.js';
import { hasPassed } from './intent-track.js';
import { exists, type Payment } from './payment.js';

/** What a webhook shows of a payment. */
export interface WebhookNotice {
  readonly accountId: string;
  readonly intentId: string | null;
  /** The status of the intent or attempt; null before the bank's answer. */
  readonly status: string | null;
}

/**
 * Why a webhook about this payment needs no read: the payment has already passed the status that
 * the webhook shows. A passed status stays passed, so a cached state is enough to decide. Null when
 * the webhook may show something new, or is about another intent or account.
 */
export const reasonToIgnore = (
  payment: Payment,
  { accountId, intentId, status }: WebhookNotice,
): string | null => {
  if (!exists(payment) || payment.terms.accountId !== accountId) return null;
  // With several captures, one capture may have advanced while another has not.
  if (payment.intentId !== intentId || isShownOneByOne(payment.captures)) return null;
  return hasPassed(payment.status, status)
    ? `ignored: the payment is already ${payment.status}`
    : null;
};
