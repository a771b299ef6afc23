import { DAY_MS, instantFromMs, SECOND_MS } from '#kernel';
import type {
  AttemptFacts,
  DisputeFacts,
  ListedDispute,
  ListedPayment,
  ListedRefund,
  MethodDetails,
  RefundFacts,
  ShownIntent,
} from '#psp';
import type { WireDispute, WirePayment, WirePaymentIntent, WireRefund } from './payment-wire.js';
import {
  attemptStatus,
  authenticationOutcome,
  disputeStatus,
  intentStatus,
  reachedByAttempt,
  reachedByRefund,
  refundStatus,
} from './statuses.js';

/**
 * docs/provider/payments.md#payment-intent: the currency of an intent that was created without a
 * currency.
 */
const DEFAULT_CURRENCY = 'eur';

/**
 * docs/provider/payments.md#limits: an authorization that is not captured expires after seven days.
 */
const AUTHORIZATION_LIFETIME_MS = 7 * DAY_MS;

/**
 * The id of our payment in an object of the provider.
 * docs/provider/payments-completion.md#resources: a `unique_id` belongs to only one object and
 * never changes, whereas an `order_id` can be overwritten.
 */
const carriedReference = (wire: WirePaymentIntent | WirePayment): string | null =>
  wire.unique_id ?? wire.order_id;

export const intentOf = (wire: WirePaymentIntent): ShownIntent => ({
  intentId: wire.id,
  reference: carriedReference(wire),
  pageUrl: wire.url,
  status: intentStatus(wire.status),
  amountMinor: wire.amount,
  currency: wire.currency ?? DEFAULT_CURRENCY,
  // The provider's field `payment` is the latest attempt.
  hasAttempt: wire.payment !== null,
});

const methodOf = ({ method }: WirePayment): 'card' | 'sepa' | null =>
  method === 'card' || method === 'sepa' ? method : null;

const methodDetailsOf = (wire: WirePayment): Pick<AttemptFacts, 'methodDetails'> => {
  const method = methodOf(wire);
  const { brand = null, country = null } = wire.card ?? {};
  const last4 = wire.card?.last4 ?? wire.sepa?.last4 ?? null;
  const authentication = authenticationOutcome(wire.auth?.status ?? null);
  if (method === null || (wire.card === null && wire.sepa === null)) return {};
  const methodDetails: MethodDetails = {
    method,
    ...(brand !== null && { brand: brand.toLowerCase() }),
    ...(last4 !== null && { last4 }),
    ...(country !== null && { country }),
    ...(authentication !== null && { authentication }),
  };
  return { methodDetails };
};

const attemptOf = (wire: WirePayment): AttemptFacts => ({
  attemptId: wire.id,
  status: wire.status === null ? null : attemptStatus(wire.status),
  response: wire.response,
  method: methodOf(wire),
  ...methodDetailsOf(wire),
  mandateId: wire.sepa?.id ?? null,
  createdAt: instantFromMs(wire.created * SECOND_MS),
  // Computed from the creation of the attempt. The bank authorizes the attempt after its creation,
  // so the authorization may expire slightly after this time.
  authorizedUntil: instantFromMs(wire.created * SECOND_MS + AUTHORIZATION_LIFETIME_MS),
});

/** An attempt in the list of its intent's attempts. */
export const attemptOfIntent = (wire: WirePayment): AttemptFacts => ({
  ...attemptOf(wire),
  money: { amountMinor: wire.amount, currency: wire.currency },
});

export const refundOf = (wire: WireRefund): RefundFacts => ({
  refundId: wire.id,
  amountMinor: wire.amount,
  currency: wire.currency,
  status: refundStatus(wire.status),
  createdAt: instantFromMs(wire.created * SECOND_MS),
});

export const disputeOf = (wire: WireDispute): DisputeFacts => ({
  disputeId: wire.id,
  kind: wire.type === 'sepa_return' ? 'sepa_return' : 'chargeback',
  amountMinor: Math.abs(wire.amount),
  currency: wire.currency,
  feeMinor: wire.fee,
  reasonCode: wire.response,
  status: disputeStatus(wire.status),
  createdAt: instantFromMs(wire.created * SECOND_MS),
});

export const listedPaymentOf = (wire: WirePayment): ListedPayment => ({
  ...attemptOf(wire),
  reference: carriedReference(wire),
  intentId: wire.payment_intent,
  amountMinor: wire.amount,
  currency: wire.currency,
  feeMinor: wire.fee,
  reached: reachedByAttempt(wire.status),
});

export const listedRefundOf = (wire: WireRefund): ListedRefund => ({
  ...refundOf(wire),
  attemptId: wire.payment,
  reached: reachedByRefund(wire.status),
});

/**
 * docs/provider/payments-completion.md#settled-after-real-clients: a separate payout line returns
 * the amount of a won dispute.
 */
export const listedDisputeOf = (wire: WireDispute): ListedDispute => ({
  ...disputeOf(wire),
  attemptId: wire.payment,
  isReversal: wire.amount < 0,
});
