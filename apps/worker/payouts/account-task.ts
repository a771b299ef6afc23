import type { Instant } from '#kernel';
import { type Job, type JobEnd, triesOf } from '#jobs';

/** The lists of an account that are read periodically. */
export type ListKind = (typeof LIST_KINDS)[number];

export const LIST_KINDS = ['payments', 'payouts', 'refunds', 'disputes'] as const;

/**
 * The background tasks of a provider account, with the kinds of their jobs. A list kind reads that
 * list. `payout` follows a payout to its end. `lines` reads the lines of a payout. `reconcile`
 * compares lines and journal.
 */
export const JOB_KINDS = {
  payments: 'account.payments',
  payouts: 'account.payouts',
  refunds: 'account.refunds',
  disputes: 'account.disputes',
  reconcile: 'account.reconcile',
  payout: 'payout.read',
  lines: 'payout.lines',
} as const;

export type TaskKind = keyof typeof JOB_KINDS;

export const TASK_KINDS = Object.keys(JOB_KINDS) as readonly TaskKind[];

/** The progress of a task; each kind of task uses some of the fields. */
export interface TaskProgress {
  /** Epoch seconds: items created before are recorded already. */
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
}

/** A due task that this worker holds under `claim`; its key is the payout or the account. */
export interface AccountTask extends Pick<Job, 'key' | 'dueAt' | 'claim'> {
  readonly kind: TaskKind;
  readonly accountId: string;
  /** How many reads of a payout showed nothing new, or how often an account's task failed. */
  readonly tries: number;
  readonly progress: TaskProgress;
}

export type TaskKey = Pick<AccountTask, 'kind' | 'key'>;

/** The causation id of the task's events. */
export const causeOf = ({ kind, key, dueAt }: AccountTask): string => `${kind} ${key} ${dueAt}`;

/** The job of the task. */
export const jobOf = ({ kind, key }: TaskKey): Pick<Job, 'kind' | 'key'> => ({
  kind: JOB_KINDS[kind],
  key,
});

/** The job as a task of its account. */
export const taskOf = (kind: TaskKind, job: Job): AccountTask => ({
  ...job,
  kind,
  accountId: job.accountId ?? job.key,
  tries: triesOf(job),
});

/** The task is due again, by default with the progress from which this run began. */
export const again = (
  task: AccountTask,
  dueAt: Instant,
  tries: number,
  progress = task.progress,
): JobEnd => ({ next: 'again', dueAt, progress: { ...progress, tries } });

/** Stores the task's progress between two of its steps. Throws `ClaimLapsed`. */
export type KeepTask = () => Promise<void>;

/** Thrown when the projections have not yet processed the events that are to be compared. */
export class JournalBehind extends Error {
  override readonly name = 'JournalBehind';
}
