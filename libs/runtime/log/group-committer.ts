import { DatabaseError, type Pool } from 'pg';
import { conflictError } from './conflict.js';
import type { Step } from './step.js';
import { commitCall, type CommitRow, keysOf } from './step-wire.js';
import type { Wakes } from './wakes.js';

/**
 * The maximum number of steps in a batch. It limits the number of advisory locks and the duration
 * of one transaction, which delays log consumers.
 */
const MAX_BATCH_STEPS = 64;

/**
 * The number of concurrent batches: while one batch waits for the disk, the server can work on
 * another one.
 */
const LANES = 2;

type Outcomes = NonNullable<CommitRow['conflicts']>;

interface Waiting {
  readonly step: Step;
  readonly keys: readonly string[];
  readonly resolve: (queued: readonly string[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Commits steps together: a batch contains the steps queued while earlier batches were committing.
 * There is no timer: a single step is committed alone at the end of its turn.
 */
export class GroupCommitter {
  private queue: Waiting[] = [];
  /** The keys of the batches in progress: later steps with these keys must see their writes. */
  private readonly busyKeys = new Set<string>();
  private busyLanes = 0;
  private gathering = false;

  constructor(
    private readonly pool: Pool,
    private readonly wakes: Wakes,
  ) {}

  /**
   * Resolves when the step is durable, to the keys of the claimed jobs that were queued instead;
   * rejects with its conflict, or with the server's error.
   */
  commit(step: Step): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      this.queue.push({ step, keys: keysOf(step), resolve, reject });
      this.gather();
    });
  }

  /**
   * A batch starts at the end of the turn. The callers of a batch resume together after its commit:
   * the first of them must not start a batch alone while the others wait for the next one.
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
      settle(batch, await this.commitBatch(batch));
    } catch (error) {
      this.wakes.notificationFailed();
      if (batch.length > 1 && isBadData(error)) {
        // Nothing of the batch was stored. Each step is committed alone, because one invalid step
        // must not fail the others.
        for (const waiting of batch) await this.commitAndSettle([waiting]);
        return;
      }
      // After a lost connection each caller must determine what was committed.
      const failure = error instanceof Error ? error : new Error(String(error));
      for (const waiting of batch) waiting.reject(failure);
    }
  }

  /**
   * Two steps that share a key never run concurrently: the later one must see the writes of the
   * earlier one.
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

  private async commitBatch(batch: readonly Waiting[]): Promise<Outcomes> {
    const steps = batch.map(({ step }) => step);
    const asksOthers = steps.some(({ effects }) => effects.some(({ begun }) => begun === null));
    const topic = asksOthers ? 'jobs' : 'log';
    const call = commitCall(
      steps,
      batch.flatMap(({ keys }) => keys),
      this.wakes.notification(topic),
    );
    const { rows } = await this.pool.query<CommitRow>(call);
    return rows[0]?.conflicts ?? [];
  }
}

/** SQLSTATE classes 21, 22 and 23: cardinality, data, integrity. Such a step cannot be stored. */
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
