import type { Instant } from '#kernel';

/** A list of the account's that is looked through, again and again, for what is new in it. */
export type ListKind = 'payments' | 'payouts' | 'refunds' | 'disputes';

/**
 * What is done in the background for a provider account: its lists are looked through. `payout`: one
 * is followed to its end. `lines`: its lines are read. `reconcile`: lines and journal are compared.
 */
export type TaskKind = ListKind | 'payout' | 'lines' | 'reconcile';

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

/** Keeps the task for another minute, between two steps of it. Throws `TaskLapsed`. */
export type KeepTask = () => Promise<void>;

/** The projections have not taken in yet what is to be compared. */
export class JournalBehind extends Error {
  override readonly name = 'JournalBehind';
}

/** Somebody else may hold the task by now, or it was called for anew. */
export class TaskLapsed extends Error {
  override readonly name = 'TaskLapsed';
}
