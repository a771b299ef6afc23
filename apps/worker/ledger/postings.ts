import { assert, type EventMap, ignored, mapEvent } from '#kernel';
import type { PaymentEvent } from '#payment';
import {
  FEE_RULES,
  type LedgerAccountName,
  type LedgerEntryKind,
  type Method,
  paymentFeeMinor,
  type PayoutEvent,
} from '#payout';

/** The amount that one event adds to each account. */
export type Postings = Readonly<Record<LedgerAccountName, number>>;

/** One event's entry in the journal. */
export interface Entry {
  readonly kind: LedgerEntryKind;
  /**
   * The object that the entry is about: our payment, or the provider's capture if the provider
   * shows captures; the provider's refund or dispute; or the payout. For a correction, the
   * provider's id of the payout line.
   */
  readonly objectId: string;
  /** The capture that collected the money (`cap_…`); null if no capture did. */
  readonly captureId: string | null;
  /**
   * The absolute amount that was paid, refunded, disputed, won, paid out or corrected; 0 if only a
   * fee was corrected.
   */
  readonly amountMinor: number;
  readonly postings: Postings;
}

/** The state of a stream that the ledger needs to book the stream's next event. */
export type Book =
  | { readonly of: 'payment'; readonly method: Method | null }
  | {
      readonly of: 'payout';
      readonly amountMinor: number;
      readonly vatMinor: number;
      /** Whether the payout is booked, because the provider has sent the money. */
      readonly isBooked: boolean;
    };

const postings = (some: Partial<Postings>): Postings => {
  const all = { payer: 0, provider: 0, merchant: 0, fees: 0, vat: 0, disputes: 0, ...some };
  const sum = Object.values(all).reduce((total, minor) => total + minor, 0);
  assert(sum === 0, 'the postings of an event sum to zero');
  return all;
};

/** The stream's booking state after an event, and the journal entry if the event moves money. */
export interface Booking {
  /** The stream's booking state; null if no event so far has set it. */
  readonly book: Book | null;
  readonly entry: Entry | null;
}

const opened = (book: Book): Booking => ({ book, entry: null });

/** The postings of an event that moves money; accounts without a posting get 0. */
const moved = (
  book: Book | null,
  kind: LedgerEntryKind,
  about: Pick<Entry, 'objectId' | 'amountMinor'> & Partial<Pick<Entry, 'captureId'>>,
  some: Partial<Postings>,
): Booking => ({ book, entry: { kind, captureId: null, ...about, postings: postings(some) } });

/**
 * A payout is booked when the provider sends it. If the payout fails after that, the booking is
 * reversed.
 */
const payoutMoved = (
  { status }: PayoutEvent & { type: 'PayoutStatusChanged' },
  objectId: string,
  before: Book | null,
): Booking => {
  assert(before?.of === 'payout', 'a payout is announced before it moves');
  const { amountMinor, vatMinor: vat, isBooked } = before;
  const isLeaving = status === 'sent' || status === 'paid';
  const book = { ...before, isBooked: isLeaving };
  if (isLeaving === isBooked) return { book, entry: null };
  return isLeaving
    ? moved(
        book,
        'payout',
        { objectId, amountMinor },
        { provider: -amountMinor - vat, merchant: amountMinor, vat },
      )
    : moved(
        book,
        'payout_failed',
        { objectId, amountMinor },
        { provider: amountMinor + vat, merchant: 0 - amountMinor, vat: 0 - vat },
      );
};

/**
 * The difference between a payout line and the ledger. No VAT: the payout's entry contains the VAT
 * that the payout states.
 */
const lineCorrected = (
  {
    lineKind,
    objectId,
    amountMinor,
    feesMinor: fees,
  }: PayoutEvent & { type: 'PayoutLineCorrected' },
  _payoutId: string,
  book: Book | null,
): Booking => {
  const isOfDispute = lineKind === 'dispute' || lineKind === 'dispute_reversal';
  return moved(
    book,
    `${lineKind}_correction`,
    { objectId, amountMinor: Math.abs(amountMinor) },
    { provider: amountMinor - fees, fees, [isOfDispute ? 'disputes' : 'payer']: 0 - amountMinor },
  );
};

const BOOKINGS: EventMap<PaymentEvent | PayoutEvent, [string, Book | null], Booking> = {
  IntentRequested: () => opened({ of: 'payment', method: null }),
  PaymentAuthorized: () => opened({ of: 'payment', method: 'card' }),
  DirectDebitAccepted: () => opened({ of: 'payment', method: 'sepa' }),
  PaymentCaptured: ({ captureId, providerCaptureId, amountMinor }, paymentId, book) => {
    assert(book?.of === 'payment' && book.method !== null, 'a captured payment has its method');
    const fees = paymentFeeMinor(book.method, amountMinor);
    const objectId = providerCaptureId ?? paymentId;
    return moved(
      book,
      'payment',
      { objectId, captureId, amountMinor },
      { payer: -amountMinor, provider: amountMinor - fees, fees },
    );
  },
  RefundSucceeded: ({ refundId: objectId, amountMinor }, _streamId, book) =>
    moved(
      book,
      'refund',
      { objectId, amountMinor },
      { payer: amountMinor, provider: -amountMinor },
    ),
  DisputeObserved: ({ disputeId: objectId, amountMinor }, _streamId, book) => {
    // The dispute fee by the provider's price list; the fee actually charged is in the payout line.
    const fees = FEE_RULES.disputeMinor;
    return moved(
      book,
      'dispute',
      { objectId, amountMinor },
      { disputes: amountMinor, provider: -amountMinor - fees, fees },
    );
  },
  // The provider keeps the dispute fee even if the merchant wins the dispute.
  DisputeReversed: ({ disputeId: objectId, amountMinor }, _streamId, book) =>
    moved(
      book,
      'dispute_reversal',
      { objectId, amountMinor },
      { disputes: -amountMinor, provider: amountMinor },
    ),
  PayoutAnnounced: ({ amountMinor, feesVatMinor }) =>
    opened({ of: 'payout', amountMinor, vatMinor: feesVatMinor, isBooked: false }),
  PayoutStatusChanged: payoutMoved,
  PayoutLineCorrected: lineCorrected,
  ...ignored('IntentCreated', 'IntentRejected', 'AttemptRefused', 'DebitRequested'),
  ...ignored('DebitRejected', 'PaymentPageCompleted', 'AuthorizationExpiring', 'CaptureRequested'),
  ...ignored('CaptureAccepted', 'CaptureSent', 'CaptureRejected', 'AuthorizationClosed'),
  ...ignored('CancelRequested', 'PaymentCanceled', 'AuthorizationExpired', 'DirectDebitReturned'),
  ...ignored(
    'RefundQueued',
    'RefundRequested',
    'RefundRejected',
    'RefundAbandoned',
    'RefundObserved',
  ),
  ...ignored('RefundSent', 'RefundFailed', 'DisputeStatusChanged', 'RequestResultUnknown'),
  ...ignored('RequestResultResolved', 'PaymentMismatchObserved', 'PayoutLinesRead'),
  ...ignored('PaymentMismatchesReviewed'),
  ...ignored('PayoutReconciled', 'PayoutMismatchObserved'),
};

/**
 * Returns the journal entry of an event of this stream; most events move no money. For the fees see
 * docs/provider/payments-completion.md#states.
 */
export const bookEvent = (
  streamId: string,
  book: Book | null,
  event: PaymentEvent | PayoutEvent,
): Booking => mapEvent(BOOKINGS, { book, entry: null }, event, streamId, book);
