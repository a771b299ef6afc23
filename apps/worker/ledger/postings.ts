import { assert, type EventMap, mapEvent } from '#kernel';
import type { PaymentEvent } from '#payment';
import { FEE_RULES, type Method, paymentFeeMinor, type PayoutEvent } from '#payout';

/**
 * The accounts of one provider account and currency, in minor units. `payer`: negative by what payers
 * have paid and did not get back as refunds. `provider`: what the provider owes the merchant, and has
 * not paid out. `merchant`: what was paid out. `fees`, `vat`: what the provider and the state have of
 * it. `disputes`: what payers' banks took back, and did not give back.
 */
export const LEDGER_ACCOUNTS = [
  'payer',
  'provider',
  'merchant',
  'fees',
  'vat',
  'disputes',
] as const;

export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** What one event adds to each account. */
export type Postings = Readonly<Record<LedgerAccount, number>>;

export type EntryKind =
  | 'payment'
  | 'refund'
  | 'dispute'
  | 'dispute_reversal'
  | 'payout'
  | 'payout_failed';

/** One event's entry in the journal. */
export interface Entry {
  readonly kind: EntryKind;
  /**
   * What it is about: our payment, or the provider's capture of it where it shows captures; the
   * provider's refund or dispute, or the payout.
   */
  readonly objectId: string;
  /** By which money came in (`cap_…`); null where none did. */
  readonly captureId: string | null;
  /** Without a sign: what was paid, refunded, disputed, won back or paid out. */
  readonly amountMinor: number;
  readonly postings: Postings;
}

/** What is known of a stream that is booked on. */
export type Book =
  | { readonly of: 'payment'; readonly method: Method | null }
  | {
      readonly of: 'payout';
      readonly amountMinor: number;
      readonly vatMinor: number;
      /** Whether the money has left the provider. */
      readonly isBooked: boolean;
    };

const postings = (some: Partial<Postings>): Postings => {
  const all = { payer: 0, provider: 0, merchant: 0, fees: 0, vat: 0, disputes: 0, ...some };
  const sum = Object.values(all).reduce((total, minor) => total + minor, 0);
  assert(sum === 0, 'the postings of an event sum to zero');
  return all;
};

/** What an event makes of the book of its stream, and the journal's entry where money moves. */
export interface Booking {
  /** Null before the stream has one. */
  readonly book: Book | null;
  readonly entry: Entry | null;
}

const opened = (book: Book): Booking => ({ book, entry: null });

/** Money has moved: what is not named among the postings is 0. */
const moved = (
  book: Book | null,
  kind: EntryKind,
  about: Pick<Entry, 'objectId' | 'amountMinor'> & Partial<Pick<Entry, 'captureId'>>,
  some: Partial<Postings>,
): Booking => ({ book, entry: { kind, captureId: null, ...about, postings: postings(some) } });

/** A payout is booked when it leaves the provider, and back when it fails after that. */
const payoutMoved = (
  { status }: PayoutEvent & { type: 'PayoutMoved' },
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
    // Our own rule: what the provider has taken stands in the payout's line.
    const fees = FEE_RULES.disputeMinor;
    return moved(
      book,
      'dispute',
      { objectId, amountMinor },
      { disputes: amountMinor, provider: -amountMinor - fees, fees },
    );
  },
  // The fee of a dispute stays with the provider, whoever wins it.
  DisputeReversed: ({ disputeId: objectId, amountMinor }, _streamId, book) =>
    moved(
      book,
      'dispute_reversal',
      { objectId, amountMinor },
      { disputes: -amountMinor, provider: amountMinor },
    ),
  PayoutAnnounced: ({ amountMinor, feesVatMinor }) =>
    opened({ of: 'payout', amountMinor, vatMinor: feesVatMinor, isBooked: false }),
  PayoutMoved: payoutMoved,
  IntentCreated: 'ignored',
  IntentRejected: 'ignored',
  AttemptRefused: 'ignored',
  DebitRequested: 'ignored',
  DebitRejected: 'ignored',
  PageFinished: 'ignored',
  AuthorizationExpiring: 'ignored',
  CaptureRequested: 'ignored',
  CaptureAccepted: 'ignored',
  CaptureSent: 'ignored',
  AuthorizationClosed: 'ignored',
  CancelRequested: 'ignored',
  PaymentCanceled: 'ignored',
  AuthorizationExpired: 'ignored',
  DirectDebitReturned: 'ignored',
  RefundRequested: 'ignored',
  RefundRejected: 'ignored',
  RefundGivenUp: 'ignored',
  RefundObserved: 'ignored',
  RefundSent: 'ignored',
  RefundFailed: 'ignored',
  DisputeMoved: 'ignored',
  OutcomeUnknown: 'ignored',
  OutcomeSettled: 'ignored',
  ProviderMismatchObserved: 'ignored',
  PayoutLinesRead: 'ignored',
  PayoutReconciled: 'ignored',
  PayoutMismatchObserved: 'ignored',
};

/**
 * What an event of this stream books; most move no money.
 * docs/provider/payments-completion.md#states, for the fees.
 */
export const bookEvent = (
  streamId: string,
  book: Book | null,
  event: PaymentEvent | PayoutEvent,
): Booking => mapEvent(BOOKINGS, { book, entry: null }, event, streamId, book);
