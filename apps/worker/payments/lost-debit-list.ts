import type { Pool } from 'pg';
import { assert, type Clock, MINUTE_MS, plusMs, SECOND_MS } from '#kernel';
import type { Job, JobEnd, JobKind } from '#jobs';
import { CLOCK_SKEW_MS } from '#payment';
import type { Logger } from '#platform';
import { BudgetSpent, type ListedPayment, type Payouts, ProviderUnauthorized } from '#psp';

/** The retry interval while the account's registration is not finished, or its key is rejected. */
const NO_KEY_MS = 10 * MINUTE_MS;

/** Stores the provider's payments whose reference names no payment in our event log. */
const KEEP_UNKNOWN = `
  INSERT INTO lost_debits (attempt_id, account_id, mandate_id, amount_minor, currency, created_at)
  SELECT d."attemptId", $1, d."mandateId", d."amountMinor", d.currency, d."createdAt"
    FROM json_to_recordset($2) AS d("attemptId" text, "mandateId" text, "amountMinor" bigint,
           currency text, reference text, "createdAt" timestamptz)
   WHERE NOT EXISTS (SELECT FROM events e
                      WHERE e.stream_type = 'payment' AND e.stream_id = d.reference)
      ON CONFLICT DO NOTHING`;

/**
 * Payments in these statuses have moved no money; a payment in an unknown status may have moved
 * money.
 */
const TOOK_NOTHING: ReadonlySet<ListedPayment['status']> = new Set<ListedPayment['status']>([
  'refused',
  'canceled',
  'expired',
  'failed',
]);

/**
 * `lostSince`: the start of the period whose events the restore lost, in epoch seconds of business
 * time. `start`: the position of the page in the list, which is newest first.
 */
const progressOf = ({ progress }: Job): { readonly lostSince: number; readonly start: number } => {
  const { lostSince, start } = progress;
  assert(
    typeof lostSince === 'number' && typeof start === 'number',
    'the record of a restore contains both',
  );
  return { lostSince, start };
};

/**
 * After a database restore, the provider has debits whose orders our event log has lost, and a
 * platform may place such an order again. So the job lists all payments of an account since the
 * start of the lost period, and new debits of the account wait for the end of this list. Each run
 * reads one page, so that a long list delays no other account; the last page ends the job. If a run
 * is interrupted, its page is read again. If another restore is recorded meanwhile, all pages are
 * read again. While the account's registration is not finished, or the provider rejects its key, no
 * debit can be made with it: the job is scheduled like other reads and raises no alert. It stays, so
 * that debits wait until the account has a valid key and its payments have been listed. A
 * registration that is not finished in the backup may have been finished in the lost period.
 */
export class LostDebitList implements JobKind {
  readonly kind = 'restore.debits';
  readonly lane = 'restores';

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly logger: Logger,
    /** Null if the account's registration is not finished. */
    private readonly listsOf: (accountId: string) => Promise<Pick<Payouts, 'listPayments'> | null>,
  ) {}

  async run(job: Job): Promise<JobEnd> {
    const { lostSince, start } = progressOf(job);
    const createdSince = lostSince - CLOCK_SKEW_MS / SECOND_MS;
    const lists = await this.listsOf(job.key);
    if (lists === null) return this.withoutKey();
    try {
      const { items, hasMore } = await lists.listPayments({ createdSince, start });
      await this.keepUnknown(job.key, items);
      if (!hasMore) return { next: 'done' };
      const progress = { lostSince, start: start + items.length };
      return { next: 'again', dueAt: this.clock.now(), progress };
    } catch (error) {
      if (error instanceof BudgetSpent) {
        return { next: 'later', waitMs: error.waitMs, isAccountHeld: true };
      }
      if (!(error instanceof ProviderUnauthorized)) throw error;
      this.logger.warn(
        { accountId: job.key, err: error },
        'the payments since a database restore cannot be listed: the provider rejects the key',
      );
      return this.withoutKey();
    }
  }

  private withoutKey(): JobEnd {
    return { next: 'again', dueAt: plusMs(this.clock.now(), NO_KEY_MS) };
  }

  private async keepUnknown(accountId: string, items: readonly ListedPayment[]): Promise<void> {
    const debits = items.filter(
      ({ mandateId, status }) => mandateId !== null && !TOOK_NOTHING.has(status),
    );
    await this.pool.query(KEEP_UNKNOWN, [accountId, JSON.stringify(debits)]);
  }
}
