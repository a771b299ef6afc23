import { assert } from '#kernel';
import type { PaymentEvent } from './payment-event.js';
import {
  type Dispute,
  isMade,
  type MadeRefund,
  oldestRejectedRefund,
  type QueuedRefund,
  queuedRefunds,
  type Refund,
  refundOf,
  type RequestedRefund,
} from './refunds-and-disputes.js';

type EventOf<T extends PaymentEvent['type']> = Extract<PaymentEvent, { type: T }>;

const REFUND_EVENTS = [
  'RefundQueued',
  'RefundRequested',
  'RefundRejected',
  'RefundAbandoned',
  'RefundObserved',
  'RefundSent',
  'RefundSucceeded',
  'RefundFailed',
] as const;
const DISPUTE_EVENTS = ['DisputeObserved', 'DisputeStatusChanged', 'DisputeReversed'] as const;

type RefundEvent = EventOf<(typeof REFUND_EVENTS)[number]>;
export type DisputeEvent = EventOf<(typeof DISPUTE_EVENTS)[number]>;

/** An event of a refund or dispute. */
export type RefundOrDisputeEvent = RefundEvent | DisputeEvent;

export const isOfDispute = (event: PaymentEvent): event is DisputeEvent =>
  DISPUTE_EVENTS.some((type) => type === event.type);

export const isRefundOrDispute = (event: PaymentEvent): event is RefundOrDisputeEvent =>
  isOfDispute(event) || REFUND_EVENTS.some((type) => type === event.type);

/** Replaces a refund request by its refund; a refund made directly at the provider is appended. */
const observe = (
  refunds: readonly Refund[],
  event: EventOf<'RefundObserved'>,
): readonly Refund[] => {
  const { refundId, requestId, amountMinor, createdAt } = event;
  if (requestId === null) {
    const unrequested = { reference: null, reason: null, createdAt };
    return [...refunds, { status: 'to_refund', refundId, requestId, amountMinor, ...unrequested }];
  }
  return refunds.map((refund) => {
    if (refund.requestId !== requestId) return refund;
    assert(refund.amountMinor === amountMinor, 'a refund has the requested amount');
    return { ...refund, status: 'to_refund', refundId };
  });
};

const baseOf = (event: EventOf<'RefundQueued' | 'RefundRequested'>) => {
  const { requestId, amountMinor, reference, reason, at: createdAt } = event;
  return { requestId, amountMinor, reference, reason, createdAt };
};

const isPending = (refund: Refund): refund is QueuedRefund | RequestedRefund =>
  refund.status === 'queued' || refund.status === 'requested';

/** Adds a refund request. If the refund was queued, its request replaces the queued refund. */
const request = (
  refunds: readonly Refund[],
  event: EventOf<'RefundRequested'>,
): readonly Refund[] => {
  const { requestId, replaces } = event;
  const queued = queuedRefunds(refunds).find((one) => one.requestId === requestId);
  const requested: Refund = {
    status: 'requested',
    ...baseOf(event),
    ...(queued && { createdAt: queued.createdAt }),
    ...(replaces !== undefined && { replaces }),
  };
  if (queued === undefined) return [...refunds, requested];
  return refunds.map((one) => (one === queued ? requested : one));
};

const move = (
  refunds: readonly Refund[],
  refundId: string,
  status: MadeRefund['status'],
): readonly Refund[] => {
  assert(
    refunds.some((one) => isMade(one) && one.refundId === refundId),
    'a refund is observed before its status changes',
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
    case 'RefundQueued':
      return [...refunds, { status: 'queued', ...baseOf(event), expectedAt: event.expectedAt }];
    case 'RefundRequested':
      return request(refunds, event);
    case 'RefundRejected':
      return refunds.map((refund) =>
        isPending(refund) && refund.requestId === event.requestId
          ? { ...refund, status: 'rejected', rejection: event.reason }
          : refund,
      );
    case 'RefundAbandoned':
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

/**
 * The ids of the refund requests that must be repeated or abandoned, after the event was applied.
 */
export const evolveRejectedRefunds = (
  payment: { readonly refunds: readonly Refund[]; readonly rejectedRefunds: readonly string[] },
  event: RefundEvent,
): readonly string[] => {
  const { rejectedRefunds: rejected } = payment;
  const without = (requestId: string | undefined) => rejected.filter((one) => one !== requestId);
  switch (event.type) {
    case 'RefundRequested':
      // This refund was queued under the same request id, so it replaces no failed refund request.
      if (refundOf(payment.refunds, event.requestId) !== null) return rejected;
      if (event.isSeparate === true) return rejected;
      // Events of older releases do not name the request that they replace: it is the oldest of the
      // same amount, whatever the references are.
      return without(event.replaces ?? oldestRejectedRefund(payment, event.amountMinor));
    case 'RefundAbandoned':
      return without(event.requestId);
    case 'RefundRejected':
      return [...rejected, event.requestId];
    case 'RefundFailed':
      // A refund that was made directly at the provider has no request to repeat.
      return event.requestId === null ? rejected : [...rejected, event.requestId];
    case 'RefundQueued':
    case 'RefundObserved':
    case 'RefundSent':
    case 'RefundSucceeded':
      return rejected;
  }
};

export const evolveDisputes = (
  disputes: readonly Dispute[],
  event: DisputeEvent,
): readonly Dispute[] => {
  switch (event.type) {
    case 'DisputeObserved': {
      const { disputeId, kind, amountMinor, reasonCode, payerReasonCode, createdAt } = event;
      const seen = { disputeId, kind, amountMinor, reasonCode, payerReasonCode, createdAt };
      return [...disputes, { ...seen, status: 'open' }];
    }
    case 'DisputeStatusChanged':
      return disputes.map((dispute) =>
        dispute.disputeId === event.disputeId ? { ...dispute, status: event.status } : dispute,
      );
    case 'DisputeReversed':
      return disputes.map((dispute) => {
        if (dispute.disputeId !== event.disputeId) return dispute;
        assert(
          dispute.amountMinor === event.amountMinor,
          'a won dispute returns the disputed amount',
        );
        return { ...dispute, isReversed: true };
      });
  }
};
