import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import {
  type CallFamily,
  type CallJob,
  type CallTools,
  type EndedCall,
  type LoadedCall,
  retryLater,
} from '#jobs';
import { EventStore, type StepBuilder } from '#log';
import { assert, type Clock } from '#kernel';
import {
  type Merchant,
  merchantAggregate,
  type MerchantCommand,
  MerchantDetails,
  type MerchantEffect,
  merchantOfSubject,
  observeCompanyStatus,
} from '#onboarding';
import { lostTimesUntilNow, RegisterAccount } from '#operations';
import { CLOCK } from '#platform';
import { OnboardingClients, ProviderAccounts } from '#psp';
import { outcomeOfFailure } from '../provider-failure.js';
import { cancelTerminal } from './calls/cancel-terminal.js';
import { CompanySearch } from './calls/company-search.js';
import { createCompany } from './calls/create-company.js';
import { fetchKeys } from './calls/fetch-keys.js';
import type { MerchantCallMaker, MerchantOutcome } from './calls/merchant-call.js';
import { orderTerminal } from './calls/order-terminal.js';
import { UnknownCalls } from './unknown-calls.js';

const CALLS: Readonly<Record<MerchantEffect, MerchantCallMaker>> = {
  create_company: createCompany,
  fetch_keys: fetchKeys,
  order_terminal: orderTerminal,
  cancel_terminal: cancelTerminal,
};

const isKnown = (kind: string): kind is MerchantEffect => Object.hasOwn(CALLS, kind);

/**
 * Executes the call. If the result contains a company's status, the status is recorded, which also
 * claims the company for the merchant.
 */
const carry = async (
  step: StepBuilder,
  merchantId: string,
  command: MerchantCommand,
): Promise<void> => {
  if (command.type === 'ObserveCompanyStatus') {
    await observeCompanyStatus(step, merchantId, command.observation, command.at);
  } else await step.execute(merchantAggregate, merchantId, command);
};

/** Executes the provider calls of merchants, each with the partner key of the merchant's mode. */
@Injectable()
export class MerchantCalls implements CallFamily {
  readonly kinds = Object.keys(CALLS);
  readonly outcomeOf = outcomeOfFailure;
  private readonly search: CompanySearch;
  private readonly registerAccount: RegisterAccount;

  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly onboarding: OnboardingClients,
    private readonly accounts: ProviderAccounts,
    private readonly details: MerchantDetails,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.registerAccount = new RegisterAccount(pool, store, accounts, clock);
    const unknownCalls = new UnknownCalls(pool);
    this.search = new CompanySearch(store, details, unknownCalls, () => clock.now());
  }

  readonly traceparentOf = async ({ subjectId }: CallJob): Promise<string | null> =>
    (await this.store.loadRecent(merchantAggregate, merchantOfSubject(subjectId))).traceparent;

  readonly load = async (job: CallJob): Promise<LoadedCall> => {
    const merchantId = merchantOfSubject(job.subjectId);
    const { state: merchant } = await this.store.load(merchantAggregate, merchantId);
    return {
      correlationId: merchantId,
      make: async (tools) => {
        const { commands, next, note } = await this.call(merchantId, merchant, tools);
        const record: EndedCall['record'] = async (step) => {
          for (const command of commands) await carry(step, merchantId, command);
        };
        return { next, note, record };
      },
      recordStuck: async (step) => {
        const { kind } = job;
        assert(isKnown(kind), 'the call has a known kind');
        // A merchant that does not exist cannot have an unknown result, so nothing is recorded.
        if (kind === 'fetch_keys' || merchant.status === 'none') return;
        const at = this.clock.now();
        const command = { type: 'NoteUnknownOutcome', call: kind, at } as const;
        await step.execute(merchantAggregate, merchantId, command);
      },
    };
  };

  private async call(
    merchantId: string,
    merchant: Merchant,
    tools: CallTools,
  ): Promise<MerchantOutcome> {
    const { kind } = tools.job;
    assert(isKnown(kind), 'the runner passes only jobs that are calls for merchants');
    assert(merchant.status !== 'none', 'a call is made for a merchant that exists');
    const { mode } = merchant.terms;
    const client = this.onboarding.of(mode);
    if (client === null) return retryLater(`there is no partner key of mode ${mode}`);
    const { search, accounts, registerAccount, details, pool, clock } = this;
    const lostTimes = () => lostTimesUntilNow(pool, clock);
    return CALLS[kind]({
      ...tools,
      merchantId,
      merchant,
      client,
      parts: { search, accounts, registerAccount, details, lostTimes },
    });
  }
}
