import { domainEvent } from '#log';
import type { PaymentEvent } from '#payment';
import { type Book, bookEvent, type Booking } from '../../apps/worker/ledger/postings.js';
import type { SimulatedDatabase } from './ports/database.js';
import type { SimulatedIntent } from './provider/intent.js';

const sumOf = (items: readonly { readonly amount: number }[]): number =>
  items.reduce((sum, { amount }) => sum + amount, 0);

/**
 * The balances of two ledger accounts for a payment: `payer` (refunds minus captures), and
 * `disputes` (the disputed amount).
 */
const booked = (paymentId: string, database: SimulatedDatabase) => {
  const sums = { payer: 0, disputes: 0 };
  let book: Book | null = null;
  for (const row of database.stream({ streamType: 'payment', streamId: paymentId })) {
    const event = domainEvent<PaymentEvent>(row);
    const { book: after, entry }: Booking = bookEvent(paymentId, book, event);
    book = after;
    sums.payer += entry?.postings.payer ?? 0;
    sums.disputes += entry?.postings.disputes ?? 0;
  }
  return sums;
};

/** The differences between the ledger's entries of a payment and the provider's amounts. */
export const ofLedger = (
  paymentId: string,
  intent: SimulatedIntent | null,
  database: SimulatedDatabase,
): readonly string[] => {
  if (intent === null) return [];
  const captured = intent.status === 'captured' ? intent.amount : 0;
  const refunded = sumOf(intent.refunds.filter(({ status }) => status === 'refunded'));
  const disputed = sumOf(intent.disputes.filter(({ status }) => status !== 'won'));
  const { payer, disputes } = booked(paymentId, database);
  return [
    ...(payer === refunded - captured
      ? []
      : [`balance of the payer: ${payer} in the ledger, ${refunded - captured} at the provider`]),
    ...(disputes === disputed
      ? []
      : [`disputed amount: ${disputes} in the ledger, ${disputed} at the provider`]),
  ];
};
