import { assert, type Instant } from '#kernel';
import { payerResponse } from '../banks/response-codes.js';
import type { IntentRow } from '../payments/intent-resource.js';
import type { AuthStatus, PaymentStatus } from '../payments/states.js';
import type { Attempt } from '../payments/transitions.js';
import type { AuthSessionView, PageView } from './page-flow.js';

/** An intent, with the fields of its latest attempt that the page uses. */
export interface PageRow extends IntentRow {
  readonly payment_status: PaymentStatus | null;
  readonly response: string | null;
  readonly auth_session_id: string | null;
  readonly auth_expires_at: Instant | null;
  readonly auth_left_at: Instant | null;
  readonly confirm_until: Instant | null;
}

/** A payment attempt with a 3-D Secure session, in which the payer decides. */
export interface SessionAggregate extends Attempt {
  readonly auth: AuthStatus;
}

export const pageView = (row: PageRow, merchantName: string): PageView => {
  const refused = row.status === 'require_payment_method' && row.payment_status === 'refused';
  const refusal = refused && row.response !== null ? payerResponse(row.response) : null;
  const { auth_session_id: session, auth_expires_at: expiresAt, auth_left_at: leftAt } = row;
  const atBank = row.status === 'require_authentication' && session !== null && expiresAt !== null;
  return {
    intentId: row.id,
    merchantName,
    status: row.status,
    amountMinor: row.amount,
    currency: row.currency,
    description: row.description,
    methodsAllowed: row.methods_allowed,
    returnUrl: row.return_url,
    testMode: !row.live,
    isConfirmed: row.payment_status === 'authorized' && row.confirm_until === null,
    ...(refusal === null
      ? {}
      : { lastRefusal: { maskedCode: refusal.code, maskedReason: refusal.reason } }),
    ...(atBank ? { authSession: { id: session, expiresAt, hasLeft: leftAt !== null } } : {}),
  };
};

export const authSessionView = (
  { intent, payment, auth }: SessionAggregate,
  merchantName: string,
): AuthSessionView => {
  const { auth_session_id: id, auth_expires_at: expiresAt, card } = payment;
  assert(id !== null && expiresAt !== null, 'an attempt at the bank has a session with an expiry');
  return {
    id,
    intentId: intent.id,
    merchantName,
    status: auth,
    amountMinor: payment.amount,
    currency: payment.currency,
    description: payment.description,
    cardBrand: card?.brand ?? '',
    cardLast4: card?.last4 ?? '',
    returnUrl: payment.auth_return_url,
    expiresAt,
  };
};
