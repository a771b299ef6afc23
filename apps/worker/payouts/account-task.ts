import type { Instant } from '#kernel';
import { type Job, type JobEnd, triesOf } from '#jobs';

/** A list of the account's that is looked through, again and again, for what is new in it. */
export type ListKind = (typeof LIST_KINDS)[number];

export const LIST_KINDS = ['payments', 'payouts', 'refunds', 'disputes'] as const;

/**
 * What is done in the background for a provider account: its lists are looked through. `payout`: one
 * is followed to its end. `lines`: its lines are read. `reconcile`: lines and journal are compared.
 */
export type TaskKind = (typeof TASK_KINDS)[number];

export const TASK_KINDS = [...LIST_KINDS, 'reconcile', 'payout', 'lines'] as const;

/** Names it among all jobs. */
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

/** Where a task has come to; what its kind has no use for is not there. */
export interface TaskProgress {
  /** Epoch seconds: what was made before is known already. */
  readonly createdSince?: number;
  /** When the look that is under way began, in business time. */
  readonly begunAt?: Instant;
  /** When the last look that came to its end began, in business time. */
  readonly lookedAt?: Instant;
  /** The kind of lines that is being read, and how many of them are read. */
  readonly kind?: 'payment' | 'refund' | 'dispute';
  readonly start?: number;
}

export interface TaskKey {
  readonly accountId: string;
  readonly kind: TaskKind;
  /** The payout; empty for what concerns the account as a whole. */
  readonly subject: string;
}

/** A task that is due, held by this worker under `claim`. */
export interface AccountTask extends TaskKey {
  readonly dueAt: Instant;
  /** Times that a payout was read without news, or that what stands for an account failed. */
  readonly tries: number;
  readonly progress: TaskProgress;
  readonly claim: string;
}

/** Names the task as the cause of what is recorded by it. */
export const causeOf = ({ kind, accountId, subject, dueAt }: AccountTask): string =>
  `${kind} ${subject === '' ? accountId : subject} ${dueAt}`;

/** What becomes of a task that was carried out. */
export type TaskEnd =
  | { readonly next: 'done' }
  | {
      readonly next: 'again';
      readonly dueAt: Instant;
      readonly tries: number;
      readonly progress?: TaskProgress;
    };

/** Which job it is. */
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

/** How the job ends with its task. */
export const jobEndOf = (task: AccountTask, end: TaskEnd): JobEnd => {
  if (end.next === 'done') return end;
  const { dueAt, tries, progress = task.progress } = end;
  return { next: 'again', dueAt, progress: { ...progress, tries } };
};

/** Keeps where the task has come to, between two steps of it. Throws `ClaimLapsed`. */
export type KeepTask = () => Promise<void>;

/** The projections have not taken in yet what is to be compared. */
export class JournalBehind extends Error {
  override readonly name = 'JournalBehind';
}
