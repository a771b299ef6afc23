import { ignored } from '#kernel';
import { column, type Projection, type RowOf, rowsFrom } from '#projections';
import type { PaymentEvent } from '../domain/payment-event.js';

const COLUMNS = {
  payment_id: column<string>(),
  order_id: column<string>(),
  platform_id: column<string>(),
  account_id: column<string>(),
  /** The mandate's id (`sepa_…`); null until the provider has accepted a debit. */
  mandate_id: column<string | null>(),
  debited_at: column<string | null>(),
};

/** A row of `mandate_use`: a payment that is a direct debit, or may become one. */
export type MandateUseRow = RowOf<typeof COLUMNS>;

const apply = rowsFrom<MandateUseRow, PaymentEvent, 'IntentRequested'>(
  {
    // A payment that allows only cards uses no mandate, so it has no row.
    IntentRequested: ({ orderId, platformId, accountId, methods }, streamId) =>
      methods.includes('sepa')
        ? {
            payment_id: streamId,
            order_id: orderId,
            platform_id: platformId,
            account_id: accountId,
            mandate_id: null,
            debited_at: null,
          }
        : null,
  },
  {
    DirectDebitAccepted: ({ mandateId, at }) => ({ mandate_id: mandateId ?? null, debited_at: at }),
    ...ignored('IntentCreated', 'IntentRejected', 'AttemptRefused', 'PaymentAuthorized'),
    ...ignored('DebitRequested', 'DebitRejected', 'PaymentPageCompleted', 'AuthorizationExpiring'),
    ...ignored('CaptureRequested', 'CaptureAccepted', 'CaptureSent', 'PaymentCaptured'),
    ...ignored('CaptureRejected', 'AuthorizationClosed', 'CancelRequested', 'PaymentCanceled'),
    ...ignored('AuthorizationExpired', 'DirectDebitReturned', 'RefundQueued', 'RefundRequested'),
    ...ignored('RefundRejected', 'RefundAbandoned', 'RefundObserved', 'RefundSent'),
    ...ignored('RefundSucceeded', 'RefundFailed'),
    ...ignored('DisputeObserved', 'DisputeStatusChanged', 'DisputeReversed'),
    ...ignored('RequestResultUnknown', 'RequestResultResolved', 'PaymentMismatchObserved'),
    ...ignored('PaymentMismatchesReviewed'),
  },
);

/** The mandates that were debited: the list of mandates that orders can reuse. */
export const mandateUse: Projection<MandateUseRow> = {
  name: 'mandate_use',
  streamTypes: ['payment'],
  keyColumn: 'payment_id',
  columns: COLUMNS,
  apply: (row, event) =>
    row === null && event.type !== 'IntentRequested' ? null : apply(row, event),
};
