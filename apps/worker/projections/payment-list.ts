import { assert, assertNever } from '#kernel';
import type { RecordedEvent } from '#event-store';
import type { PaymentEvent, PaymentStatus } from '#payment';
import type { ProjectedRow, Projection } from './projection.js';

/** A row of `payment_list`, by its columns; money in minor units. */
export interface PaymentListRow extends ProjectedRow {
  readonly payment_id: string;
  readonly order_id: string;
  readonly platform_id: string;
  readonly account_id: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly status: PaymentStatus;
  readonly intent_id: string | null;
  readonly provider_ids: readonly string[];
  /** Of each refund that was asked for: our id, and the platform's own where it gave one. */
  readonly refund_references: readonly string[];
  readonly unknown: readonly string[];
  /** Requests whose refund was not made, and that nobody has taken up since. */
  readonly unmade_refunds: readonly string[];
  /** The amounts of these, in their order. */
  readonly unmade_minor: readonly number[];
  readonly refunded_minor: number;
  readonly disputed: boolean;
  readonly mismatched: boolean;
  readonly requested_at: string;
}

const withId = (row: PaymentListRow, id: string): Pick<PaymentListRow, 'provider_ids'> => ({
  provider_ids: row.provider_ids.includes(id) ? row.provider_ids : [...row.provider_ids, id],
});

type Unmade = Pick<PaymentListRow, 'unmade_refunds' | 'unmade_minor'>;

const NONE_UNMADE: Unmade = { unmade_refunds: [], unmade_minor: [] };

const withoutUnmade = (
  { unmade_refunds: unmade, unmade_minor: minor }: Unmade, requestId: string | undefined,
): Unmade => {
  const stays = (_: unknown, index: number) => unmade[index] !== requestId;
  return { unmade_refunds: unmade.filter(stays), unmade_minor: minor.filter(stays) };
};

type RefundRequested = Extract<PaymentEvent, { type: 'RefundRequested' }>;

const withRefund = (
  row: PaymentListRow, { requestId, amountMinor, reference, replaces }: RefundRequested,
): Partial<PaymentListRow> => {
  const { refund_references: known, unmade_refunds: unmade, unmade_minor: minor } = row;
  const own = reference === null || known.includes(reference) ? [] : [reference];
  return {
    refund_references: [...known, requestId, ...own],
    // Events of the releases before name none: it is the oldest of the amount, as in the payment.
    ...withoutUnmade(row, replaces ?? unmade[minor.indexOf(amountMinor)]),
  };
};

/** What was disputed or returned the payer has back in another way. */
const withUnmade = (
  { unmade_refunds: unmade, unmade_minor: minor, disputed, status }: PaymentListRow,
  requestId: string | null, amountMinor: number,
): Partial<Unmade> =>
  requestId === null || disputed || status === 'returned'
    ? {} : { unmade_refunds: [...unmade, requestId], unmade_minor: [...minor, amountMinor] };

type Later = Exclude<PaymentEvent, { type: 'IntentRequested' }>;

const changeBy = (row: PaymentListRow, event: Later): Partial<PaymentListRow> => {
  switch (event.type) {
    case 'IntentCreated':
      return { status: 'open', intent_id: event.intentId };
    case 'IntentRejected':
      return { status: 'rejected', unknown: [] };
    case 'AttemptRefused':
      return withId(row, event.attemptId);
    case 'PaymentAuthorized':
      return { status: 'authorized', ...withId(row, event.attemptId) };
    case 'DirectDebitAccepted':
      return { status: 'processing', ...withId(row, event.attemptId) };
    case 'CaptureAccepted':
      return { status: 'to_capture' };
    case 'CaptureSent':
      return { status: 'capture_sent' };
    case 'PaymentCaptured':
      return { status: 'captured' };
    case 'PaymentCanceled':
      return { status: 'canceled' };
    case 'AuthorizationExpired':
      return { status: 'expired' };
    case 'DirectDebitReturned':
      return { status: 'returned', ...NONE_UNMADE };
    case 'RefundRequested':
      return withRefund(row, event);
    case 'RefundObserved':
    case 'RefundSent':
      return withId(row, event.refundId);
    case 'RefundFailed':
      return {
        ...withId(row, event.refundId), ...withUnmade(row, event.requestId, event.amountMinor),
      };
    case 'RefundRejected':
      return withUnmade(row, event.requestId, event.amountMinor);
    case 'RefundGivenUp':
      return withoutUnmade(row, event.requestId);
    case 'RefundSucceeded':
      return {
        refunded_minor: row.refunded_minor + event.amountMinor, ...withId(row, event.refundId),
      };
    case 'DisputeObserved':
      return { disputed: true, ...NONE_UNMADE, ...withId(row, event.disputeId) };
    case 'OutcomeUnknown':
      return { unknown: [...new Set([...row.unknown, event.call])] };
    case 'OutcomeSettled':
      return { unknown: row.unknown.filter((call) => call !== event.call) };
    case 'ProviderMismatchObserved':
      return { mismatched: true };
    case 'DebitRequested':
    case 'DebitRejected':
    case 'PageFinished':
    case 'AuthorizationExpiring':
    case 'CaptureRequested':
    case 'CancelRequested':
    case 'DisputeMoved':
    case 'DisputeReversed':
      return {};
    default:
      return assertNever(event);
  }
};

const apply = (row: PaymentListRow | null, recorded: RecordedEvent): PaymentListRow => {
  const { streamId, version, type, data } = recorded;
  // The log gives events back as they were written, lifted to today's schema.
  const event = { ...data, type } as PaymentEvent;
  if (event.type === 'IntentRequested') {
    return {
      payment_id: streamId,
      order_id: event.orderId,
      platform_id: event.platformId,
      account_id: event.accountId,
      amount_minor: event.amountMinor,
      currency: event.currency,
      status: 'requested',
      intent_id: null,
      provider_ids: [],
      refund_references: [],
      unknown: [],
      ...NONE_UNMADE,
      refunded_minor: 0,
      disputed: false,
      mismatched: false,
      requested_at: event.at,
      version,
    };
  }
  assert(row !== null, 'a payment is requested before anything else happens to it');
  return { ...row, ...changeBy(row, event), version };
};

/** Payments for lists and search; GET by id folds the stream instead. */
export const paymentList: Projection<PaymentListRow> = {
  name: 'payment_list',
  streamTypes: ['payment'],
  keyColumn: 'payment_id',
  columns: [
    'payment_id', 'order_id', 'platform_id', 'account_id', 'amount_minor', 'currency', 'status',
    'intent_id', 'provider_ids', 'refund_references', 'unknown', 'unmade_refunds',
    'unmade_minor', 'refunded_minor', 'disputed', 'mismatched', 'requested_at', 'version',
  ] satisfies readonly (keyof PaymentListRow)[],
  apply,
};
