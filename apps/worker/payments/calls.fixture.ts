import { type CallFamily, CallRunner, JobRunner, JobTable } from '#jobs';
import { msOf, SECOND_MS } from '#kernel';
import { heldDebitOf, lostTimesUntilNow } from '#operations';
import { paymentAggregate } from '#payment';
import { readPayment } from '#psp';
import { TinyProvider } from '../tiny-provider.fixture.js';
import { quiet, WorkerBench } from '../worker.fixture.js';
import { paymentEffects } from './payment-effects.js';

export interface JobState {
  readonly jobId: string;
  readonly kind: string;
  readonly state: string;
  readonly tries: number;
  readonly note: string;
}

/** Runs provider call jobs on a real database, against a small provider over HTTP. */
export class EffectsBench {
  private readonly runners: JobRunner[] = [];

  private constructor(
    readonly provider: TinyProvider,
    readonly bench: WorkerBench,
  ) {}

  static async open(options?: { readonly sagas: boolean }): Promise<EffectsBench> {
    const provider = await TinyProvider.start();
    return new EffectsBench(provider, await WorkerBench.open(provider.url, options));
  }

  newRunner(families?: readonly CallFamily[]): JobRunner {
    const { store, clock, clientOf, capabilitiesOf, pool } = this.bench;
    const ours = families ?? [
      paymentEffects({
        store,
        clock,
        clientOf,
        capabilitiesOf,
        lostTimes: () => lostTimesUntilNow(pool, clock),
        heldDebitOf: (paymentId, payment) => heldDebitOf(pool, paymentId, payment, clock.now()),
      }),
    ];
    const made = new JobRunner({
      table: new JobTable(pool),
      logger: quiet,
      now: () => clock.now(),
    });
    made.register(...new CallRunner(store, clock, quiet, ours).kinds());
    this.runners.push(made);
    return made;
  }

  async reset(): Promise<void> {
    this.provider.reset();
    this.provider.nowSeconds = () => Math.floor(msOf(this.bench.clock.now()) / SECOND_MS);
    await this.bench.admin.query('TRUNCATE jobs');
  }

  jobs(subjectId: string): Promise<readonly JobState[]> {
    return this.bench.rows<JobState>(
      `SELECT key AS "jobId", kind, state, attempts AS tries, note FROM jobs
        WHERE subject_id = $1 ORDER BY ordinal`,
      subjectId,
    );
  }

  /** Runs the jobs that are due; returns their number. */
  async runAll(by: JobRunner): Promise<number> {
    for (let total = 0; ;) {
      const claimed = await by.claim(10);
      if (claimed.length === 0) return total;
      await Promise.all(claimed.map((job) => by.run(job)));
      total += claimed.length;
    }
  }

  /** Makes every claim expire, as after a crash of the worker. */
  async lapse(): Promise<void> {
    await this.bench.admin.query(
      `UPDATE jobs SET held_until = clock_timestamp() - interval '1 s'
        WHERE held_until IS NOT NULL`,
    );
  }

  /**
   * Reads the payment and records what the provider shows, as a webhook, a poll or a refresh does;
   * runs no job.
   */
  async refresh(id: string, orderId = `ord_${id}`): Promise<void> {
    const { bench, provider } = this;
    const intentId = provider.intentOf(id)?.id ?? '';
    const observation = await readPayment(await bench.clientOf(), intentId);
    await bench.store.execute(
      paymentAggregate,
      id,
      {
        type: 'ObservePayment',
        paymentId: id,
        observation,
        at: bench.clock.now(),
      },
      bench.metadata(orderId),
    );
  }

  async close(): Promise<void> {
    for (const one of this.runners) one.stop();
    await this.bench.close();
    await this.provider.stop();
  }
}
