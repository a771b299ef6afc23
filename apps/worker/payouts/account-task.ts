import type { Instant } from '#kernel';
import { type Job, type JobEnd, triesOf } from '#jobs';

/** A list of an account that is read periodically. */
export type ListKind = (typeof LIST_KINDS)[number];

export const LIST_KINDS = ['payments', 'payouts', 'refunds', 'disputes'] as const;

/**
 * The background tasks of a provider account: its lists are read. `payout`: a payout is followed to
 * its end. `lines`: its lines are read. `reconcile`: lines and journal are compared.
 */
export type TaskKind = (typeof TASK_KINDS)[number];

export const TASK_KINDS = [...LIST_KINDS, 'reconcile', 'payout', 'lines'] as const;

/** Identifies it among all jobs. */
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

/** The progress of a task; each kind uses some of the fields. */
export interface TaskProgress {
  /** Epoch seconds: older items are recorded already. */
  readonly createdSince?: number;
  /** When the current read began, in business time. */
  readonly begunAt?: Instant;
  /** When the last complete read began, in business time. */
  readonly lookedAt?: Instant;
  /** The kind of lines in progress, and how many of them have been read. */
  readonly kind?: 'payment' | 'refund' | 'dispute';
  readonly start?: number;
}

export interface TaskKey {
  readonly accountId: string;
  readonly kind: TaskKind;
  /** The payout; empty for tasks of the whole account. */
  readonly subject: string;
}

/** A task that is due, held by this worker under `claim`. */
export interface AccountTask extends TaskKey {
  readonly dueAt: Instant;
  /** Reads of a payout without news, or failures of an account's task. */
  readonly tries: number;
  readonly progress: TaskProgress;
  readonly claim: string;
}

/** Identifies the task as the cause of its events. */
export const causeOf = ({ kind, accountId, subject, dueAt }: AccountTask): string =>
  `${kind} ${subject === '' ? accountId : subject} ${dueAt}`;

/** How a task ends. */
export type TaskEnd =
  | { readonly next: 'done' }
  | {
      readonly next: 'again';
      readonly dueAt: Instant;
      readonly tries: number;
      readonly progress?: TaskProgress;
    };

/** The job of the task. */
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

/** The job's outcome by its task's. */
export const jobEndOf = (task: AccountTask, end: TaskEnd): JobEnd => {
  if (end.next === 'done') return end;
  const { dueAt, tries, progress = task.progress } = end;
  return { next: 'again', dueAt, progress: { ...progress, tries } };
};

/** Stores the task's progress between two of its steps. Throws `ClaimLapsed`. */
export type KeepTask = () => Promise<void>;

/** The projections have not processed the events that are to be compared. */
export class JournalBehind extends Error {
  override readonly name = 'JournalBehind';
}
