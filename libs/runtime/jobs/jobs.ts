import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore, Wakes } from '#log';
import {
  type BusinessClock,
  CLOCK,
  ClockCheck,
  IdleChecks,
  type Logger,
  LOGGER,
  Metrics,
} from '#platform';
import { begunJob, type Job, type JobKind } from './job.js';
import { JobRunner } from './job-runner.js';
import { JobTable } from './job-table.js';
import { LANES } from './lanes.js';
import { WorkLoop } from './work-loop.js';

const WIDTH = Object.values(LANES).reduce((sum, { width }) => sum + width, 0);
/**
 * Claiming jobs costs more than reading the event log, so several commits within a short time lead
 * to one claim; after a time without work, up to four claims may follow each other immediately. No
 * notification wakes the loop when a job becomes due by time, so its pauses are short.
 */
const IDLE_MS = { first: 40, gather: 25, burst: 4, longest: 1_000 };

/** The jobs of this worker. Job kinds must be registered before the worker starts. */
@Injectable()
export class Jobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runner: JobRunner;
  private readonly loop: WorkLoop<Job>;
  private readonly first: (() => Promise<void>)[] = [];
  private readonly last: (() => Promise<void>)[] = [];
  private runs = 0;

  constructor(
    pool: Pool,
    store: EventStore,
    wakes: Wakes,
    idle: IdleChecks,
    metrics: Metrics,
    wall: ClockCheck,
    @Inject(CLOCK) private readonly clock: BusinessClock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const table = new JobTable(pool);
    const ended = metrics.counter('jobs_ended_total', 'Runs of jobs, by kind and result', [
      'kind',
      'outcome',
    ]);
    this.runner = new JobRunner(
      {
        table,
        logger,
        now: () => (wall.isRight ? clock.now() : null),
        onEnded: (kind, outcome) => {
          this.runs += 1;
          ended.inc({ kind, outcome });
        },
      },
      () => this.loop.wake(),
    );
    this.loop = new WorkLoop({
      name: 'jobs',
      logger,
      width: WIDTH,
      idleMs: IDLE_MS,
      claim: () => this.runner.claim(),
      run: (job) => this.runner.run(job),
    });
    store.beginCallsBy({
      reserve: (call) => (this.loop.isRunning ? this.runner.reserve(call) : null),
      release: (call) => this.runner.release(call),
      giveBack: (call) => void this.runner.giveBack(call),
      begin: (call) => this.loop.begin(begunJob(call)),
    });
    clock.onMoved(() => this.loop.wake());
    store.onCommitted((step) => {
      const now = clock.now();
      const isDue = step.deadlines.some(({ dueAt }) => dueAt !== null && dueAt <= now);
      if (isDue) this.loop.wake();
    });
    wakes.on('jobs', () => this.loop.wake());
    metrics.gauge(
      'jobs_open',
      'Jobs that are due, running or failed',
      ['kind', 'state'],
      async (gauge) => {
        for (const { kind, state, jobs } of await table.open()) gauge.set({ kind, state }, jobs);
      },
    );
    this.watch(table, idle);
  }

  register(...kinds: readonly JobKind[]): void {
    this.runner.register(...kinds);
  }

  /** Registers work that must be done before the first job is claimed. */
  beforeFirst(work: () => Promise<void>): void {
    this.first.push(work);
  }

  /**
   * Registers a function that ends runs early when the worker stops. It is called after the last
   * claim, and before the worker waits for the runs in progress.
   */
  whenStopping(work: () => Promise<void>): void {
    this.last.push(work);
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const work of this.first) await work();
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    const stopped = this.loop.stop();
    await Promise.all(this.last.map((work) => work()));
    await stopped;
    // Steps that were committed just before the stop may have claimed jobs for this process: wait
    // until these jobs have ended.
    await this.runner.drained();
    this.runner.stop();
  }

  /**
   * Lets a movable test clock wait until no job is due. The database is asked only while this
   * process runs none.
   */
  private watch(table: JobTable, idle: IdleChecks): void {
    idle.add({
      name: 'jobs',
      check: async () => {
        const mark = String(this.runs);
        if (this.runner.isInUse) return { busy: 'some in progress', mark };
        const { due, next } = await table.due(this.clock.now(), this.runner.names());
        return { busy: due > 0 ? `${due} due` : null, mark, next };
      },
    });
  }
}
