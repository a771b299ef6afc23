import { Inject, Injectable } from '@nestjs/common';
import { EventStore } from '#log';
import { type Clock } from '#kernel';
import {
  isRegistered,
  merchantAggregate,
  MerchantDetails,
  missingOf,
  observationOfCompany,
  observeCompanyStatus,
  terminalsReadAfterDays,
} from '#onboarding';
import { CLOCK } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, metadataOf, type Origin } from '../shared/change-request.js';
import { Idempotency } from '../shared/idempotency.js';
import { Tenancy } from '../shared/tenancy.js';
import type { DetailsAnswer } from './details/details-answer.js';
import { merchantAnswer, type MerchantAnswer } from './merchant-answer.js';
import { asking, Partners } from './partners.js';
import type { ProgressAnswer } from './progress-answer.js';

/** Reads of a merchant's company; nothing is cached. */
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

  /**
   * Reads the details: from our database until the company is registered, then from the provider.
   */
  async readDetails(caller: Caller, merchantId: string): Promise<DetailsAnswer> {
    const merchant = await this.tenancy.merchant(caller, merchantId);
    if (isRegistered(merchant)) {
      const { client, companyId } = await this.partners.company(caller, merchantId);
      const company = await asking('company', client.getCompany(companyId));
      return { source: 'provider', details: company.details };
    }
    return { source: 'stored', details: await this.details.mustRead(merchant.detailsRef) };
  }

  async progress(caller: Caller, merchantId: string): Promise<ProgressAnswer> {
    const { client, companyId } = await this.partners.company(caller, merchantId);
    return asking('company', client.progress(companyId));
  }

  /**
   * Reads the link at which the merchant signs. The link is never stored, because it shows the
   * merchant's file to anyone who has it.
   */
  async subscriptionLink(caller: Caller, merchantId: string): Promise<string> {
    const { client, companyId } = await this.partners.company(caller, merchantId);
    return asking('company', client.signatureLink(companyId));
  }

  /**
   * Reads the company's present status from the provider and records it. The worker reads the
   * terminals, so that a refusal of their list does not keep the status from being read.
   */
  refresh(request: ChangeRequest, merchantId: string): Promise<Answer<MerchantAnswer>> {
    const { caller } = request;
    return this.idempotency.withReplay(request, async () => {
      const { client, companyId } = await this.partners.company(caller, merchantId);
      const readAt = this.clock.now();
      const company = await asking('company', client.getCompany(companyId));
      const progress = await asking('company', client.progress(companyId));
      return this.idempotency.step(request, merchantId, 200, async (step) => {
        const at = this.clock.now();
        const observation = observationOfCompany(company, 'read', readAt);
        await observeCompanyStatus(step, merchantId, observation, at);
        const missing = missingOf(progress);
        const command = { type: 'ObserveRequirements', missing, readAt, at } as const;
        const after = await step.execute(merchantAggregate, merchantId, command);
        if (isRegistered(after) && terminalsReadAfterDays(after) !== null) {
          step.setDeadline({ kind: 'merchant.terminals', key: merchantId, dueAt: at });
        }
        return merchantAnswer(merchantId, await this.tenancy.merchant(caller, merchantId, step));
      });
    });
  }

  /**
   * Erases a merchant's personal data. The rows with the data are deleted only after the commit of
   * the event, because after that commit no registration reads them any more. Safe to repeat.
   */
  async erasePersonalData(origin: Origin, merchantId: string): Promise<void> {
    await this.store.step(metadataOf(merchantId, origin), async (step) => {
      await this.tenancy.merchant(origin.caller, merchantId, step);
      const command = { type: 'ErasePersonalData', at: this.clock.now() } as const;
      await step.execute(merchantAggregate, merchantId, command);
    });
    await this.details.erase(merchantId);
  }
}
