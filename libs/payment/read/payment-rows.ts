import { ignored } from '#kernel';
import { domainEvent } from '#log';
import { column, dated, type Projection, type RowOf, rowsFrom } from '#projections';
import type { PaymentEvent } from '../domain/payment-event.js';
import type { PaymentStatus } from '../domain/payment.js';
import { isDisputeStanding } from '../domain/refunds-and-disputes.js';
import { type OwedRefund, owedRefundsAfter, rejectedAgain } from './owed-refunds.js';
import { paymentSearch } from './payment-search.js';
import {
  disputeRows,
  refundsAndDisputesAfter,
  type RefundAndDisputeRows,
  NO_REFUNDS_OR_DISPUTES,
  refundRows,
} from './refund-and-dispute-rows.js';

const COLUMNS = {
  payment_id: column<string>(),
  order_id: column<string>(),
  platform_id: column<string>(),
  account_id: column<string>(),
  amount_minor: column<number>(),
  currency: column<string>(),
  status: column<PaymentStatus>(),
  /**
   * The method with which the payer paid; before that, the method if only one is allowed, otherwise
   * null.
   */
  method: column<'card' | 'sepa' | null>(),
  /** The last four characters of the card or account of the last attempt that shows them. */
  last_four: column<string | null>(),
  intent_id: column<string | null>(),
  provider_ids: column<readonly string[]>(),
  /** For each requested refund: our id, and the platform's reference if there is one. */
  refund_references: column<readonly string[]>(),
  unknown_results: column<readonly string[]>(),
  /**
   * The refund requests that the provider did not execute and that have been neither repeated nor
   * abandoned.
   */
  rejected_refunds: column<readonly string[]>(),
  /** The amounts of `rejected_refunds`, in the same order. */
  rejected_minor: column<readonly number[]>(),
  /** The refunds that failed or had an unknown result, until the payer is paid. */
  owed_refunds: column<readonly OwedRefund[]>(),
  /**
   * When the authorization expires, if it expires soon and something is left to capture; otherwise
   * null.
   */
  lapses_at: column<string | null>(),
  /**
   * The captures that the provider rejected; they are listed until another capture is requested or
   * the payment ends.
   */
  rejected_captures: column<readonly string[]>(),
  /** The sum of the captures that the provider accepted, also if they are not sent yet. */
  accepted_minor: column<number>(),
  /** The sum of the captures that were sent to clearing. */
  captured_minor: column<number>(),
  refunded_minor: column<number>(),
  disputed: column<boolean>(),
  mismatched: column<boolean>(),
  /** When the payer’s bank authorized the amount, or the provider accepted the direct debit. */
  authorized_at: column<string | null>(),
  /** When the authorization expires at the provider if it is not captured; null for debits. */
  expires_at: column<string | null>(),
  /**
   * When the payer’s bank refused the last declined attempt, and its response code (may be null).
   */
  declined_at: column<string | null>(),
  decline_code: column<string | null>(),
  requested_at: column<string>(),
  updated_at: column<string>(),
  refunds: column<RefundAndDisputeRows['refunds']>(),
  disputes: column<RefundAndDisputeRows['disputes']>(),
};

/** A row of `payment_list`; amounts in minor units. */
export type PaymentListRow = RowOf<typeof COLUMNS>;

const withId = (row: PaymentListRow, id: string): Pick<PaymentListRow, 'provider_ids'> => ({
  provider_ids: row.provider_ids.includes(id) ? row.provider_ids : [...row.provider_ids, id],
});

type AttemptEvent = Extract<PaymentEvent, { readonly attemptId: string; methodDetails?: unknown }>;

const ofAttempt = (
  { attemptId, methodDetails }: AttemptEvent,
  row: PaymentListRow,
): Pick<PaymentListRow, 'provider_ids' | 'last_four'> => ({
  ...withId(row, attemptId),
  last_four: methodDetails?.last4 ?? row.last_four,
});

type RejectedRefunds = Pick<PaymentListRow, 'rejected_refunds' | 'rejected_minor'>;

const NO_REJECTED_REFUNDS: RejectedRefunds = { rejected_refunds: [], rejected_minor: [] };

const withoutRejected = (
  { rejected_refunds: rejected, rejected_minor: minor }: RejectedRefunds,
  requestId: string | undefined,
): RejectedRefunds => {
  const stays = (_: unknown, index: number) => rejected[index] !== requestId;
  return { rejected_refunds: rejected.filter(stays), rejected_minor: minor.filter(stays) };
};

type RefundEvent<T extends PaymentEvent['type']> = Extract<PaymentEvent, { readonly type: T }>;

const withReferences = (
  { requestId, reference }: RefundEvent<'RefundQueued' | 'RefundRequested'>,
  { refund_references: known }: PaymentListRow,
): Pick<PaymentListRow, 'refund_references'> => {
  const own = reference === null || known.includes(reference) ? [] : [reference];
  return { refund_references: [...known, requestId, ...own] };
};

const withRefund = (
  event: RefundEvent<'RefundRequested'>,
  row: PaymentListRow,
): Partial<PaymentListRow> => {
  const { requestId, amountMinor, replaces, isSeparate = false } = event;
  const { refund_references: known, rejected_refunds: rejected, rejected_minor: minor } = row;
  // The request of a queued refund replaces no failed refund request.
  if (known.includes(requestId)) return {};
  if (isSeparate) return withReferences(event, row);
  return {
    ...withReferences(event, row),
    // Events of older releases do not name the request that they replace: the replaced request is
    // the oldest unexecuted request of the same amount (`oldestRejectedRefund`).
    ...withoutRejected(row, replaces ?? rejected[minor.indexOf(amountMinor)]),
  };
};

const ENDED_UNPAID: ReadonlySet<PaymentStatus> = new Set(['canceled', 'expired', 'returned']);

/**
 * Adds a refund request that was not executed, unless nothing is owed to the payer: during a dispute,
 * after a returned debit, or when the payment ended before it was captured.
 */
const withRejected = (
  { rejected_refunds: rejected, rejected_minor: minor, disputes, status }: PaymentListRow,
  requestId: string | null,
  amountMinor: number,
): Partial<RejectedRefunds> =>
  requestId === null || isDisputeStanding(disputes) || ENDED_UNPAID.has(status)
    ? {}
    : { rejected_refunds: [...rejected, requestId], rejected_minor: [...minor, amountMinor] };

/**
 * Clears the rejected captures: another capture was requested, or no further capture is possible.
 */
const NONE_REJECTED: Pick<PaymentListRow, 'rejected_captures'> = { rejected_captures: [] };

const CAPTURE_ORDER = ['to_capture', 'capture_sent', 'captured'] as const;

/** The most advanced status of several captures, which is the payment's status. */
const furthest = (
  { status: before }: PaymentListRow,
  status: (typeof CAPTURE_ORDER)[number],
): Pick<PaymentListRow, 'status'> => {
  const place = (one: PaymentStatus) => (CAPTURE_ORDER as readonly string[]).indexOf(one);
  return { status: place(before) > place(status) ? before : status };
};

const ofPayment = rowsFrom<PaymentListRow, PaymentEvent, 'IntentRequested'>(
  {
    IntentRequested: (event, streamId) => ({
      payment_id: streamId,
      order_id: event.orderId,
      platform_id: event.platformId,
      account_id: event.accountId,
      amount_minor: event.amountMinor,
      currency: event.currency,
      status: 'requested',
      method: event.methods.length === 1 ? (event.methods[0] ?? null) : null,
      last_four: null,
      intent_id: null,
      provider_ids: [],
      refund_references: [],
      unknown_results: [],
      ...NO_REJECTED_REFUNDS,
      owed_refunds: [],
      lapses_at: null,
      rejected_captures: [],
      accepted_minor: 0,
      captured_minor: 0,
      refunded_minor: 0,
      disputed: false,
      mismatched: false,
      authorized_at: null,
      expires_at: null,
      declined_at: null,
      decline_code: null,
      requested_at: event.at,
      updated_at: event.at,
      ...NO_REFUNDS_OR_DISPUTES,
    }),
  },
  {
    IntentCreated: ({ intentId }) => ({ status: 'open', intent_id: intentId }),
    IntentRejected: () => ({ status: 'rejected', unknown_results: [] }),
    AttemptRefused: (event, row) => ({
      declined_at: event.at,
      decline_code: event.responseCode,
      ...ofAttempt(event, row),
    }),
    PaymentAuthorized: (event, row) => ({
      status: 'authorized',
      method: 'card',
      authorized_at: event.at,
      expires_at: event.expiresAt,
      ...ofAttempt(event, row),
    }),
    DirectDebitAccepted: (event, row) => ({
      status: 'processing',
      method: 'sepa',
      authorized_at: event.at,
      ...ofAttempt(event, row),
    }),
    CaptureRequested: () => NONE_REJECTED,
    CaptureRejected: ({ captureId }, row) => ({
      rejected_captures: [...row.rejected_captures, captureId],
    }),
    AuthorizationExpiring: ({ expiresAt }) => ({ lapses_at: expiresAt }),
    CaptureAccepted: ({ captureId, amountMinor, providerCaptureId: id }, row) => ({
      accepted_minor: row.accepted_minor + amountMinor,
      lapses_at: null,
      ...furthest(row, 'to_capture'),
      rejected_captures: row.rejected_captures.filter((one) => one !== captureId),
      ...(id !== undefined && withId(row, id)),
    }),
    // An event of schema version 1 has no amount, because then the whole amount was captured.
    CaptureSent: ({ amountMinor }, row) => ({
      ...furthest(row, 'capture_sent'),
      captured_minor: row.captured_minor + (amountMinor ?? row.amount_minor),
    }),
    PaymentCaptured: (_event, row) => furthest(row, 'captured'),
    AuthorizationClosed: () => ({ ...NONE_REJECTED, lapses_at: null }),
    PaymentCanceled: () => ({
      status: 'canceled',
      accepted_minor: 0,
      ...NONE_REJECTED,
      lapses_at: null,
    }),
    AuthorizationExpired: () => ({ status: 'expired', ...NONE_REJECTED, lapses_at: null }),
    DirectDebitReturned: () => ({ status: 'returned', captured_minor: 0, ...NO_REJECTED_REFUNDS }),
    RefundQueued: withReferences,
    RefundRequested: withRefund,
    RefundObserved: ({ refundId }, row) => withId(row, refundId),
    RefundSent: ({ refundId }, row) => withId(row, refundId),
    RefundFailed: ({ refundId, requestId, amountMinor }, row) => ({
      ...withId(row, refundId),
      ...withRejected(row, requestId, amountMinor),
    }),
    RefundRejected: ({ requestId, amountMinor }, row) => withRejected(row, requestId, amountMinor),
    RefundAbandoned: ({ requestId }, row) => withoutRejected(row, requestId),
    RefundSucceeded: ({ refundId, amountMinor }, row) => ({
      refunded_minor: row.refunded_minor + amountMinor,
      ...withId(row, refundId),
    }),
    DisputeObserved: ({ disputeId }, row) => ({
      disputed: true,
      ...NO_REJECTED_REFUNDS,
      ...withId(row, disputeId),
    }),
    RequestResultUnknown: ({ request }, row) => ({
      unknown_results: [...new Set([...row.unknown_results, request])],
    }),
    RequestResultResolved: ({ request }, row) => ({
      unknown_results: row.unknown_results.filter((one) => one !== request),
    }),
    PaymentMismatchObserved: () => ({ mismatched: true }),
    PaymentMismatchesReviewed: () => ({ mismatched: false }),
    ...ignored('DebitRequested', 'DebitRejected', 'PaymentPageCompleted'),
    ...ignored('CancelRequested', 'DisputeStatusChanged', 'DisputeReversed'),
  },
);

/** The refunds that failed before a dispute, once every dispute of the payment is won. */
const owedAgain = (row: PaymentListRow): Partial<RejectedRefunds> => {
  const again = rejectedAgain(row);
  const { rejected_refunds: rejected, rejected_minor: minor } = row;
  return {
    rejected_refunds: [...again.map(({ current }) => current), ...rejected],
    rejected_minor: [...again.map(({ amountMinor }) => amountMinor), ...minor],
  };
};

const apply = dated<PaymentListRow>((row, recorded) => {
  const after = ofPayment(row, recorded);
  if (row === null || after === null) return after;
  const event = domainEvent<PaymentEvent>(recorded);
  const changed = { ...after, ...refundsAndDisputesAfter(row, event, recorded.version) };
  return {
    ...changed,
    owed_refunds: owedRefundsAfter(row, changed, event),
    ...(event.type === 'DisputeReversed' && owedAgain(changed)),
  };
});

/**
 * The payments for lists and search. A single payment that is read by its id is computed from its
 * event stream instead.
 */
export const paymentList: Projection<PaymentListRow> = {
  name: 'payment_list',
  streamTypes: ['payment'],
  keyColumn: 'payment_id',
  columns: COLUMNS,
  apply,
  journal: paymentSearch,
  parts: [refundRows, disputeRows],
};
