import type { Pool } from 'pg';
import { type ConflictRow, conflictError } from './conflict.js';
import type { Step } from './step.js';
import { keysOf, locksOf, stepsJson } from './step-wire.js';

/** Bounds one transaction, so that no reader of the log waits long for it. */
const MAX_BATCH_STEPS = 256;

interface Waiting {
  readonly step: Step;
  readonly keys: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Commits steps together: a batch is what queued while the last batch was committing. There is no
 * timer, so a step that comes alone is committed alone and at once.
 */
export class GroupCommitter {
  private queue: Waiting[] = [];
  private running = false;

  constructor(private readonly pool: Pool) {}

  /** Resolves when the step is durable; rejects with its conflict, or with the server's error. */
  commit(step: Step): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push({ step, keys: keysOf(step), resolve, reject });
      if (!this.running) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.running = true;
    while (this.queue.length > 0) {
      const batch = this.nextBatch();
      try {
        settle(batch, await this.commitBatch(batch));
      } catch (error) {
        // The server did not answer: each caller must find out for itself what was committed.
        const failure = error instanceof Error ? error : new Error(String(error));
        for (const waiting of batch) waiting.reject(failure);
      }
    }
    this.running = false;
  }

  /** Steps that share a key never share a batch: the later one must see the earlier one's writes. */
  private nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    const taken = new Set<string>();
    for (const waiting of this.queue) {
      const fits = batch.length < MAX_BATCH_STEPS && !waiting.keys.some((key) => taken.has(key));
      (fits ? batch : later).push(waiting);
      for (const key of waiting.keys) taken.add(key);
    }
    this.queue = later;
    return batch;
  }

  private async commitBatch(batch: readonly Waiting[]): Promise<readonly ConflictRow[]> {
    const { rows } = await this.pool.query<{ conflicts: readonly ConflictRow[] }>({
      name: 'commit-steps',
      text: 'SELECT commit_steps($1, $2) AS conflicts',
      values: [
        locksOf(batch.flatMap(({ keys }) => keys)),
        stepsJson(batch.map(({ step }) => step)),
      ],
    });
    return rows[0]?.conflicts ?? [];
  }
}

const settle = (batch: readonly Waiting[], conflicts: readonly ConflictRow[]): void => {
  const byStep = new Map(conflicts.map((conflict) => [conflict.step, conflict]));
  batch.forEach((waiting, index) => {
    const conflict = byStep.get(index);
    if (conflict) waiting.reject(conflictError(conflict));
    else waiting.resolve();
  });
};
