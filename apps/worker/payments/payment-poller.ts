import { assert, type Clock, type Instant, MINUTE_MS, plusMs } from '#kernel';
import { type EventMetadata, type EventStore, untraced } from '#log';
import { type Job, type JobEnd, type JobKind, triesOf } from '#jobs';
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
const UNAVAILABLE_MS = MINUTE_MS;

interface NextTry {
  readonly dueAt: Instant | null;
  readonly tries: number;
}

/** When a failed read is repeated. */
const nextTry = (error: ProviderError, payment: Existing, clock: Clock, job: Job): NextTry => {
  const now = clock.now();
  const tries = triesOf(job);
  switch (error.kind) {
    case 'rejected':
    case 'unauthorized':
    case 'capability_missing':
      // The cause of a refusal rarely ends within a minute, and the process log reports the refusal
      // to operators. So the next read is scheduled as after a read that shows nothing new.
      return { dueAt: nextReadAt(payment, now, tries + 1), tries: tries + 1 };
    case 'rate_limited':
      return { dueAt: plusMs(now, error.retryAfterMs ?? UNAVAILABLE_MS), tries };
    case 'unavailable':
    case 'unknown_outcome':
      return { dueAt: plusMs(now, UNAVAILABLE_MS), tries };
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
      const next = nextTry(error, payment, this.clock, job);
      await this.later(job, metadata, { ...next, isMissing: isMissing(error) });
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

  private async later(
    job: Job,
    metadata: EventMetadata,
    { dueAt, tries, isMissing: noIntent }: NextTry & { readonly isMissing: boolean },
  ): Promise<void> {
    const { kind, key } = job;
    const missing = { type: 'NoteMissingIntent', at: this.clock.now() } as const;
    await this.store.step(metadata, async (step) => {
      step.endJob(job);
      if (noIntent) await step.execute(paymentAggregate, key, missing);
      step.setDeadline({ kind, key, dueAt, tries });
    });
  }
}
