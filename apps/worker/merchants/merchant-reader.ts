import { assert, type Clock, DAY_MS, HOUR_MS, type Instant, MINUTE_MS, plusMs } from '#kernel';
import type { EventMetadata, EventStore, StepBuilder } from '#log';
import { type Job, type JobKind, triesOf } from '#jobs';
import {
  awaitsTerminals,
  isRegistered,
  MERCHANT_READS,
  merchantAggregate,
  type MerchantRead,
  missingOf,
  observationOfCompany,
  observeCompanyStatus,
  type RegisteredMerchant,
} from '#onboarding';
import { isProviderError, type Onboarding, type OnboardingClients, type ProviderError } from '#psp';
import type { Logger } from '#platform';
import { observeTerminals } from './calls/merchant-call.js';
import type { UnknownCalls } from './unknown-calls.js';

/** While the provider does not answer: no read is lost by waiting. */
const UNAVAILABLE_MS = MINUTE_MS;
/** It will not be over in a minute, and ops hear of it in the log. */
const FIRST_REFUSED_MS = HOUR_MS;
const WIDEST_REFUSED_MS = DAY_MS;
const TERMINALS_EVERY_MS = DAY_MS;

export interface MerchantReaderParts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onboarding: Pick<OnboardingClients, 'of'>;
  readonly unknownCalls: UnknownCalls;
}

/** What was read, to be gathered in the step that ends the job. */
type Record = (step: StepBuilder, at: Instant) => Promise<void>;

const refusedMs = (tries: number): number =>
  Math.min(FIRST_REFUSED_MS * 2 ** Math.min(tries, 20), WIDEST_REFUSED_MS);

interface NextTry {
  readonly waitMs: number;
  /** How often the read has been refused by then. */
  readonly tries: number;
}

/** When a read that failed is made again. */
const nextTry = (error: ProviderError, tries: number): NextTry => {
  switch (error.kind) {
    case 'rejected':
    case 'unauthorized':
    case 'capability_missing':
      return { waitMs: refusedMs(tries), tries: tries + 1 };
    case 'rate_limited':
      return { waitMs: error.retryAfterMs ?? UNAVAILABLE_MS, tries };
    case 'unavailable':
    case 'unknown_outcome':
      return { waitMs: UNAVAILABLE_MS, tries };
  }
};

const isRead = (kind: string): kind is MerchantRead =>
  (MERCHANT_READS as readonly string[]).includes(kind);

const isSoughtBy = ({ kind }: Job): boolean => kind === 'merchant.company';

const metadataOf = ({ kind, key, dueAt }: Job): EventMetadata => ({
  correlationId: key,
  causationId: `${kind} ${dueAt}`,
  actor: 'provider',
  traceparent: null,
});

/** A company, and who reads it. */
interface Company {
  readonly merchant: RegisteredMerchant;
  readonly client: Onboarding;
}

/** Reads at the provider what a merchant's history does not tell, or not yet. */
export class MerchantReader {
  constructor(private readonly parts: MerchantReaderParts) {}

  kinds(): readonly JobKind[] {
    return MERCHANT_READS.map((kind) => ({ kind, lane: 'reads', run: (job) => this.read(job) }));
  }

  private async read(job: Job): Promise<void> {
    const { store, clock, logger, onboarding } = this.parts;
    const { key } = job;
    const { state: merchant } = await store.load(merchantAggregate, key);
    if (merchant.status === 'none') return this.end(job, null);
    const client = onboarding.of(merchant.terms.mode);
    if (client === null) {
      const { mode } = merchant.terms;
      logger.warn({ merchantId: key, mode }, 'a merchant is not read without a partner key');
      return this.putOff(job, { waitMs: WIDEST_REFUSED_MS, tries: triesOf(job) });
    }
    try {
      if (isRegistered(merchant)) await this.readOf(job, { merchant, client });
      else {
        // What looks for a company is the job that asked for it.
        if (isSoughtBy(job)) await this.parts.unknownCalls.lookNow(key, clock.now());
        await this.end(job, null);
      }
    } catch (error) {
      if (!isProviderError(error)) throw error;
      logger.warn({ merchantId: key, kind: job.kind, err: error }, 'a read is put off');
      await this.putOff(job, nextTry(error, triesOf(job)));
    }
  }

  private async readOf(job: Job, company: Company): Promise<void> {
    const { kind, key } = job;
    assert(isRead(kind), `merchants are not read by '${kind}'`);
    switch (kind) {
      case 'merchant.company':
        return this.end(job, await this.readCompany(key, company));
      case 'merchant.requirements':
        return this.end(job, await this.readRequirements(key, company));
      case 'merchant.terminals':
        return this.end(job, await this.readTerminals(key, company));
    }
  }

  /** Without a record: the job outlived its reason. */
  private async end(job: Job, record: Record | null): Promise<void> {
    const { store, clock } = this.parts;
    await store.step(metadataOf(job), async (step) => {
      step.endJob(job);
      await record?.(step, clock.now());
    });
  }

  private async putOff(job: Job, { waitMs, tries }: NextTry): Promise<void> {
    const { store, clock } = this.parts;
    const { kind, key } = job;
    await store.step(metadataOf(job), (step) => {
      step.endJob(job);
      step.setDeadline({ kind, key, dueAt: plusMs(clock.now(), waitMs), tries });
    });
  }

  /** Keys that were refused are asked for again with each look: that is a read, too. */
  private async readCompany(key: string, { merchant, client }: Company): Promise<Record> {
    const { clock, unknownCalls } = this.parts;
    const readAt = clock.now();
    if (merchant.keysRequested && !merchant.openForOrders) {
      await unknownCalls.fetchKeysNow(key, readAt);
    }
    const facts = await client.getCompany(merchant.companyId);
    const observation = observationOfCompany(facts, 'read', readAt);
    return async (step, at) => void (await observeCompanyStatus(step, key, observation, at));
  }

  /** Once it is signed nothing is missing any more. */
  private async readRequirements(
    key: string,
    { merchant, client }: Company,
  ): Promise<Record | null> {
    if (merchant.status !== 'incomplete') return null;
    const readAt = this.parts.clock.now();
    const missing = missingOf(await client.progress(merchant.companyId));
    return async (step, at) =>
      void (await step.execute(merchantAggregate, key, {
        type: 'ObserveRequirements',
        missing,
        readAt,
        at,
      }));
  }

  /** Nobody tells of a terminal's way: it is asked for daily while one is under way. */
  private async readTerminals(key: string, company: Company): Promise<Record> {
    const {
      merchant: { companyId, companyAccountId },
      client,
    } = company;
    if (companyAccountId === null) return this.readCompany(key, company);
    const readAt = this.parts.clock.now();
    const terminals = await client.listTerminals(companyId, companyAccountId);
    return async (step, at) => {
      const command = observeTerminals(terminals, readAt, at);
      const after = await step.execute(merchantAggregate, key, command);
      if (!isRegistered(after) || !awaitsTerminals(after)) return;
      const dueAt = plusMs(at, TERMINALS_EVERY_MS);
      step.setDeadline({ kind: 'merchant.terminals', key, dueAt });
    };
  }
}
