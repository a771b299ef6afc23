import { CallRunner, JobRunner, JobTable } from '#jobs';
import { assert, type Clock, type Instant, msOf, newId, plusMs, randomText } from '#kernel';
import {
  type CompanyStatus,
  isRegistered,
  type Merchant,
  merchantAggregate,
  type MerchantCommand,
  MerchantDetails,
  type MerchantTerms,
  observationOfCompany,
  observeCompanyStatus,
  requestRound,
} from '#onboarding';
import { RegisterAccount } from '#operations';
import {
  type CompanyDetails,
  type CompanyIdentity,
  OnboardingClients,
  ProviderAccounts,
} from '#psp';
import {
  HostedAdapter,
  hostedDetailsOf,
  type OnboardingTransports,
  onboardingTransports,
} from '#psp-hosted';
import { JobsBench } from '../jobs.fixture.js';
import { PATIENT, quiet, specSecretBox, WorkerBench } from '../worker.fixture.js';
import { HistoryPoller, type HistoryPollerParts } from './history-poller.js';
import { HistoryRows } from './history-rows.js';
import { type HistoryPlan, HistoryWatermarks } from './history-watermarks.js';
import { MerchantCalls } from './merchant-calls.js';
import { MerchantReader } from './merchant-reader.js';
import { TinyPartner } from './tiny-partner.fixture.js';
import { UnknownCalls } from './unknown-calls.js';

/** The fields by which a company is recognised. */
export const identityOf = ({ contact, company }: CompanyDetails): CompanyIdentity => ({
  email: contact.email,
  registrationNumber: company.registrationNumber,
});

export interface Poller {
  /** Runs the reads that are due. */
  round(): Promise<'more' | 'idle'>;
  /** Runs a polling run now, even if none is due. */
  roundNow(): Promise<void>;
}

/**
 * The parts of a worker that call the provider for merchants, on the spec's database, with helpers
 * that create merchants.
 */
export class MerchantBench {
  readonly details: MerchantDetails;
  readonly accounts: ProviderAccounts;
  readonly clients: OnboardingClients;
  readonly runner: JobRunner;
  private readonly transports: OnboardingTransports;
  /** By how many milliseconds our clock is ahead of the provider's. */
  private aheadMs = 0;
  private leases = 0;

  private constructor(
    readonly worker: WorkerBench,
    readonly partner: TinyPartner,
  ) {
    const { pool, store, clock, transport } = worker;
    const { url } = partner;
    // The spec stores merchant details with the API's permissions; the worker may only read them.
    this.details = new MerchantDetails(worker.admin, specSecretBox, hostedDetailsOf);
    const details = new MerchantDetails(pool, specSecretBox, hostedDetailsOf);
    this.transports = onboardingTransports(`${url}/api/partners`, url, PATIENT);
    const adapter = new HostedAdapter(transport, this.transports);
    const test = `spart_test_${randomText(24)}`;
    this.clients = new OnboardingClients(adapter, { test, live: null });
    this.accounts = new ProviderAccounts({
      pool,
      adapters: [adapter],
      secretBox: specSecretBox,
      publicWebhookUrl: 'https://127.0.0.1',
    });
    const calls = new MerchantCalls(pool, store, this.clients, this.accounts, details, clock);
    this.runner = new JobRunner({
      table: new JobTable(pool),
      logger: quiet,
      now: () => clock.now(),
    });
    this.runner.register(...new CallRunner(store, clock, quiet, [calls]).kinds());
  }

  /**
   * Registers the account of a merchant that was not onboarded through the API, as a platform does.
   */
  async registerAccount({
    merchantId,
    apiKey,
  }: {
    readonly merchantId: string;
    readonly apiKey: string;
  }): Promise<void> {
    const { pool, store, clock } = this.worker;
    const registering = new RegisterAccount(pool, store, this.accounts, clock);
    await registering.register(
      { platformId: 'plat_1', merchantId, mode: 'test', apiKey },
      { actor: 'platform:plat_1', causationId: 'spec' },
    );
  }

  /** `sagas`: whether the onboarding saga reacts to events, as in production. */
  static async open({ sagas = false } = {}): Promise<MerchantBench> {
    const clock: Clock = { now: () => plusMs(worker.clock.now(), -bench.aheadMs) };
    const partner = await TinyPartner.start(clock);
    const worker = await WorkerBench.open(partner.url, { sagas });
    const bench = new MerchantBench(worker, partner);
    return bench;
  }

  /** Moves our clock ahead by this time; the provider's clock stays. */
  skew(aheadMs: number): void {
    this.worker.clock.advance(aheadMs - this.aheadMs);
    this.aheadMs = aheadMs;
  }

  /** Sets both clocks to this instant. */
  setTime(at: Instant): void {
    this.skew(0);
    this.worker.clock.advance(msOf(at) - msOf(this.worker.clock.now()));
  }

  /** A worker that polls the status history; the newest worker holds the lease. */
  async newPoller(more: Partial<HistoryPollerParts> = {}): Promise<Poller> {
    const { pool, store, clock } = this.worker;
    const client = this.clients.of('test');
    assert(client !== null, 'the bench has a partner key');
    const poller = new HistoryPoller({
      mode: 'test',
      client,
      clock,
      logger: quiet,
      jitter: () => 0,
      watermarks: new HistoryWatermarks(pool),
      unknownCalls: new UnknownCalls(pool),
      rows: new HistoryRows(store, clock, quiet),
      ...more,
    });
    this.leases += 1;
    const held = { token: String(this.leases), requireHeld: () => undefined };
    await poller.begin(held);
    return {
      round: () => poller.round(held, new AbortController().signal),
      roundNow: async () => {
        await requestRound(pool, 'test', clock.now());
        await poller.round(held, new AbortController().signal);
      },
    };
  }

  /** The day up to which the history has been read, and the time of the next read. */
  async plan(): Promise<HistoryPlan | undefined> {
    return (await new HistoryWatermarks(this.worker.pool).plans(['test'])).get('test');
  }

  body(): CompanyDetails {
    return {
      company: {
        country: 'FR',
        legalForm: 'fr_sas',
        registrationNumber: '732829320',
        legalName: 'Atelier',
      },
      contact: {
        firstName: 'Camille',
        lastName: 'Martin',
        email: `${randomText(12).toLowerCase()}@example.test`,
      },
    };
  }

  /** A merchant whose registration is requested. */
  async request(
    more: Partial<MerchantTerms> = {},
    body: CompanyDetails = this.body(),
  ): Promise<string> {
    const id = newId('mer');
    const at = this.worker.clock.now();
    await this.command(id, {
      type: 'DraftMerchant',
      platformId: 'plat_1',
      reference: id,
      mode: 'test',
      firstTerminal: null,
      detailsRef: await this.details.keep(id, body),
      at,
      ...more,
    });
    await this.command(id, { type: 'RequestRegistration', at });
    return id;
  }

  /** A registered merchant, and its company at the provider. */
  async registered(more: Partial<MerchantTerms> = {}): Promise<{ id: string; companyId: string }> {
    const id = await this.request(more);
    await this.runAll();
    const merchant = await this.merchant(id);
    if (!isRegistered(merchant))
      throw new Error(`the merchant is not registered: its status is ${merchant.status}`);
    return { id, companyId: merchant.companyId };
  }

  /** Gives the company this status, and reads the company so that the status is recorded. */
  async follow(
    { id, companyId }: { readonly id: string; readonly companyId: string },
    status: CompanyStatus,
  ): Promise<void> {
    const { clock, store } = this.worker;
    clock.advance(1_000);
    this.partner.model.change(companyId, status);
    const readAt = clock.now();
    const answer = await this.clients.of('test')?.getCompany(companyId);
    if (answer === undefined) throw new Error('the mode has a partner key');
    const observation = observationOfCompany(answer, 'read', readAt);
    await store.step(this.worker.metadata(id), (step) =>
      observeCompanyStatus(step, id, observation, readAt),
    );
  }

  /** Makes the deadline for a read of the company due, and runs its job. */
  async readCompany(key: string): Promise<void> {
    const { pool, store, clock } = this.worker;
    const reader = new MerchantReader(store, clock, quiet, this.clients, new UnknownCalls(pool));
    const deadline = { kind: 'merchant.company', key, dueAt: clock.now() };
    await store.step(this.worker.metadata(key), (step) => step.setDeadline(deadline));
    const jobs = new JobsBench(this.worker, ...reader.kinds());
    await jobs.round();
    jobs.stop();
  }

  command(id: string, command: MerchantCommand): Promise<Merchant> {
    const metadata = this.worker.metadata(id);
    return this.worker.store.execute(merchantAggregate, id, command, metadata);
  }

  async merchant(id: string): Promise<Merchant> {
    return (await this.worker.store.load(merchantAggregate, id)).state;
  }

  /** The types of all events of a merchant, in order. */
  async story(id: string): Promise<readonly string[]> {
    const events = await this.worker.store.readStreams([{ streamType: 'merchant', streamId: id }]);
    return events.map(({ type }) => type);
  }

  jobs(id: string): Promise<readonly { kind: string; state: string; note: string }[]> {
    return this.worker.rows(
      `SELECT kind, state, note FROM jobs WHERE subject_id LIKE $1 || '%' ORDER BY ordinal`,
      id,
    );
  }

  /** Executes the calls that are due. */
  async runAll(): Promise<void> {
    for (;;) {
      const claimed = await this.runner.claim(10);
      if (claimed.length === 0) return;
      await Promise.all(claimed.map((job) => this.runner.run(job)));
    }
  }

  /** Advances the time to the next retry, and runs the retry. */
  async retryLater(ms = 60_000): Promise<void> {
    this.worker.clock.advance(ms);
    await this.runAll();
  }

  /** Makes every claim expire, as after a crash of the worker. */
  async lapse(): Promise<void> {
    await this.worker.admin.query(
      `UPDATE jobs SET held_until = clock_timestamp() - interval '1 s'
        WHERE state = 'running'`,
    );
  }

  async close(): Promise<void> {
    this.runner.stop();
    const { partners, manage } = this.transports;
    await Promise.all([partners.close(), manage.close()]);
    await this.worker.close();
    await this.partner.stop();
  }
}
