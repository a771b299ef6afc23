import { assert, type Clock, MINUTE_MS, plusMs } from '#kernel';
import { type EventMetadata, type EventStore, untraced } from '#log';
import { failedRead, type Job, type JobEnd, type JobKind, triesOf } from '#jobs';
import {
  beginsSchedule,
  exists,
  type Existing,
  nextReadAt,
  type Observation,
  PAYMENT_READ_DEADLINE,
  paymentAggregate,
} from '#payment';
import {
  BudgetSpent,
  type IntentReader,
  isProviderError,
  type ProviderError,
  readPayment,
} from '#psp';
import type { Logger } from '#platform';

/**
 * The retry interval while the provider does not respond. No status is lost by the delay, and the
 * polling schedule continues afterwards.
 */
export const UNANSWERED_RETRY_MS = MINUTE_MS;

/** When a read without a response is repeated; null if the provider has refused the read. */
const unansweredRetryMs = (error: ProviderError): number | null => {
  switch (error.kind) {
    case 'rejected':
    case 'unauthorized':
    case 'capability_missing':
      return null;
    case 'rate_limited':
      return error.retryAfterMs ?? UNANSWERED_RETRY_MS;
    case 'unavailable':
    case 'unknown_outcome':
      return UNANSWERED_RETRY_MS;
  }
};

const NOT_FOUND = 404;

/** Whether the provider no longer has the intent. */
const isMissing = (error: ProviderError): boolean =>
  error.kind === 'rejected' && error.status === NOT_FOUND;

/**
 * Reads the payment from the provider on a schedule, as webhooks may be lost. If a read shows
 * nothing new, the interval to the next read grows; after a new status, the interval depends on
 * that status.
 */
export class PaymentPoller implements JobKind {
  readonly kind = PAYMENT_READ_DEADLINE;
  readonly lane = 'reads';

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly clientOf: (accountId: string) => Promise<IntentReader | null>,
  ) {}

  async traceparentOf({ key }: Job): Promise<string | null> {
    return (await this.store.loadRecent(paymentAggregate, key)).traceparent;
  }

  async run(job: Job): Promise<JobEnd | void> {
    const { state: payment } = await this.store.load(paymentAggregate, job.key);
    // There is no intent to read, so the job ends.
    if (!exists(payment)) return { next: 'done' };
    const metadata = untraced(payment.terms.orderId, `${job.kind} ${job.dueAt}`, 'provider');
    const client = await this.clientOf(payment.terms.accountId);
    try {
      assert(client !== null, 'a payment is made with an account that exists');
      await this.observe(job, metadata, await readPayment(client, payment.intentId));
    } catch (error) {
      if (error instanceof BudgetSpent) {
        return { next: 'later', waitMs: error.waitMs, isAccountHeld: true };
      }
      if (!isProviderError(error)) throw error;
      this.logger.warn({ paymentId: job.key, err: error }, 'the read of a payment is postponed');
      const retryMs = unansweredRetryMs(error);
      if (retryMs !== null) {
        return failedRead(job, plusMs(this.clock.now(), retryMs), triesOf(job));
      }
      await this.refused(job, metadata, payment, isMissing(error));
    }
  }

  private async observe(
    job: Job,
    metadata: EventMetadata,
    observation: Observation,
  ): Promise<void> {
    const { kind, key } = job;
    const at = this.clock.now();
    await this.store.step(metadata, async (step) => {
      step.endJob(job);
      const before = await step.load(paymentAggregate, key);
      const after = await step.execute(paymentAggregate, key, {
        type: 'ObservePayment',
        paymentId: key,
        observation,
        at,
      });
      // Some events restart the polling schedule. After any other change the schedule is restarted
      // by the following lines; without a change, the interval to the next read grows.
      if (beginsSchedule(before, after)) return;
      const tries = after === before ? triesOf(job) + 1 : 0;
      step.setDeadline({ kind, key, dueAt: nextReadAt(after, at, tries), tries });
    });
  }

  /**
   * The cause of a refusal rarely ends within a minute, and other alerts show a rejected key and a
   * missing intent. So the next read is scheduled as after a read that shows nothing new.
   */
  private async refused(
    job: Job,
    metadata: EventMetadata,
    payment: Existing,
    noIntent: boolean,
  ): Promise<void> {
    const { kind, key } = job;
    const at = this.clock.now();
    const tries = triesOf(job) + 1;
    await this.store.step(metadata, async (step) => {
      step.endJob(job);
      if (noIntent) await step.execute(paymentAggregate, key, { type: 'NoteMissingIntent', at });
      step.setDeadline({ kind, key, dueAt: nextReadAt(payment, at, tries), tries });
    });
  }
}
