import { AssertionFailed, type Clock, Rejection } from '#kernel';
import type { EventStore } from '#log';
import {
  exists,
  type Existing,
  type Observation,
  type Payment,
  paymentAggregate,
  type PaymentCommand,
  paymentDecider,
} from '#payment';
import type { Logger } from '#platform';
import type { ListedDispute, ListedPayment, ListedRefund, ReachedStatus } from '#psp';

/** A fact that a list or a payout's line shows of a payment of ours. */
export type PaymentFact =
  | { readonly of: 'payment'; readonly shown: ListedPayment }
  | { readonly of: 'refund'; readonly shown: ListedRefund }
  | { readonly of: 'dispute'; readonly shown: ListedDispute };

/** Which payment of ours one of the provider's says that it is. */
export interface PaymentReference {
  readonly paymentId: string;
  /** The intent that it is of; null where a line has told already that it is ours. */
  readonly intentId: string | null;
}

export interface AddressedFact {
  readonly reference: PaymentReference;
  readonly fact: PaymentFact;
}

export interface PaymentDoorParts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How far the intent has come at least; null where the fact does not tell. */
const reachedBy = ({ of, shown }: PaymentFact): ReachedStatus =>
  of === 'dispute' ? 'captured' : shown.reached;

/**
 * The intent as the fact shows it. What it says of money is compared by the reconciliation, line by
 * line; the intent's own amount is not told here.
 */
const observationOf = (
  reference: string,
  payment: Existing,
  fact: PaymentFact,
  status: NonNullable<ReachedStatus>,
): Observation => {
  const {
    intentId,
    pageUrl,
    terms: { amountMinor, currency },
  } = payment;
  const intent = { intentId, reference, pageUrl, status, amountMinor, currency };
  const nothing = { intent, attempts: null, refunds: null, disputes: null };
  switch (fact.of) {
    case 'payment': {
      const { capture } = fact.shown;
      if (capture === undefined) return { ...nothing, attempts: [fact.shown] };
      // Of the other captures, and of what may still be captured, it does not tell.
      const open = { ...intent, status: 'authorized', captures: [capture] };
      return { ...nothing, intent: open, attempts: [fact.shown] };
    }
    case 'refund':
      return { ...nothing, refunds: [fact.shown] };
    case 'dispute':
      return { ...nothing, disputes: [fact.shown] };
  }
};

/**
 * Whoever shares the provider's account with us makes payments of their own, perhaps under our
 * reference. Whether it is of our intent nobody knows before the intent's creation is settled.
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

/** The dispute's own line, or the list of disputes, tells first what it took, and its fee. */
const isOfUnknownDispute = ({ disputes }: Existing, fact: PaymentFact): boolean =>
  fact.of === 'dispute' &&
  fact.shown.isReversal &&
  !disputes.some(({ disputeId }) => disputeId === fact.shown.disputeId);

const isOurFault = (error: unknown): boolean =>
  error instanceof AssertionFailed || error instanceof Rejection;

/**
 * Passes a page of facts through each payment's one door. The streams are read together, and the
 * steps of a page are committed together by the store, so a page costs a read and a commit or two;
 * what is known already costs no commit.
 */
export class PaymentDoor {
  constructor(private readonly parts: PaymentDoorParts) {}

  /**
   * Answers those that are of our payments. `cause` names the task. Rejects when the database
   * fails, and where only a newer release can read one of the payments, once all others have taken
   * in what is theirs; a page may come again.
   */
  async pass(
    accountId: string,
    facts: readonly AddressedFact[],
    cause: string,
  ): Promise<ReadonlySet<PaymentFact>> {
    if (facts.length === 0) return new Set();
    const { store } = this.parts;
    const ids = [...new Set(facts.map(({ reference }) => reference.paymentId))];
    await store.recall(paymentAggregate, ids);
    // Pages are newest first: of two facts of a payment the older one passes before the other.
    const passed = await Promise.allSettled(
      facts.toReversed().map(async (one) => {
        const { reference, fact } = one;
        const { state: payment } = await store.loadRecent(paymentAggregate, reference.paymentId);
        if (!isOurs(payment, accountId, reference)) return [];
        if (exists(payment)) await this.observe(payment, one, cause);
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
    cause: string,
  ): Promise<void> {
    const { store, clock, logger } = this.parts;
    const status = reachedBy(fact);
    if (status === null || isOfUnknownDispute(payment, fact)) return;
    const command: PaymentCommand = {
      type: 'ObservePayment',
      paymentId,
      at: clock.now(),
      observation: observationOf(paymentId, payment, fact, status),
    };
    const metadata = {
      correlationId: payment.terms.orderId,
      causationId: cause,
      actor: 'provider',
      traceparent: null,
    };
    try {
      // What it was known to have passed it has passed, however far it has gone since.
      if (paymentDecider.decide(payment, command).length === 0) return;
      await store.execute(paymentAggregate, paymentId, command, metadata);
    } catch (err) {
      if (!isOurFault(err)) throw err;
      // One payment must not hold the others of the page back: its line stays unexplained.
      logger.error({ err, paymentId }, 'a payment takes in no fact of a list');
    }
  }
}
