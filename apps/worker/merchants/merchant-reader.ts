import { assert, type Clock, DAY_MS, HOUR_MS, type Instant, MINUTE_MS, plusMs } from '#kernel';
import { type EventMetadata, type EventStore, type StepBuilder, untraced } from '#log';
import { failedRead, type Job, type JobEnd, type JobKind, triesOf } from '#jobs';
import {
  isRegistered,
  MERCHANT_READS,
  merchantAggregate,
  type MerchantRead,
  missingOf,
  observationOfCompany,
  observeCompanyStatus,
  type RegisteredMerchant,
  terminalsReadAfterDays,
} from '#onboarding';
import { isProviderError, type Onboarding, type OnboardingClients, type ProviderError } from '#psp';
import type { Logger } from '#platform';
import { observeTerminals } from './calls/merchant-call.js';
import type { UnknownCalls } from './unknown-calls.js';

/** The retry interval while the provider does not respond. No status is lost by the delay. */
const UNAVAILABLE_MS = MINUTE_MS;
/**
 * The first retry interval after a refusal: the cause of a refusal rarely ends within a minute. The
 * process log warns operators.
 */
const MIN_REFUSAL_RETRY_MS = HOUR_MS;
export const MAX_REFUSAL_RETRY_MS = DAY_MS;

/** Adds the events that record what was read to the commit that ends the job. */
type Record = (step: StepBuilder, at: Instant) => Promise<void>;

const refusalRetryMs = (tries: number): number =>
  Math.min(MIN_REFUSAL_RETRY_MS * 2 ** Math.min(tries, 20), MAX_REFUSAL_RETRY_MS);

interface NextTry {
  readonly waitMs: number;
  /** How often the read has been refused so far. */
  readonly tries: number;
}

/** When a failed read is retried. */
const nextTry = (error: ProviderError, tries: number): NextTry => {
  switch (error.kind) {
    case 'rejected':
    case 'unauthorized':
    case 'capability_missing':
      return { waitMs: refusalRetryMs(tries), tries: tries + 1 };
    case 'rate_limited':
      return { waitMs: error.retryAfterMs ?? UNAVAILABLE_MS, tries };
    case 'unavailable':
    case 'unknown_outcome':
      return { waitMs: UNAVAILABLE_MS, tries };
  }
};

/** Whether the provider refuses this company alone: its other companies can be read. */
const isOfOneCompany = (error: ProviderError): boolean =>
  error.kind === 'rejected' && (error.status === 404 || error.status === 409);

const isRead = (kind: string): kind is MerchantRead =>
  (MERCHANT_READS as readonly string[]).includes(kind);

const isSoughtBy = ({ kind }: Job): boolean => kind === 'merchant.company';

const metadataOf = ({ kind, key, dueAt }: Job): EventMetadata =>
  untraced(key, `${kind} ${dueAt}`, 'provider');

/** A registered company, and the client that reads it. */
interface Company {
  readonly merchant: RegisteredMerchant;
  readonly client: Onboarding;
}

/**
 * Reads a merchant's company status, missing requirements and terminals from the provider, because
 * the status history does not show them, or does not show them yet.
 */
export class MerchantReader {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly onboarding: Pick<OnboardingClients, 'of'>,
    private readonly unknownCalls: UnknownCalls,
  ) {}

  kinds(): readonly JobKind[] {
    return MERCHANT_READS.map((kind) => ({ kind, lane: 'reads', run: (job) => this.read(job) }));
  }

  private async read(job: Job): Promise<JobEnd | void> {
    const { key } = job;
    const { state: merchant } = await this.store.load(merchantAggregate, key);
    if (merchant.status === 'none') return this.end(job, null);
    const client = this.onboarding.of(merchant.terms.mode);
    if (client === null) {
      const { mode } = merchant.terms;
      this.logger.warn({ merchantId: key, mode }, 'a merchant cannot be read: no partner key');
      return this.failed(job, { waitMs: MAX_REFUSAL_RETRY_MS, tries: triesOf(job) });
    }
    try {
      if (isRegistered(merchant)) await this.readOf(job, { merchant, client });
      else {
        // The job of the creation call searches for the company; here that job is only made due.
        if (isSoughtBy(job)) await this.unknownCalls.searchNow(key, this.clock.now());
        await this.end(job, null);
      }
    } catch (error) {
      if (!isProviderError(error)) throw error;
      this.logger.warn({ merchantId: key, kind: job.kind, err: error }, 'a read will be retried');
      const next = nextTry(error, triesOf(job));
      return isOfOneCompany(error) ? this.refused(next) : this.failed(job, next);
    }
  }

  private async readOf(job: Job, company: Company): Promise<void> {
    const { kind, key } = job;
    assert(isRead(kind), `no read of merchants has the kind '${kind}'`);
    switch (kind) {
      case 'merchant.company':
        return this.end(job, await this.readCompany(key, company));
      case 'merchant.requirements':
        return this.end(job, await this.readRequirements(key, company));
      case 'merchant.terminals':
        return this.end(job, await this.readTerminals(key, company));
    }
  }

  /** Ends the job. `record` is null if the job no longer has a purpose. */
  private async end(job: Job, record: Record | null): Promise<void> {
    await this.store.step(metadataOf(job), async (step) => {
      step.endJob(job);
      await record?.(step, this.clock.now());
    });
  }

  /** Ends a read that does not count as overdue: it may be refused for ever. */
  private refused({ waitMs, tries }: NextTry): JobEnd {
    return { next: 'again', dueAt: plusMs(this.clock.now(), waitMs), progress: { tries } };
  }

  private failed(job: Job, { waitMs, tries }: NextTry): JobEnd {
    return failedRead(job, plusMs(this.clock.now(), waitMs), tries);
  }

  /**
   * If the provider has refused the company's keys, each read of the company requests them again.
   */
  private async readCompany(key: string, { merchant, client }: Company): Promise<Record> {
    const readAt = this.clock.now();
    if (merchant.keysRequested && !merchant.ordersEnabled) {
      await this.unknownCalls.fetchKeysNow(key, readAt);
    }
    const facts = await client.getCompany(merchant.companyId);
    const observation = observationOfCompany(facts, 'read', readAt);
    return async (step, at) => void (await observeCompanyStatus(step, key, observation, at));
  }

  /**
   * Reads the missing requirements. Null once the contract is signed, because then nothing is
   * missing.
   */
  private async readRequirements(
    key: string,
    { merchant, client }: Company,
  ): Promise<Record | null> {
    if (merchant.status !== 'incomplete') return null;
    const readAt = this.clock.now();
    const missing = missingOf(await client.progress(merchant.companyId));
    return async (step, at) =>
      void (await step.execute(merchantAggregate, key, {
        type: 'ObserveRequirements',
        missing,
        readAt,
        at,
      }));
  }

  /**
   * The provider sends no webhooks for terminals, so they are read daily while a terminal is being
   * delivered or returned, and weekly while a terminal is in use.
   */
  private async readTerminals(key: string, company: Company): Promise<Record> {
    const {
      merchant: { companyId, companyAccountId },
      client,
    } = company;
    if (companyAccountId === null) return this.readCompany(key, company);
    const readAt = this.clock.now();
    const terminals = await client.listTerminals(companyId, companyAccountId);
    return async (step, at) => {
      const command = observeTerminals(terminals, readAt, at);
      const after = await step.execute(merchantAggregate, key, command);
      const days = isRegistered(after) ? terminalsReadAfterDays(after) : null;
      if (days === null) return;
      step.setDeadline({ kind: 'merchant.terminals', key, dueAt: plusMs(at, days * DAY_MS) });
    };
  }
}
