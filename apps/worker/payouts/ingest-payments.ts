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

/** What a list or a payout's line shows about a payment of ours. */
export type PaymentFact =
  | { readonly of: 'payment'; readonly shown: ListedPayment }
  | { readonly of: 'refund'; readonly shown: ListedRefund }
  | { readonly of: 'dispute'; readonly shown: ListedDispute };

/** The reference to our payment, from the provider's payment. */
export interface PaymentReference {
  readonly paymentId: string;
  /** The payment's intent; null if an earlier line has shown that the payment is ours. */
  readonly intentId: string | null;
}

export interface AddressedFact {
  readonly reference: PaymentReference;
  readonly fact: PaymentFact;
}

/**
 * The account whose list or payout shows the facts, and the capabilities of the account's provider.
 */
export interface FactSource {
  readonly accountId: string;
  readonly capabilities: Pick<Capabilities, 'partialCapture'>;
}

/**
 * The status that the intent has at least reached according to the fact; null if the fact proves no
 * status.
 */
const reachedBy = ({ of, shown }: PaymentFact): ReachedStatus =>
  of === 'dispute' ? 'captured' : shown.reached;

/**
 * Converts the fact into an observation of the intent. The observation omits the intent's amount,
 * which the fact does not contain; the reconciliation compares the amounts line by line.
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
  // If the provider shows captures separately, no capture is derived from a refund or a dispute.
  const captures = capabilities.partialCapture ? { captures: [] } : {};
  const intent = { intentId, reference, pageUrl, status, amountMinor, currency, ...captures };
  const nothing = { intent, attempts: null, refunds: null, disputes: null };
  switch (fact.of) {
    case 'payment': {
      const { capture, method } = fact.shown;
      if (capture === undefined || method === 'sepa') return { ...nothing, attempts: [fact.shown] };
      // A single capture does not show that the authorization is closed, because further captures
      // may follow.
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
 * Whether the payment is ours. Other systems that use the same provider account create payments
 * too, perhaps with our reference, so the intent is compared. While the result of our creation call
 * is unknown, there is no intent to compare.
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

/**
 * Whether the fact is the reversal of a dispute that is not recorded. The reversal is then ignored:
 * only the dispute's own line or the list of disputes shows the dispute's amount and fee.
 */
const isOfUnknownDispute = ({ disputes }: Existing, fact: PaymentFact): boolean =>
  fact.of === 'dispute' &&
  fact.shown.isReversal &&
  !disputes.some(({ disputeId }) => disputeId === fact.shown.disputeId);

/**
 * Whether a refund or dispute exceeds the recorded captures, so that a capture is not recorded yet.
 * If the provider shows captures separately, a read of the payment must find that capture.
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
 * Records the facts of a page on their payments. All event streams are read together, and the store
 * commits their events together, so a page costs one read and one or two commits. A fact that is
 * already recorded costs no commit.
 */
export class PaymentIngest {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns the facts that concern our payments. `cause` names the job. Rejects when the database
   * fails. Also rejects if only a newer release can read one of the payments, but records the facts
   * of all other payments first. Safe to repeat for the same page.
   */
  async ingest(
    source: FactSource,
    facts: readonly AddressedFact[],
    cause: string,
  ): Promise<ReadonlySet<PaymentFact>> {
    if (facts.length === 0) return new Set();
    const { store } = this;
    const ids = [...new Set(facts.map(({ reference }) => reference.paymentId))];
    await store.recall(paymentAggregate, ids);
    // Pages are newest first, so they are reversed: of two facts about a payment, the older one is
    // recorded first.
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
    const { store, clock, logger } = this;
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
      // A fact that changes nothing in the loaded state changes nothing in a newer state either, so
      // no commit is needed.
      if (paymentDecider.decide(payment, command).length === 0) return;
      await store.execute(paymentAggregate, paymentId, command, metadata);
    } catch (err) {
      if (!isOurFault(err)) throw err;
      // A bug of ours that affects one payment must not block the other payments of the page. The
      // payout line of this payment stays unmatched.
      logger.error({ err, paymentId }, 'an item of a provider list could not be recorded');
    }
  }
}
