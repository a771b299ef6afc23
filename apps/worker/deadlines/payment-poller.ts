import { assert, type Clock, type Instant, MINUTE_MS, plusMs } from '#kernel';
import type { EventMetadata, EventStore } from '#event-store';
import {
  beginsSchedule, exists, type Existing, type IntentReader, nextReadAt, type Observation,
  PAYMENT_READ_DEADLINE, paymentAggregate, readPayment,
} from '#payment';
import { BudgetSpent, isProviderError, type ProviderError } from '#provider';
import type { Logger } from '#platform';
import type { DeadlineHandler, DueDeadline } from './deadline.js';

/** While the provider does not answer: no read is lost by waiting, the schedule goes on after. */
const UNAVAILABLE_MS = MINUTE_MS;

export interface PaymentPollerParts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly clientOf: (accountId: string) => Promise<IntentReader | null>;
  /** The budget of the account's key is spent: more would be asked for in vain. */
  readonly onHeldBack?: (accountId: string, waitMs: number) => void;
}

interface NextTry {
  readonly dueAt: Instant | null;
  readonly tries: number;
}

/** When a read that failed is made again. */
const nextTry = (
  error: ProviderError, payment: Existing, clock: Clock, { tries }: DueDeadline,
): NextTry => {
  const now = clock.now();
  switch (error.kind) {
    case 'rejected':
    case 'unauthorized':
      // It will not be over in a minute, and ops hear of it in the log: as a read without news.
      return { dueAt: nextReadAt(payment, now, tries + 1), tries: tries + 1 };
    case 'rate_limited':
      return { dueAt: plusMs(now, error.retryAfterMs ?? UNAVAILABLE_MS), tries };
    case 'unavailable':
    case 'unknown_outcome':
      return { dueAt: plusMs(now, UNAVAILABLE_MS), tries };
  }
};

/**
 * Reads the provider for what no webhook told, on the payment's own schedule. A read without news
 * sets the next one, further away; news set it anew with the payment's status.
 */
export class PaymentPoller implements DeadlineHandler {
  readonly kinds = [PAYMENT_READ_DEADLINE];

  constructor(private readonly parts: PaymentPollerParts) {}

  async handle(deadline: DueDeadline): Promise<void> {
    const { store, clientOf, logger } = this.parts;
    const { state: payment } = await store.load(paymentAggregate, deadline.key);
    if (!exists(payment)) return this.drop(deadline);
    const metadata = {
      correlationId: payment.terms.orderId, causationId: `${deadline.kind} ${deadline.dueAt}`,
      actor: 'provider', traceparent: null,
    };
    const client = await clientOf(payment.terms.accountId);
    try {
      assert(client !== null, 'a payment is made with an account that exists');
      await this.observe(deadline, metadata, await readPayment(client, payment.intentId));
    } catch (error) {
      if (error instanceof BudgetSpent) {
        // Its claim lapses by itself, and others have their turn until then.
        this.parts.onHeldBack?.(payment.terms.accountId, error.waitMs);
        return;
      }
      if (!isProviderError(error)) throw error;
      logger.warn({ paymentId: deadline.key, err: error }, 'a read is put off');
      await this.later(deadline, metadata, nextTry(error, payment, this.parts.clock, deadline));
    }
  }

  private async observe(
    deadline: DueDeadline, metadata: EventMetadata, observation: Observation,
  ): Promise<void> {
    const { store, clock } = this.parts;
    const { kind, key } = deadline;
    const at = clock.now();
    await store.step(metadata, async (step) => {
      step.fired(deadline);
      const before = await step.load(paymentAggregate, key);
      const after = await step.execute(paymentAggregate, key, {
        type: 'ObservePayment', paymentId: key, observation, at,
      });
      // What begins the schedule has set its own next read; any other news begins it again.
      if (beginsSchedule(before, after)) return;
      const tries = after === before ? deadline.tries + 1 : 0;
      step.setDeadline({ kind, key, dueAt: nextReadAt(after, at, tries), tries });
    });
  }

  private async later(
    deadline: DueDeadline, metadata: EventMetadata, { dueAt, tries }: NextTry,
  ): Promise<void> {
    const { kind, key } = deadline;
    await this.parts.store.step(metadata, (step) => {
      step.fired(deadline);
      step.setDeadline({ kind, key, dueAt, tries });
    });
  }

  /** There is no intent to read: the deadline outlived its reason. */
  private async drop(deadline: DueDeadline): Promise<void> {
    const metadata = {
      correlationId: deadline.key, causationId: deadline.kind, actor: 'clock', traceparent: null,
    };
    await this.parts.store.step(metadata, (step) => step.fired(deadline));
  }
}
