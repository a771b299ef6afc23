import { assert, AssertionFailed, type Clock, Rejection } from '#kernel';
import {
  type EventMetadata,
  type EventStore,
  ReservationTaken,
  StepSuperseded,
  untraced,
  WrittenByNewerRelease,
} from '#log';
import { backoffMs, type Job, type JobEnd, type JobKind } from '#jobs';
import {
  INTENT_SCOPE,
  nextReadAt,
  PAYMENT_READ_DEADLINE,
  paymentAggregate,
  type PaymentCommand,
  reasonToIgnore,
} from '#payment';
import { isProviderError, type Payments, ProviderRateLimited } from '#psp';
import type { Logger } from '#platform';
import type { ReceivedWebhook, WebhookQueue } from './webhook-queue.js';

/**
 * Webhooks about one intent that arrived before the intent was read: one read handles them all. If
 * there are more than `claim_jobs` gives to a job, the job runs once more.
 */
interface WebhookGroup {
  readonly job: Job;
  readonly accountId: string;
  readonly intentId: string;
  readonly webhooks: readonly ReceivedWebhook[];
}

const waitMsOf = (error: unknown, { attempts }: Job): number => {
  const asked = error instanceof ProviderRateLimited ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, backoffMs(attempts));
};

/**
 * Returns why a webhook concerns no payment of ours; null if it may concern one of our payments.
 */
const noteOf = ({ type, intentId }: ReceivedWebhook): string | null =>
  intentId === null ? `ignored: ${type} names no payment intent` : null;

const idsOf = ({ webhooks }: WebhookGroup): string[] => webhooks.map(({ id }) => id);

/** The causation id of a group of webhooks, which is the id of the first one. */
const causeOf = ({ webhooks }: WebhookGroup): ReceivedWebhook => {
  const [first] = webhooks;
  assert(first, 'a group has a webhook');
  return first;
};

const metadataOf = (orderId: string, group: WebhookGroup): EventMetadata =>
  untraced(orderId, causeOf(group).eventId, 'provider');

/**
 * Handles webhooks as hints: the worker reads the named intent from the provider, and records what
 * the read shows. So a late, duplicate, reordered or forged webhook can at most cause a read. A
 * webhook with a status that the payment has or has already left causes no read.
 */
export class WebhookHandler implements JobKind {
  readonly kind = 'intent.read';
  readonly lane = 'hints';

  constructor(
    private readonly store: EventStore,
    private readonly queue: Pick<WebhookQueue, 'handled' | 'failed'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly clientOf: (accountId: string) => Promise<Payments | null>,
  ) {}

  async traceparentOf(job: Job): Promise<string | null> {
    const [first] = job.askedBy as readonly ReceivedWebhook[];
    if (first === undefined || first.paymentId === null) return null;
    return (await this.store.loadRecent(paymentAggregate, first.paymentId)).traceparent;
  }

  async run(job: Job): Promise<JobEnd | void> {
    const received = job.askedBy as readonly ReceivedWebhook[];
    for (const one of received) {
      const note = noteOf(one);
      if (note !== null) await this.queue.handled([one.id], note);
    }
    const webhooks = received.filter((one) => noteOf(one) === null);
    const [first] = webhooks;
    if (first?.intentId === undefined || first.intentId === null) return { next: 'done' };
    const accountId = job.accountId ?? '';
    return this.handle({ job, accountId, intentId: first.intentId, webhooks });
  }

  /** Rejects when the database fails: then the webhooks are retried. */
  private async handle(group: WebhookGroup): Promise<JobEnd | void> {
    const { job, intentId } = group;
    try {
      if (await this.isPassed(group)) return;
      const note = await this.observe(group);
      if (note === null) return;
      await this.queue.handled(idsOf(group), note);
      return { next: 'done' };
    } catch (error) {
      const ids = idsOf(group);
      if (isProviderError(error) && error.kind === 'rejected') {
        await this.queue.handled(ids, `the provider returns no intent: HTTP ${error.status}`);
        return { next: 'done' };
      }
      const isBug =
        error instanceof AssertionFailed ||
        error instanceof Rejection ||
        error instanceof WrittenByNewerRelease;
      if (!isProviderError(error) && !isBug) throw error;
      await this.queue.failed(ids, error.message);
      this.logger[isBug ? 'error' : 'warn']({ intentId, err: error }, 'a webhook will be retried');
      return { next: 'later', waitMs: waitMsOf(error, job), isTry: true };
    }
  }

  /**
   * Completes a group of webhooks without a read if the payment has, or has already left, each
   * status that they report; returns whether the group was completed.
   */
  private async isPassed(group: WebhookGroup): Promise<boolean> {
    const { job, accountId, webhooks } = group;
    const paymentId = webhooks[0]?.paymentId;
    if (paymentId === null || paymentId === undefined) return false;
    const { state: payment } = await this.store.loadRecent(paymentAggregate, paymentId);
    const [note, ...notes] = webhooks.map((one) =>
      one.paymentId === paymentId ? reasonToIgnore(payment, { accountId, ...one }) : null,
    );
    if (payment.status === 'none' || !note || notes.includes(null)) return false;
    await this.store.step(metadataOf(payment.terms.orderId, group), (step) => {
      step.endJob(job);
      for (const id of idsOf(group)) step.webhookHandled({ id, note });
    });
    return true;
  }

  /** Returns why there is nothing to record; null when the intent was recorded. */
  private async observe(group: WebhookGroup): Promise<string | null> {
    const { job, accountId, intentId } = group;
    const client = await this.clientOf(accountId);
    if (client === null) return 'the provider account does not exist';
    const intent = await client.getIntent(intentId);
    const { reference: paymentId } = intent;
    if (paymentId === null) return 'ignored: the intent has no reference of this service';
    const { state: payment } = await this.store.load(paymentAggregate, paymentId);
    // Other systems that use the same provider account create intents, too.
    if (payment.status === 'none' || payment.terms.accountId !== accountId)
      return 'ignored: the intent belongs to another system';
    const observation = await client.details(intent);
    const metadata = metadataOf(payment.terms.orderId, group);
    const observe = (): PaymentCommand => ({
      type: 'ObservePayment',
      paymentId,
      observation,
      at: this.clock.now(),
    });
    try {
      await this.store.step(metadata, async (step) => {
        step.endJob(job);
        for (const id of idsOf(group)) step.webhookHandled({ id, note: `read: ${intent.status}` });
        const after = await step.execute(paymentAggregate, paymentId, observe());
        // The payer has made an attempt, so a further change may follow soon. The webhook about it
        // may be lost, so a read is scheduled.
        if (after.status !== 'open' || !intent.hasAttempt) return;
        const dueAt = nextReadAt(after, this.clock.now(), 0);
        step.setDeadline({ kind: PAYMENT_READ_DEADLINE, key: paymentId, dueAt });
      });
      return null;
    } catch (error) {
      if (error instanceof ReservationTaken && error.scope === INTENT_SCOPE) {
        const taken = { type: 'NoteTakenIntent', intentId, at: this.clock.now() } as const;
        await this.store.execute(paymentAggregate, paymentId, taken, metadata);
        return 'the intent is another payment’s';
      }
      if (!(error instanceof StepSuperseded)) throw error;
      // This worker's claim on the webhooks has expired, and another worker has handled the
      // webhooks. This worker's read is recorded nevertheless, because it may be newer than the
      // other worker's read.
      await this.store.execute(paymentAggregate, paymentId, observe(), metadata);
      return null;
    }
  }
}
