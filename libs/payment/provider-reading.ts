import { instantFromMs, SECOND_MS } from '#kernel';
import {
  type PaymentClient, referenceOfIntent, type WireDispute, type WirePayment, type WirePaymentIntent,
  type WireRefund,
} from '#psp-hosted';
import type {
  Observation, ObservedAttempt, ObservedDispute, ObservedIntent, ObservedRefund,
} from './domain/observation.js';

/** The part of the payment API that reading an intent takes. */
export type IntentReader = Pick<
  PaymentClient, 'getIntent' | 'listIntentPayments' | 'listIntentRefunds' | 'listIntentDisputes'
>;

/** With which an intent is read, and found by our reference where it has no such id. */
export type IntentFinder = IntentReader & Pick<PaymentClient, 'findIntentsByOrderId'>;

/** Specification, "Payment intent": the currency that an intent has when none is named. */
const DEFAULT_CURRENCY = 'eur';

const intentOf = (wire: WirePaymentIntent): ObservedIntent => ({
  intentId: wire.id,
  reference: referenceOfIntent(wire),
  pageUrl: wire.url,
  status: wire.status,
  amountMinor: wire.amount,
  currency: wire.currency ?? DEFAULT_CURRENCY,
});

/** An attempt, also as a line of a payout shows it. */
export const attemptOf = (wire: WirePayment): ObservedAttempt => ({
  attemptId: wire.id,
  status: wire.status,
  response: wire.response,
  method: wire.method === 'card' || wire.method === 'sepa' ? wire.method : null,
  mandateId: wire.sepa?.id ?? null,
  createdAt: instantFromMs(wire.created * SECOND_MS),
});

/** A refund, also as the answer to the call that made it shows it. */
export const refundOfAnswer = (wire: WireRefund): ObservedRefund => ({
  refundId: wire.id,
  amountMinor: wire.amount,
  currency: wire.currency,
  status: wire.status,
  createdAt: instantFromMs(wire.created * SECOND_MS),
});

/** A dispute, also as a list or a line of a payout shows it. */
export const disputeOf = (wire: WireDispute): ObservedDispute => ({
  disputeId: wire.id,
  kind: wire.type === 'sepa_return' ? 'sepa_return' : 'chargeback',
  amountMinor: wire.amount,
  currency: wire.currency,
  feeMinor: wire.fee,
  response: wire.response,
  status: wire.status,
  createdAt: instantFromMs(wire.created * SECOND_MS),
});

/** What the answer to a call shows: the intent, and nothing of what is in it. */
export const observationOfAnswer = (wire: WirePaymentIntent): Observation => ({
  intent: intentOf(wire),
  attempts: null,
  refunds: null,
  disputes: null,
});

/**
 * Completion, "Resources": before them there are no refunds, and before `captured` no disputes. A
 * debit that came back (`unpaid`) may have had refunds, which failed with it.
 */
const MAY_BE_REFUNDED: ReadonlySet<string> = new Set(['capture_sent', 'captured', 'unpaid']);
const MAY_BE_DISPUTED: ReadonlySet<string> = new Set(['captured']);

const HAS_LEFT: ReadonlySet<string | null> = new Set(['capture_sent', 'captured']);

/**
 * Completion, "Settled": a direct debit's intent is `processing` until it has settled; that it was
 * sent, so that it is refunded and no longer cancelled, its attempt tells.
 */
const statusOf = (
  { status }: WirePaymentIntent, [latest]: readonly Pick<WirePayment, 'status'>[],
): string =>
  status === 'processing' && HAS_LEFT.has(latest?.status ?? null) ? 'capture_sent' : status;

/**
 * Completes an intent that was just read by its attempts, refunds and disputes. They are read after
 * the intent, so what its status speaks of is among them; the disputes before the refunds, so that a
 * dispute never comes without the refund that it made fail. Throws a `ProviderError`.
 */
export const withDetails = async (
  reader: IntentReader, wire: WirePaymentIntent,
): Promise<Observation> => {
  const { id } = wire;
  // `payment` is the latest attempt: without one there is no list to ask for.
  const attempts = wire.payment === null ? [] : await reader.listIntentPayments(id);
  const status = statusOf(wire, attempts);
  const disputes = MAY_BE_DISPUTED.has(status) ? await reader.listIntentDisputes(id) : null;
  const refunds = MAY_BE_REFUNDED.has(status) ? await reader.listIntentRefunds(id) : null;
  return {
    intent: { ...intentOf(wire), status },
    attempts: attempts.map(attemptOf).toReversed(),
    refunds: refunds?.map(refundOfAnswer).toReversed() ?? null,
    disputes: disputes?.map(disputeOf).toReversed() ?? null,
  };
};

/**
 * One full look at an intent, for every door through which provider facts come (webhook, poll,
 * refresh, a call's outcome). Throws a `ProviderError`.
 */
export const readPayment = async (reader: IntentReader, intentId: string): Promise<Observation> =>
  withDetails(reader, await reader.getIntent(intentId));
