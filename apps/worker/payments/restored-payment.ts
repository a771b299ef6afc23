import type { Pool } from 'pg';
import type { Clock } from '#kernel';
import { errorKind, type EventStore, StepSuperseded, untraced } from '#log';
import type { Job, JobEnd, JobHold, JobKind } from '#jobs';
import { readOrForgotten } from '#operations';
import { exists, paymentAggregate } from '#payment';
import { BudgetSpent, type IntentReader, isProviderError } from '#psp';
import type { Logger } from '#platform';

/** The retry interval, in wall-clock time. */
const TRY_AGAIN_MS = 10_000;

const HOLD_CALLS = `
  UPDATE jobs SET state = 'stuck', held_until = NULL, note = left($2, 500),
         updated_at = clock_timestamp()
   WHERE subject_id = $1 AND state NOT IN ('done', 'stuck')`;

const isTriedAgain = (error: unknown): boolean => {
  if (error instanceof StepSuperseded) return true;
  return isProviderError(error) ? error.kind !== 'rejected' : errorKind(error) === 'transient';
};

/**
 * After a database restore the event log lacks calls that the provider has executed. So each
 * payment with an open call or a recently ended call is read from the provider, and no call for the
 * account is sent before these reads have ended. The job ends with the commit that records what the
 * provider shows; an interrupted job is repeated. If a payment can never be read, its calls are
 * blocked for an operator and the job ends, so that calls for the account's other payments are
 * sent.
 */
export class RestoredPayment implements JobKind {
  readonly kind = 'restore.payment';
  readonly lane = 'restores';

  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly clientOf: (accountId: string) => Promise<IntentReader | null>,
  ) {}

  async run(job: Job, { stillHeld }: JobHold): Promise<JobEnd | void> {
    try {
      return await this.read(job);
    } catch (error) {
      if (error instanceof BudgetSpent) {
        return { next: 'later', waitMs: error.waitMs, isAccountHeld: true };
      }
      // All calls of the account wait for this read, so the maximum backoff is shorter than usual.
      if (isTriedAgain(error)) return { next: 'later', waitMs: TRY_AGAIN_MS, isTry: true };
      const paymentId = job.key;
      this.logger.error(
        { err: error, paymentId },
        'a payment cannot be read since a database restore',
      );
      stillHeld();
      const what = error instanceof Error ? error.message : String(error);
      await this.pool.query(HOLD_CALLS, [paymentId, `not read since a database restore: ${what}`]);
      return { next: 'done' };
    }
  }

  private async read(job: Job): Promise<JobEnd | void> {
    const paymentId = job.key;
    const { state: payment } = await this.store.load(paymentAggregate, paymentId);
    // A payment without an intent needs no read here: the creation call first searches for the
    // intent by our reference.
    if (!exists(payment)) return { next: 'done' };
    const client = await this.clientOf(payment.terms.accountId);
    if (client === null) return { next: 'done' };
    const observation = await readOrForgotten(client, payment.intentId, paymentId);
    // `forgotten`: the provider no longer has the intent, so there is nothing to record.
    if (observation === 'forgotten') return { next: 'done' };
    const metadata = untraced(payment.terms.orderId, 'read after a database restore', 'provider');
    await this.store.step(metadata, async (step) => {
      step.endJob(job);
      await step.execute(paymentAggregate, paymentId, {
        type: 'ObservePayment',
        paymentId,
        observation,
        at: this.clock.now(),
      });
    });
  }
}
