import { domainEvent } from '#log';
import { dated, type ProjectedRow, type Projection, rowsFrom } from '#projections';
import type { PaymentEvent } from '../domain/payment-event.js';
import type { PaymentStatus } from '../domain/payment.js';
import {
  disputeParts,
  moneyBackAfter,
  type MoneyBackRows,
  NO_MONEY_BACK,
  refundParts,
} from './money-back-parts.js';

/** A row of `payment_list`, by its columns; money in minor units. */
export interface PaymentListRow extends ProjectedRow, MoneyBackRows {
  readonly payment_id: string;
  readonly order_id: string;
  readonly platform_id: string;
  readonly account_id: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly status: PaymentStatus;
  /** By which it was paid, or may be paid alone. */
  readonly method: 'card' | 'sepa' | null;
  readonly intent_id: string | null;
  readonly provider_ids: readonly string[];
  /** Of each refund that was asked for: our id, and the platform's own where it gave one. */
  readonly refund_references: readonly string[];
  readonly unknown: readonly string[];
  /** Requests whose refund was not made, and that nobody has taken up since. */
  readonly unmade_refunds: readonly string[];
  /** The amounts of these, in their order. */
  readonly unmade_minor: readonly number[];
  /** By captures that were sent. */
  readonly captured_minor: number;
  readonly refunded_minor: number;
  readonly disputed: boolean;
  readonly mismatched: boolean;
  readonly requested_at: string;
  readonly updated_at: string;
}

const withId = (row: PaymentListRow, id: string): Pick<PaymentListRow, 'provider_ids'> => ({
  provider_ids: row.provider_ids.includes(id) ? row.provider_ids : [...row.provider_ids, id],
});

type Unmade = Pick<PaymentListRow, 'unmade_refunds' | 'unmade_minor'>;

const NONE_UNMADE: Unmade = { unmade_refunds: [], unmade_minor: [] };

const withoutUnmade = (
  { unmade_refunds: unmade, unmade_minor: minor }: Unmade,
  requestId: string | undefined,
): Unmade => {
  const stays = (_: unknown, index: number) => unmade[index] !== requestId;
  return { unmade_refunds: unmade.filter(stays), unmade_minor: minor.filter(stays) };
};

type RefundRequested = Extract<PaymentEvent, { type: 'RefundRequested' }>;

const withRefund = (
  { requestId, amountMinor, reference, replaces }: RefundRequested,
  row: PaymentListRow,
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
  requestId: string | null,
  amountMinor: number,
): Partial<Unmade> =>
  requestId === null || disputed || status === 'returned'
    ? {}
    : { unmade_refunds: [...unmade, requestId], unmade_minor: [...minor, amountMinor] };

const CAPTURE_ORDER = ['to_capture', 'capture_sent', 'captured'] as const;

/** Of several captures the one that is furthest says where the payment is. */
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
      intent_id: null,
      provider_ids: [],
      refund_references: [],
      unknown: [],
      ...NONE_UNMADE,
      captured_minor: 0,
      refunded_minor: 0,
      disputed: false,
      mismatched: false,
      requested_at: event.at,
      updated_at: event.at,
      ...NO_MONEY_BACK,
    }),
  },
  {
    IntentCreated: ({ intentId }) => ({ status: 'open', intent_id: intentId }),
    IntentRejected: () => ({ status: 'rejected', unknown: [] }),
    AttemptRefused: ({ attemptId }, row) => withId(row, attemptId),
    PaymentAuthorized: ({ attemptId }, row) => ({
      status: 'authorized',
      method: 'card',
      ...withId(row, attemptId),
    }),
    DirectDebitAccepted: ({ attemptId }, row) => ({
      status: 'processing',
      method: 'sepa',
      ...withId(row, attemptId),
    }),
    CaptureAccepted: ({ providerCaptureId: id }, row) => ({
      ...furthest(row, 'to_capture'),
      ...(id !== undefined && withId(row, id)),
    }),
    // Of schema version 1 it does not say how much: it was all.
    CaptureSent: ({ amountMinor }, row) => ({
      ...furthest(row, 'capture_sent'),
      captured_minor: row.captured_minor + (amountMinor ?? row.amount_minor),
    }),
    PaymentCaptured: (_event, row) => furthest(row, 'captured'),
    PaymentCanceled: () => ({ status: 'canceled' }),
    AuthorizationExpired: () => ({ status: 'expired' }),
    DirectDebitReturned: () => ({ status: 'returned', captured_minor: 0, ...NONE_UNMADE }),
    RefundRequested: withRefund,
    RefundObserved: ({ refundId }, row) => withId(row, refundId),
    RefundSent: ({ refundId }, row) => withId(row, refundId),
    RefundFailed: ({ refundId, requestId, amountMinor }, row) => ({
      ...withId(row, refundId),
      ...withUnmade(row, requestId, amountMinor),
    }),
    RefundRejected: ({ requestId, amountMinor }, row) => withUnmade(row, requestId, amountMinor),
    RefundGivenUp: ({ requestId }, row) => withoutUnmade(row, requestId),
    RefundSucceeded: ({ refundId, amountMinor }, row) => ({
      refunded_minor: row.refunded_minor + amountMinor,
      ...withId(row, refundId),
    }),
    DisputeObserved: ({ disputeId }, row) => ({
      disputed: true,
      ...NONE_UNMADE,
      ...withId(row, disputeId),
    }),
    OutcomeUnknown: ({ call }, row) => ({ unknown: [...new Set([...row.unknown, call])] }),
    OutcomeSettled: ({ call }, row) => ({ unknown: row.unknown.filter((one) => one !== call) }),
    ProviderMismatchObserved: () => ({ mismatched: true }),
    DebitRequested: 'ignored',
    DebitRejected: 'ignored',
    PageFinished: 'ignored',
    AuthorizationExpiring: 'ignored',
    CaptureRequested: 'ignored',
    AuthorizationClosed: 'ignored',
    CancelRequested: 'ignored',
    DisputeMoved: 'ignored',
    DisputeReversed: 'ignored',
  },
);

const apply = dated<PaymentListRow>((row, recorded) => {
  const after = ofPayment(row, recorded);
  if (row === null || after === null) return after;
  return {
    ...after,
    ...moneyBackAfter(row, domainEvent<PaymentEvent>(recorded), recorded.version),
  };
});

/** Payments for lists and search; GET by id folds the stream instead. */
export const paymentList: Projection<PaymentListRow> = {
  name: 'payment_list',
  streamTypes: ['payment'],
  keyColumn: 'payment_id',
  columns: [
    'payment_id',
    'order_id',
    'platform_id',
    'account_id',
    'amount_minor',
    'currency',
    'status',
    'intent_id',
    'provider_ids',
    'refund_references',
    'unknown',
    'unmade_refunds',
    'unmade_minor',
    'captured_minor',
    'refunded_minor',
    'disputed',
    'mismatched',
    'requested_at',
    'updated_at',
    'method',
    'refunds',
    'disputes',
    'version',
  ] satisfies readonly (keyof PaymentListRow)[],
  apply,
  parts: [refundParts, disputeParts],
};
