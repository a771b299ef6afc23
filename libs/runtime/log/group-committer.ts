import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { conflictError, StepConflict } from './conflict.js';
import { DatabaseBusy } from './database-busy.js';
import type { Step } from './step.js';
import { commitCall, type CommitRow, keysOf } from './step-wire.js';
import type { Wakes } from './wakes.js';

/**
 * The maximum number of steps in a batch. This maximum limits the number of locks of a transaction,
 * and its duration, for which all log consumers wait.
 */
const MAX_BATCH_STEPS = 64;

/**
 * The number of simultaneous batches: while the database server writes a batch to the disk, it can
 * process a further batch.
 */
const LANES = 2;

/**
 * The maximum number of steps that wait for a batch. Further steps are rejected, so that the
 * requests that arrive while the database does not respond do not fill the memory.
 */
const MAX_WAITING_STEPS = 2_000;

type Outcomes = NonNullable<CommitRow['conflicts']>;

interface Waiting {
  readonly step: Step;
  readonly keys: readonly string[];
  readonly isCurrent: () => boolean;
  readonly resolve: (queued: readonly string[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Commits steps together. A batch contains all steps that were queued while earlier batches were
 * being committed. There is no timer: a single step is committed at the end of its turn of the
 * event loop.
 */
export class GroupCommitter {
  private queue: Waiting[] = [];
  /**
   * The keys of the batches in progress. A later step with one of these keys waits, because the
   * step must see the writes of those batches.
   */
  private readonly busyKeys = new Set<string>();
  private busyLanes = 0;
  private gathering = false;

  constructor(
    private readonly pool: Pool,
    private readonly wakes: Wakes,
  ) {}

  /**
   * Resolves when the step is durable. The result contains the keys of the jobs that the step
   * wanted to claim but that have to wait. Rejects with the step's conflict, with the error of the
   * server, or with `DatabaseBusy`. `isCurrent` is asked when the connection for the commit is open,
   * because only a new connection shows that the log was restored.
   */
  commit(step: Step, isCurrent: () => boolean = () => true): Promise<readonly string[]> {
    const waiting = this.queue.length;
    if (waiting >= MAX_WAITING_STEPS) return Promise.reject(new DatabaseBusy(waiting));
    return new Promise((resolve, reject) => {
      this.queue.push({ step, keys: keysOf(step), isCurrent, resolve, reject });
      this.gather();
    });
  }

  /**
   * A batch starts at the end of the turn of the event loop. The callers of the previous batch
   * continue in the same turn; a batch that started immediately would contain only the next step of
   * the first of these callers.
   */
  private gather(): void {
    if (this.gathering || this.busyLanes === LANES || this.queue.length === 0) return;
    this.gathering = true;
    setImmediate(() => {
      this.gathering = false;
      const batch = this.nextBatch();
      if (batch.length === 0) return;
      void this.process(batch);
      this.gather();
    });
  }

  private async process(batch: readonly Waiting[]): Promise<void> {
    this.busyLanes += 1;
    await this.commitAndSettle(batch);
    for (const { keys } of batch) for (const key of keys) this.busyKeys.delete(key);
    this.busyLanes -= 1;
    this.gather();
  }

  private async commitAndSettle(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.commitOn(await this.pool.connect(), batch);
    } catch (error) {
      this.wakes.notificationFailed();
      if (batch.length > 1 && isBadData(error)) {
        // No step of the batch was stored. Each step is then committed separately, because one
        // invalid step must not make the other steps fail.
        for (const waiting of batch) await this.commitAndSettle([waiting]);
        return;
      }
      // After a lost connection it is unknown what was committed; each caller must determine
      // whether its step was committed.
      const failure = error instanceof Error ? error : new Error(String(error));
      for (const waiting of batch) waiting.reject(failure);
    }
  }

  /**
   * Chooses the steps of the next batch. Steps that share a key are never in simultaneous batches,
   * because the later step must see the writes of the earlier step.
   */
  private nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    const taken = new Set(this.busyKeys);
    for (const waiting of this.queue) {
      const fits = batch.length < MAX_BATCH_STEPS && !waiting.keys.some((key) => taken.has(key));
      (fits ? batch : later).push(waiting);
      for (const key of waiting.keys) taken.add(key);
    }
    for (const { keys } of batch) for (const key of keys) this.busyKeys.add(key);
    this.queue = later;
    return batch;
  }

  /** Commits the steps that are current, and rejects the others, on an open connection. */
  private async commitOn(client: PoolClient, batch: readonly Waiting[]): Promise<void> {
    const current = batch.filter(({ isCurrent, reject }) => {
      if (isCurrent()) return true;
      reject(new StepConflict('the log was restored after this step was decided'));
      return false;
    });
    try {
      if (current.length > 0) settle(current, await this.commitBatch(client, current));
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  private async commitBatch(client: PoolClient, batch: readonly Waiting[]): Promise<Outcomes> {
    const steps = batch.map(({ step }) => step);
    const asksOthers = steps.some(({ effects }) => effects.some(({ begun }) => begun === null));
    const topic = asksOthers ? 'jobs' : 'log';
    const call = commitCall(
      steps,
      batch.flatMap(({ keys }) => keys),
      this.wakes.notification(topic),
    );
    const { rows } = await client.query<CommitRow>(call);
    return rows[0]?.conflicts ?? [];
  }
}

/**
 * SQLSTATE classes 21, 22 and 23 (cardinality, data, integrity): the data of the step cannot be
 * stored.
 */
const isBadData = (error: unknown): boolean =>
  error instanceof DatabaseError && /^2[123]/.test(error.code ?? '');

const settle = (batch: readonly Waiting[], outcomes: Outcomes): void => {
  batch.forEach((waiting, index) => {
    const queued: string[] = [];
    let failure: Error | null = null;
    for (const row of outcomes) {
      if (row.step !== index) continue;
      if (row.kind === 'queued') queued.push(row.detail.key);
      else failure = conflictError(waiting.step, row);
    }
    if (failure === null) waiting.resolve(queued);
    else waiting.reject(failure);
  });
};
