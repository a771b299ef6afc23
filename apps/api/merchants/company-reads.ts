import { Inject, Injectable } from '@nestjs/common';
import { EventStore } from '#log';
import { type Clock, Rejection } from '#kernel';
import {
  isRegistered,
  merchantAggregate,
  MerchantDetails,
  missingOf,
  observationOfCompany,
  observeCompanyStatus,
} from '#onboarding';
import { CLOCK } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { Tenancy } from '../shared/tenancy.js';
import type { DetailsAnswer } from './details/details-answer.js';
import { merchantAnswer, type MerchantAnswer } from './merchant-answer.js';
import { asking, Partners } from './partners.js';
import { progressAnswer, type ProgressAnswer } from './progress-answer.js';

/** What is read of a merchant's company, each time anew. */
@Injectable()
export class CompanyReads {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly details: MerchantDetails,
    private readonly partners: Partners,
    private readonly idempotency: Idempotency,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Before the company is registered they are here; from then on the provider has them. */
  async readDetails(caller: Caller, merchantId: string): Promise<DetailsAnswer> {
    const merchant = await this.tenancy.merchant(caller, merchantId);
    if (isRegistered(merchant)) {
      const { client, companyId } = await this.partners.company(caller, merchantId);
      const company = await asking('company', client.getCompany(companyId));
      return { source: 'provider', details: company.details };
    }
    const { detailsRef } = merchant;
    const details = detailsRef === null ? null : await this.details.read(detailsRef);
    if (details !== null) return { source: 'here', details };
    throw new Rejection('personal_data_erased', 'the details of this merchant have been erased');
  }

  async progress(caller: Caller, merchantId: string): Promise<ProgressAnswer> {
    const { client, companyId } = await this.partners.company(caller, merchantId);
    return progressAnswer(await asking('company', client.progress(companyId)));
  }

  /** It shows the merchant's file to whoever has it: it is handed on, and kept nowhere. */
  async subscriptionLink(caller: Caller, merchantId: string): Promise<string> {
    const { client, companyId } = await this.partners.company(caller, merchantId);
    return asking('company', client.signatureLink(companyId));
  }

  /** Takes in what the provider shows of the company now. */
  refresh(
    caller: Caller,
    merchantId: string,
    request: IdempotentRequest,
    origin: Origin,
  ): Promise<Answer<MerchantAnswer>> {
    return this.idempotency.once(request, async () => {
      const { client, companyId } = await this.partners.company(caller, merchantId);
      const readAt = this.clock.now();
      const company = await asking('company', client.getCompany(companyId));
      const progress = await asking('company', client.progress(companyId));
      return this.store.step(metadataOf(merchantId, caller, origin), async (step) => {
        const at = this.clock.now();
        const observation = observationOfCompany(company, 'read', readAt);
        await observeCompanyStatus(step, merchantId, observation, at);
        await step.execute(merchantAggregate, merchantId, {
          type: 'ObserveRequirements',
          missing: missingOf(progress),
          readAt,
          at,
        });
        const merchant = await this.tenancy.merchant(caller, merchantId, step);
        const answer = { status: 200, body: merchantAnswer(merchantId, merchant) };
        step.answered({ ...request, ...answer });
        return answer;
      });
    });
  }

  /** The rows go after the event: nothing is registered of them from then on. May be repeated. */
  async erasePersonalData(caller: Caller, merchantId: string, origin: Origin): Promise<void> {
    await this.store.step(metadataOf(merchantId, caller, origin), async (step) => {
      await this.tenancy.merchant(caller, merchantId, step);
      const command = { type: 'ErasePersonalData', at: this.clock.now() } as const;
      await step.execute(merchantAggregate, merchantId, command);
    });
    await this.details.erase(merchantId);
  }
}
