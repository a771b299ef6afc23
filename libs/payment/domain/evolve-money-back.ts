import { assert } from '#kernel';
import type { PaymentEvent } from './payment-event.js';
import {
  type Dispute,
  isMade,
  type MadeRefund,
  oldestUnmade,
  type Refund,
} from './refunds-and-disputes.js';

type EventOf<T extends PaymentEvent['type']> = Extract<PaymentEvent, { type: T }>;

type RefundEvent = EventOf<
  | 'RefundRequested'
  | 'RefundRejected'
  | 'RefundGivenUp'
  | 'RefundObserved'
  | 'RefundSent'
  | 'RefundSucceeded'
  | 'RefundFailed'
>;
type DisputeEvent = EventOf<'DisputeObserved' | 'DisputeMoved' | 'DisputeReversed'>;

/** What tells of refunds and disputes. */
export type MoneyBackEvent = RefundEvent | DisputeEvent;

const MONEY_BACK: Readonly<Record<MoneyBackEvent['type'], true>> = {
  RefundRequested: true,
  RefundRejected: true,
  RefundGivenUp: true,
  RefundObserved: true,
  RefundSent: true,
  RefundSucceeded: true,
  RefundFailed: true,
  DisputeObserved: true,
  DisputeMoved: true,
  DisputeReversed: true,
};

export const isOfDispute = (event: MoneyBackEvent): event is DisputeEvent =>
  event.type === 'DisputeObserved' ||
  event.type === 'DisputeMoved' ||
  event.type === 'DisputeReversed';

export const isMoneyBack = (event: PaymentEvent): event is MoneyBackEvent =>
  Object.hasOwn(MONEY_BACK, event.type);

/** The refund that the request has become, in its place; one of nobody's request comes last. */
const observe = (
  refunds: readonly Refund[],
  event: EventOf<'RefundObserved'>,
): readonly Refund[] => {
  const { refundId, requestId, amountMinor, createdAt } = event;
  if (requestId === null) {
    const unasked = { reference: null, reason: null, createdAt };
    return [...refunds, { status: 'to_refund', refundId, requestId, amountMinor, ...unasked }];
  }
  return refunds.map((refund) => {
    if (refund.requestId !== requestId) return refund;
    assert(refund.amountMinor === amountMinor, 'a refund has the amount that was asked for');
    return { ...refund, status: 'to_refund', refundId };
  });
};

const move = (
  refunds: readonly Refund[],
  refundId: string,
  status: MadeRefund['status'],
): readonly Refund[] => {
  assert(
    refunds.some((one) => isMade(one) && one.refundId === refundId),
    'a refund is seen first',
  );
  return refunds.map((one) =>
    isMade(one) && one.refundId === refundId ? { ...one, status } : one,
  );
};

export const evolveRefunds = (
  refunds: readonly Refund[],
  event: RefundEvent,
): readonly Refund[] => {
  switch (event.type) {
    case 'RefundRequested': {
      const { requestId, amountMinor, reference, reason, replaces, at: createdAt } = event;
      const requested = {
        requestId,
        amountMinor,
        reference,
        reason,
        createdAt,
        ...(replaces !== undefined && { replaces }),
      };
      return [...refunds, { status: 'requested', ...requested }];
    }
    case 'RefundRejected':
      return refunds.map((refund) =>
        refund.status === 'requested' && refund.requestId === event.requestId
          ? { ...refund, status: 'rejected', rejection: event.reason }
          : refund,
      );
    case 'RefundGivenUp':
      return refunds;
    case 'RefundObserved':
      return observe(refunds, event);
    case 'RefundSent':
      return move(refunds, event.refundId, 'refund_sent');
    case 'RefundSucceeded':
      return move(refunds, event.refundId, 'refunded');
    case 'RefundFailed':
      return move(refunds, event.refundId, event.outcome);
  }
};

/** The requests whose refund was not made, as long as nobody has taken that up. */
export const evolveUnmade = (
  payment: { readonly refunds: readonly Refund[]; readonly unmadeRefunds: readonly string[] },
  event: RefundEvent,
): readonly string[] => {
  const { unmadeRefunds: unmade } = payment;
  const without = (requestId: string | undefined) => unmade.filter((one) => one !== requestId);
  switch (event.type) {
    case 'RefundRequested':
      // Events of the releases before name none.
      return without(event.replaces ?? oldestUnmade(payment, event.amountMinor));
    case 'RefundGivenUp':
      return without(event.requestId);
    case 'RefundRejected':
      return [...unmade, event.requestId];
    case 'RefundFailed':
      // What others made at the provider is theirs to make again.
      return event.requestId === null ? unmade : [...unmade, event.requestId];
    case 'RefundObserved':
    case 'RefundSent':
    case 'RefundSucceeded':
      return unmade;
  }
};

export const evolveDisputes = (
  disputes: readonly Dispute[],
  event: DisputeEvent,
): readonly Dispute[] => {
  switch (event.type) {
    case 'DisputeObserved': {
      const { disputeId, kind, amountMinor, response, payerResponse, createdAt } = event;
      const seen = { disputeId, kind, amountMinor, response, payerResponse, createdAt };
      return [...disputes, { ...seen, status: 'open' }];
    }
    case 'DisputeMoved':
      return disputes.map((dispute) =>
        dispute.disputeId === event.disputeId ? { ...dispute, status: event.status } : dispute,
      );
    case 'DisputeReversed':
      return disputes.map((dispute) => {
        if (dispute.disputeId !== event.disputeId) return dispute;
        assert(dispute.amountMinor === event.amountMinor, 'a dispute gives back what it took');
        return { ...dispute, isReversed: true };
      });
  }
};
