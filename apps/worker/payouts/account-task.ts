import type { Instant } from '#kernel';
import { type Job, type JobEnd, triesOf } from '#jobs';

/** The lists of an account that are read periodically. */
export type ListKind = (typeof LIST_KINDS)[number];

export const LIST_KINDS = ['payments', 'payouts', 'refunds', 'disputes'] as const;

/**
 * The background tasks of a provider account. A list kind reads that list. `payout` follows a
 * payout to its end. `lines` reads the lines of a payout. `reconcile` compares lines and journal.
 */
export type TaskKind = (typeof TASK_KINDS)[number];

export const TASK_KINDS = [...LIST_KINDS, 'reconcile', 'payout', 'lines'] as const;

/** Returns the job kind, which distinguishes the task from all other jobs. */
export const jobKindOf = (kind: TaskKind): string => {
  switch (kind) {
    case 'payout':
      return 'payout.read';
    case 'lines':
      return 'payout.lines';
    case 'payments':
    case 'payouts':
    case 'refunds':
    case 'disputes':
    case 'reconcile':
      return `account.${kind}`;
  }
};

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

export interface TaskKey {
  readonly accountId: string;
  readonly kind: TaskKind;
  /** The payout; empty for tasks of the whole account. */
  readonly subject: string;
}

/** A due task that this worker holds under `claim`. */
export interface AccountTask extends TaskKey {
  readonly dueAt: Instant;
  /** How many reads of a payout showed nothing new, or how often an account's task failed. */
  readonly tries: number;
  readonly progress: TaskProgress;
  readonly claim: string;
}

/** The causation id of the task's events. */
export const causeOf = ({ kind, accountId, subject, dueAt }: AccountTask): string =>
  `${kind} ${subject === '' ? accountId : subject} ${dueAt}`;

/** The outcome of a task's run. */
export type TaskEnd =
  | { readonly next: 'done' }
  | {
      readonly next: 'again';
      readonly dueAt: Instant;
      readonly tries: number;
      readonly progress?: TaskProgress;
    };

/** The job key of the task. */
export const jobOf = ({ kind, accountId, subject }: TaskKey): Pick<Job, 'kind' | 'key'> => ({
  kind: jobKindOf(kind),
  key: subject === '' ? accountId : subject,
});

/** The job as a task of its account. */
export const taskOf = (kind: TaskKind, job: Job): AccountTask => {
  const { key, accountId, dueAt, claim, progress } = job;
  const isOfPayout = kind === 'payout' || kind === 'lines';
  return {
    kind,
    accountId: accountId ?? key,
    subject: isOfPayout ? key : '',
    dueAt,
    claim,
    progress,
    tries: triesOf(job),
  };
};

/** Converts the outcome of the task into the outcome of its job. */
export const jobEndOf = (task: AccountTask, end: TaskEnd): JobEnd => {
  if (end.next === 'done') return end;
  const { dueAt, tries, progress = task.progress } = end;
  return { next: 'again', dueAt, progress: { ...progress, tries } };
};

/** Stores the task's progress between two of its steps. Throws `ClaimLapsed`. */
export type KeepTask = () => Promise<void>;

/** Thrown when the projections have not yet processed the events that are to be compared. */
export class JournalBehind extends Error {
  override readonly name = 'JournalBehind';
}
