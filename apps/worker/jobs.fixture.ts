import { type Job, type JobKind, JobRunner, JobTable } from '#jobs';
import { assert } from '#kernel';
import { quiet, type WorkerBench } from './worker.fixture.js';

/**
 * The maximum number of rounds of `drain`. If jobs are still due after them, some job makes itself
 * due again at once, without end.
 */
const MOST_ROUNDS = 500;

/** Runs jobs of the given kinds on a spec's database, only when the spec calls `round`. */
export class JobsBench {
  readonly table: JobTable;
  readonly runner: JobRunner;

  constructor(
    private readonly bench: WorkerBench,
    ...kinds: readonly JobKind[]
  ) {
    this.table = new JobTable(bench.pool);
    this.runner = new JobRunner({
      table: this.table,
      logger: quiet,
      now: () => bench.clock.now(),
    });
    this.runner.register(...kinds);
  }

  claim(most?: number): Promise<readonly Job[]> {
    return this.runner.claim(most);
  }

  /** Runs each due job once; returns the number of jobs that ran. */
  async round(): Promise<number> {
    const jobs = await this.claim();
    await Promise.all(jobs.map((job) => this.runner.run(job)));
    return jobs.length;
  }

  /** Runs jobs until none is due. */
  async drain(): Promise<void> {
    for (let rounds = 0; (await this.round()) > 0; rounds += 1) {
      assert(rounds < MOST_ROUNDS, 'at some time no job is due');
    }
  }

  /** Makes every claim on a job expire, and every postponed job due again. */
  async lapse(): Promise<void> {
    await this.bench.admin.query(
      `UPDATE jobs SET held_until = clock_timestamp() - interval '1 s'
        WHERE held_until IS NOT NULL`,
    );
  }

  stop(): void {
    this.runner.stop();
  }
}
