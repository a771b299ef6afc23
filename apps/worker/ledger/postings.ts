import { assert } from '#kernel';
import type { PaymentEvent } from '#payment';
import { FEE_RULES, type Method, paymentFeeMinor, type PayoutEvent } from '#payout';

/**
 * The accounts of one provider account and currency, in minor units. `payer`: negative by what payers
 * have paid and did not get back as refunds. `provider`: what the provider owes the merchant, and has
 * not paid out. `merchant`: what was paid out. `fees`, `vat`: what the provider and the state have of
 * it. `disputes`: what payers' banks took back, and did not give back.
 */
export const LEDGER_ACCOUNTS = [
  'payer', 'provider', 'merchant', 'fees', 'vat', 'disputes',
] as const;

export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** What one event adds to each account. */
export type Postings = Readonly<Record<LedgerAccount, number>>;

export type EntryKind =
  | 'payment' | 'refund' | 'dispute' | 'dispute_reversal' | 'payout' | 'payout_failed';

/** One event's entry in the journal. */
export interface Entry {
  readonly kind: EntryKind;
  /** What it is about: our payment, the provider's refund or dispute, or the payout. */
  readonly objectId: string;
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

/** What the event makes of the book; null before the stream has one. */
export const bookAfter = (book: Book | null, event: PaymentEvent | PayoutEvent): Book | null => {
  switch (event.type) {
    case 'IntentRequested':
      return { of: 'payment', method: null };
    case 'PaymentAuthorized':
      return { of: 'payment', method: 'card' };
    case 'DirectDebitAccepted':
      return { of: 'payment', method: 'sepa' };
    case 'PayoutAnnounced': {
      const { amountMinor, feesVatMinor } = event;
      return { of: 'payout', amountMinor, vatMinor: feesVatMinor, isBooked: false };
    }
    case 'PayoutMoved':
      assert(book?.of === 'payout', 'a payout is announced before it moves');
      return { ...book, isBooked: event.status === 'sent' || event.status === 'paid' };
    default:
      return book;
  }
};

const captured = (amountMinor: number, feeMinor: number): Postings =>
  postings({ payer: -amountMinor, provider: amountMinor - feeMinor, fees: feeMinor });

const paidOut = (amountMinor: number, vat: number): Postings =>
  postings({ provider: -amountMinor - vat, merchant: amountMinor, vat });

const reversed = (minor: Postings): Postings =>
  postings(Object.fromEntries(LEDGER_ACCOUNTS.map((name) => [name, 0 - minor[name]])));

/**
 * What an event of this stream books; null where no money moves. A payout is booked when it leaves
 * the provider, and back when it fails after that. Completion, "States", for the fees.
 */
export const entryOf = (
  streamId: string, book: Book, event: PaymentEvent | PayoutEvent,
): Entry | null => {
  switch (event.type) {
    case 'PaymentCaptured': {
      assert(book.of === 'payment' && book.method !== null, 'a captured payment has its method');
      const { amountMinor } = event;
      const feeMinor = paymentFeeMinor(book.method, amountMinor);
      const moved = captured(amountMinor, feeMinor);
      return { kind: 'payment', objectId: streamId, amountMinor, postings: moved };
    }
    case 'RefundSucceeded': {
      const { refundId: objectId, amountMinor } = event;
      const moved = postings({ payer: amountMinor, provider: -amountMinor });
      return { kind: 'refund', objectId, amountMinor, postings: moved };
    }
    case 'DisputeObserved': {
      // Our own rule: what the provider has taken stands in the payout's line.
      const { disputeId: objectId, amountMinor } = event;
      const feeMinor = FEE_RULES.disputeMinor;
      const moved = postings({
        disputes: amountMinor, provider: -amountMinor - feeMinor, fees: feeMinor,
      });
      return { kind: 'dispute', objectId, amountMinor, postings: moved };
    }
    case 'DisputeReversed': {
      // The fee of a dispute stays with the provider, whoever wins it.
      const { disputeId: objectId, amountMinor } = event;
      const moved = postings({ disputes: -amountMinor, provider: amountMinor });
      return { kind: 'dispute_reversal', objectId, amountMinor, postings: moved };
    }
    case 'PayoutMoved': {
      assert(book.of === 'payout', 'a payout moves on its own stream');
      const { amountMinor, vatMinor: vat, isBooked } = book;
      const isLeaving = event.status === 'sent' || event.status === 'paid';
      if (isLeaving === isBooked) return null;
      const moved = paidOut(amountMinor, vat);
      return isLeaving
        ? { kind: 'payout', objectId: streamId, amountMinor, postings: moved }
        : { kind: 'payout_failed', objectId: streamId, amountMinor, postings: reversed(moved) };
    }
    default:
      return null;
  }
};
