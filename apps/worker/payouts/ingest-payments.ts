import { AssertionFailed, type Clock, Rejection } from '#kernel';
import { type EventStore, untraced } from '#log';
import {
  capturedMinor,
  exists,
  type Existing,
  isOver,
  mayHaveCaptures,
  type Observation,
  PAYMENT_READ_DEADLINE,
  type Payment,
  paymentAggregate,
  type PaymentCommand,
  paymentDecider,
} from '#payment';
import type { Logger } from '#platform';
import type { Capabilities, ListedDispute, ListedPayment, ListedRefund, ReachedStatus } from '#psp';

/** A fact about a payment of ours, from a list or a payout's line. */
export type PaymentFact =
  | { readonly of: 'payment'; readonly shown: ListedPayment }
  | { readonly of: 'refund'; readonly shown: ListedRefund }
  | { readonly of: 'dispute'; readonly shown: ListedDispute };

/** Our payment, as the provider's payment names it. */
export interface PaymentReference {
  readonly paymentId: string;
  /** Its intent; null where an earlier line has shown that it is ours. */
  readonly intentId: string | null;
}

export interface AddressedFact {
  readonly reference: PaymentReference;
  readonly fact: PaymentFact;
}

/** The account whose list or payout shows the facts, and whether its provider shows captures. */
export interface FactSource {
  readonly accountId: string;
  readonly capabilities: Pick<Capabilities, 'partialCapture'>;
}

export interface PaymentIngestDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The phase that the intent has reached at least; null where the fact does not show it. */
const reachedBy = ({ of, shown }: PaymentFact): ReachedStatus =>
  of === 'dispute' ? 'captured' : shown.reached;

/**
 * The intent as the fact shows it. The fact's amount is compared by the reconciliation, line by
 * line; the intent's amount is not in the fact.
 */
const observationOf = (
  reference: string,
  payment: Existing,
  fact: PaymentFact,
  how: { readonly status: NonNullable<ReachedStatus>; readonly source: FactSource },
): Observation => {
  const {
    intentId,
    pageUrl,
    terms: { amountMinor, currency },
  } = payment;
  const {
    status,
    source: { capabilities },
  } = how;
  // A provider that shows captures shows none by a refund or a dispute, so none is implied.
  const captures = capabilities.partialCapture ? { captures: [] } : {};
  const intent = { intentId, reference, pageUrl, status, amountMinor, currency, ...captures };
  const nothing = { intent, attempts: null, refunds: null, disputes: null };
  switch (fact.of) {
    case 'payment': {
      const { capture, method } = fact.shown;
      if (capture === undefined || method === 'sepa') return { ...nothing, attempts: [fact.shown] };
      // One capture does not close the authorization: others may be missing from it.
      const shown = isOver(payment) ? status : 'authorized';
      const one = { ...intent, status: shown, captures: [capture] };
      return { ...nothing, intent: one, attempts: [fact.shown] };
    }
    case 'refund':
      return { ...nothing, refunds: [fact.shown] };
    case 'dispute':
      return { ...nothing, disputes: [fact.shown] };
  }
};

/**
 * Other systems that share the provider's account make payments too, perhaps with our reference. An
 * intent cannot be checked before its creation is resolved.
 */
const isOurs = (
  payment: Payment,
  accountId: string,
  { intentId }: PaymentReference,
): payment is Exclude<Payment, { status: 'none' }> => {
  if (payment.status === 'none' || payment.terms.accountId !== accountId) return false;
  if (!exists(payment)) return payment.status === 'requested';
  return intentId === null || payment.intentId === intentId;
};

/** A reversal lacks the dispute's amount and fee: its own line or the list of disputes has them. */
const isOfUnknownDispute = ({ disputes }: Existing, fact: PaymentFact): boolean =>
  fact.of === 'dispute' &&
  fact.shown.isReversal &&
  !disputes.some(({ disputeId }) => disputeId === fact.shown.disputeId);

/**
 * A refund or dispute of more than the captures that are recorded: a provider that shows captures
 * shows the missing one by the payment, not by the fact.
 */
const needsCapture = (
  payment: Payment,
  { of, shown }: PaymentFact,
  { capabilities }: FactSource,
): boolean =>
  of !== 'payment' &&
  capabilities.partialCapture &&
  mayHaveCaptures(payment) &&
  capturedMinor(payment) < shown.amountMinor;

const isOurFault = (error: unknown): boolean =>
  error instanceof AssertionFailed || error instanceof Rejection;

/**
 * Records the facts of a page on their payments. The streams are read together, and the store
 * commits the steps of a page together, so a page costs a read and a commit or two; a recorded fact
 * costs no commit.
 */
export class PaymentIngest {
  constructor(private readonly dependencies: PaymentIngestDependencies) {}

  /**
   * Returns the facts of our payments. `cause` names the task. Rejects when the database fails, and
   * where only a newer release can read one of the payments, once all others are recorded; a page
   * may be ingested again.
   */
  async ingest(
    source: FactSource,
    facts: readonly AddressedFact[],
    cause: string,
  ): Promise<ReadonlySet<PaymentFact>> {
    if (facts.length === 0) return new Set();
    const { store } = this.dependencies;
    const ids = [...new Set(facts.map(({ reference }) => reference.paymentId))];
    await store.recall(paymentAggregate, ids);
    // Pages are newest first: the older of two facts about a payment is recorded first.
    const passed = await Promise.allSettled(
      facts.toReversed().map(async (one) => {
        const { reference, fact } = one;
        const { state: payment } = await store.loadRecent(paymentAggregate, reference.paymentId);
        if (!isOurs(payment, source.accountId, reference)) return [];
        if (exists(payment)) await this.observe(payment, one, { source, cause });
        return [fact];
      }),
    );
    return new Set(
      passed.flatMap((one) => {
        if (one.status === 'rejected') throw one.reason;
        return one.value;
      }),
    );
  }

  private async observe(
    payment: Existing,
    { reference: { paymentId }, fact }: AddressedFact,
    { source, cause }: { readonly source: FactSource; readonly cause: string },
  ): Promise<void> {
    const { store, clock, logger } = this.dependencies;
    const status = reachedBy(fact);
    if (status === null || isOfUnknownDispute(payment, fact)) return;
    const command: PaymentCommand = {
      type: 'ObservePayment',
      paymentId,
      at: clock.now(),
      observation: observationOf(paymentId, payment, fact, { status, source }),
    };
    const metadata = untraced(payment.terms.orderId, cause, 'provider');
    if (needsCapture(payment, fact, source)) {
      const readNow = { kind: PAYMENT_READ_DEADLINE, key: paymentId, dueAt: command.at };
      await store.step(metadata, (step) => step.setDeadline(readNow));
      return;
    }
    try {
      // A fact without news for the loaded state has none for a later state either.
      if (paymentDecider.decide(payment, command).length === 0) return;
      await store.execute(paymentAggregate, paymentId, command, metadata);
    } catch (err) {
      if (!isOurFault(err)) throw err;
      // One payment must not block the others of the page: its line stays unmatched.
      logger.error({ err, paymentId }, 'a fact of a list was not recorded');
    }
  }
}
