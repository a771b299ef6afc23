import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { LogReader } from '#log';
import { ClaimLapsed, JobTable } from '#jobs';
import { UPCASTERS } from '#orchestrator';
import { DAY_MS, type Instant, newId, plusMs } from '#kernel';
import { paymentAggregate } from '#payment';
import { type Capabilities, ProviderAccounts, ProviderBudget } from '#psp';
import { HostedAdapter } from '#psp-hosted';
import { JobsBench } from '../jobs.fixture.js';
import { ledger } from '../ledger/ledger.js';
import { drain } from '../projections/drain.fixture.js';
import { payoutList } from '#payout';
import { ProjectionRunner } from '#projections';
import { BackgroundReads } from '../reads/background-reads.js';
import {
  ACCOUNT,
  type BenchOptions,
  quiet,
  specSecretBox,
  WorkerBench,
} from '../worker.fixture.js';
import { AccountLists } from './account-lists.js';
import { Overdue } from './overdue.js';
import { PaymentIngest } from './ingest-payments.js';
import { PaymentReferences } from './payment-references.js';
import { PayoutLines } from './payout-lines.js';
import { type LinePayment, PayoutProvider } from './payout-provider.fixture.js';
import { PayoutReads } from './payout-reads.js';
import { Reconciliation } from './reconciliation.js';
import { AccountJobs } from './account-jobs.js';
import { AccountJobKinds } from './account-job-kinds.js';

/** The number of rows per statement: so small that most comparisons take several statements. */
const CHUNK_ROWS = 2;
/**
 * The pause of the projection when there are no new events, so that it does not occupy a whole
 * core.
 */
const PROJECT_EVERY_MS = 20;

export interface PayoutsOptions extends Pick<BenchOptions, 'databases'> {
  readonly callsPerMinute?: number;
  /** The capabilities that the provider has instead of those of the hosted provider. */
  readonly can?: Partial<Capabilities>;
}

/** The parts of a worker that read payouts, with the spec's database and provider. */
export class PayoutsBench {
  readonly accountJobs: AccountJobs;
  readonly jobs: JobsBench;
  readonly reads: BackgroundReads;
  readonly reconciliation: Reconciliation;
  readonly overdue: Overdue;
  /** The capabilities of the provider, which a spec may change. */
  capabilities: Capabilities;
  private readonly projections;
  /**
   * The number of statements that a reconciliation may execute before it is interrupted; some specs
   * allow too few to complete it.
   */
  private steps = { allowed: Infinity, left: Infinity };

  private constructor(
    readonly bench: WorkerBench,
    readonly provider: PayoutProvider,
    callsPerMinute: number,
    can: Partial<Capabilities>,
  ) {
    const { pool, store, clock, transport } = bench;
    const reader = new LogReader(pool, UPCASTERS);
    const hosted = new HostedAdapter(transport);
    this.capabilities = { ...hosted.capabilities, ...can };
    const adapter = Object.defineProperty(hosted, 'capabilities', {
      get: () => this.capabilities,
    });
    const accounts = new ProviderAccounts({
      pool,
      secretBox: specSecretBox,
      adapters: [adapter],
      publicWebhookUrl: 'https://api.test',
    });
    const budget = new ProviderBudget(pool, callsPerMinute);
    const reads = new BackgroundReads(accounts, budget);
    this.reads = reads;
    const ingest = new PaymentIngest(store, clock, quiet);
    const lines = new PayoutLines(pool);
    const references = new PaymentReferences(lines, quiet);
    const table = new JobTable(pool);
    this.accountJobs = new AccountJobs(pool);
    const cut: Pick<JobTable, 'save'> = {
      save: (job, progress) => this.saveOrCut(job, progress),
    };
    this.reconciliation = new Reconciliation(pool, store, cut, lines, clock, CHUNK_ROWS);
    this.overdue = new Overdue(pool, clock, CHUNK_ROWS);
    const runner = new AccountJobKinds(
      this.accountJobs,
      reads,
      new AccountLists(table, references, ingest, clock),
      new PayoutReads(store, new AccountJobs(pool), table, lines, references, ingest, clock, quiet),
      this.reconciliation,
      clock,
      quiet,
    );
    this.jobs = new JobsBench(bench, ...runner.kinds());
    this.projections = new ProjectionRunner(pool, reader, [ledger, payoutList]);
  }

  static async open({
    callsPerMinute = 1_000_000,
    can = { sends: ['intent'] },
    databases,
  }: PayoutsOptions = {}): Promise<PayoutsBench> {
    const provider = await PayoutProvider.start();
    const bench = await WorkerBench.open(provider.url, { databases });
    const payouts = new PayoutsBench(bench, provider, callsPerMinute, can);
    await payouts.register(ACCOUNT, 'm_1', 'stest_spec');
    return payouts;
  }

  /** Registers a provider account with its key. */
  async register(accountId: string, merchantId: string, apiKey: string): Promise<void> {
    const seal = (secret: string, field: string): Buffer =>
      Buffer.from(specSecretBox.seal(secret, `${accountId}.${field}`), 'utf8');
    await this.bench.admin.query(
      `INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed,
         webhook_endpoint_id, webhook_secret_sealed, created_at)
       VALUES ($1, 'plat_1', $5, 'test', $2, $3, $4, '2030-02-01T00:00:00Z')`,
      [
        accountId,
        seal(apiKey, 'api_key'),
        newId('we'),
        seal(randomBytes(32).toString('hex'), 'webhook_secret'),
        merchantId,
      ],
    );
  }

  /** Payments that the provider is clearing. */
  accepted(count: number): Promise<readonly LinePayment[]> {
    return this.inStatus('to_capture', count);
  }

  /** Creates payments that are recorded as captured but are in no payout of the provider. */
  captured(count: number): Promise<readonly LinePayment[]> {
    return this.inStatus('captured', count);
  }

  private async inStatus(status: string, count: number): Promise<readonly LinePayment[]> {
    const { bench } = this;
    return Promise.all(
      Array.from({ length: count }, async () => {
        const paymentId = await bench.requestIntent();
        const intentId = newId('pi');
        const intent = {
          intentId,
          reference: paymentId,
          pageUrl: 'https://pay.example',
          status,
          amountMinor: 1_999,
          currency: 'eur',
        };
        const attempt = {
          attemptId: newId('paym'),
          status,
          response: '00',
          method: 'card' as const,
          mandateId: null,
          authorizedUntil: plusMs(bench.clock.now(), 7 * DAY_MS),
        };
        await bench.store.execute(
          paymentAggregate,
          paymentId,
          {
            type: 'ObservePayment',
            paymentId,
            at: bench.clock.now(),
            observation: { intent, attempts: [attempt], refunds: null, disputes: null },
          },
          bench.metadata(`ord_${paymentId}`),
        );
        return { paymentId, intentId, amountMinor: 1_999 };
      }),
    );
  }

  /**
   * Interrupts the first reconciliation after one statement, the next after two statements, and so
   * on.
   */
  cutReconciliations(): void {
    this.steps = { allowed: 0, left: 0 };
  }

  private async saveOrCut(...[job, progress]: Parameters<JobTable['save']>): Promise<void> {
    if (this.steps.left > 0) {
      this.steps.left -= 1;
      return this.jobs.table.save(job, progress);
    }
    const allowed = this.steps.allowed + 1;
    this.steps = { allowed, left: allowed };
    await this.jobs.table.end(job, { next: 'later', waitMs: 0 });
    throw new ClaimLapsed('it is cut off');
  }

  /** Runs each due job once; returns the number of jobs that ran. */
  round(): Promise<number> {
    return this.jobs.round();
  }

  /**
   * Runs jobs until none is due. The projections run meanwhile, because the reconciliation waits
   * for the journal.
   */
  async untilIdle(): Promise<void> {
    let over = false;
    const projecting = (async () => {
      while (!over) if ((await this.projections.round()) === 0) await setTimeout(PROJECT_EVERY_MS);
    })();
    // A job that was postponed for a moment counts as due, but cannot be claimed yet.
    while ((await this.round()) > 0 || (await this.dueIn()).due > 0) await setTimeout(10);
    over = true;
    await projecting;
    await drain(this.bench.pool, this.projections);
  }

  /** Advances the clock by a day and runs all jobs that become due in it. */
  async nextDay(): Promise<void> {
    this.bench.clock.advance(DAY_MS);
    await this.untilIdle();
  }

  /** The reconciliation breaks, open or closed. */
  exceptions(): Promise<readonly Record<string, unknown>[]> {
    return this.bench.rows<Record<string, unknown>>(
      `SELECT kind, expected, observed, closed_by FROM reconciliation_exceptions ORDER BY kind`,
    );
  }

  dueIn(): Promise<{ readonly due: number; readonly next: Instant | null }> {
    return this.jobs.table.due(this.bench.clock.now(), this.jobs.runner.names());
  }

  at(): Instant {
    return this.bench.clock.now();
  }

  async close(): Promise<void> {
    this.jobs.stop();
    await this.bench.close();
    await this.provider.stop();
  }
}
