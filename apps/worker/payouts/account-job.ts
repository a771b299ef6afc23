import type { Instant } from '#kernel';
import type { Job, JobEnd } from '#jobs';

/** The jobs that periodically read one of the provider's lists for an account. */
export const LIST_KINDS = [
  'account.payments',
  'account.payouts',
  'account.refunds',
  'account.disputes',
] as const;

export type ListKind = (typeof LIST_KINDS)[number];

/**
 * The background jobs of a provider account. `account.reconcile` compares lines and journal.
 * `payout.read` reads a payout until its status is final. `payout.lines` reads the lines of a
 * payout.
 */
export const ACCOUNT_KINDS = [
  ...LIST_KINDS,
  'account.reconcile',
  'payout.read',
  'payout.lines',
] as const;

export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** A claimed job of an account; its key is the payout or the account. */
export interface AccountJob extends Job {
  readonly kind: AccountKind;
  readonly accountId: string;
  /** The stored progress of the job; each kind of job uses some of the fields. */
  readonly progress: {
    /** Epoch seconds: items created before this time are already recorded. */
    readonly createdSince?: number;
    /** When the read in progress began, in business time. */
    readonly begunAt?: Instant;
    /** When the last completed read began, in business time. */
    readonly readAt?: Instant;
    /**
     * The kind of payout lines that is being read, and how many of this kind have been read so far.
     */
    readonly kind?: 'payment' | 'refund' | 'dispute';
    readonly start?: number;
    /** The number of the pass through a payout's lines that is in progress. */
    readonly pass?: number;
    /**
     * For a payout: how many reads have shown nothing new. For an account's job: how often it has
     * failed in a row.
     */
    readonly tries?: number;
    /** Whether the account was closed when the provider rejected its key. */
    readonly closed?: boolean;
  };
}

/** The causation id of the job's events. */
export const causeOf = ({ kind, key, dueAt }: AccountJob): string => `${kind} ${key} ${dueAt}`;

export const accountJob = (kind: AccountKind, job: Job): AccountJob => ({
  ...job,
  kind,
  accountId: job.accountId ?? job.key,
});

/** Ends this run and schedules the next, by default with the progress from which this run began. */
export const again = (
  job: AccountJob,
  dueAt: Instant,
  tries: number,
  progress = job.progress,
): JobEnd => ({ next: 'again', dueAt, progress: { ...progress, tries } });

/** Throws `ClaimLapsed` if another worker has claimed the job. */
export type AssertClaimed = () => Promise<void>;

/** Thrown when the projections have not yet processed all events that the comparison needs. */
export class JournalBehind extends Error {
  override readonly name = 'JournalBehind';
}
