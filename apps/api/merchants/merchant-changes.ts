import { Inject, Injectable } from '@nestjs/common';
import { EventStore, StepConflict } from '#log';
import { type Clock, Rejection } from '#kernel';
import {
  isRegistered,
  merchantAggregate,
  MerchantDetails,
  observationOfCompany,
  observeCompanyStatus,
} from '#onboarding';
import { CLOCK, type Problem } from '#platform';
import type { CompanyChange } from '#psp';
import { metadataOf, type Origin } from '../shared/change-request.js';
import { problem } from '../shared/error-codes.js';
import { type KnownMerchant, Tenancy } from '../shared/tenancy.js';
import { DetailsCheck } from './details/check-details.js';
import type { CompanyChangeDto, CompanyDto } from './details/company.dto.js';
import { given } from './details/given.js';
import { mergeDetails } from './details/merge-details.js';
import { basisOf, nothingGiven } from './person-checks.js';
import { merchantAnswer, type MerchantAnswer } from './merchant-answer.js';
import { asking, Partners } from './partners.js';

const changedOneByOne = (field: string): Problem =>
  problem('people_not_replaceable', {
    detail: `the company is registered: add, change and remove its ${field} one by one`,
    errors: [{ detail: 'must be changed one by one', pointer: `#/details/${field}` }],
  });

/** The names of the changed fields; for `company`, the names of the company's fields. */
const fieldsOf = (details: CompanyChange): readonly string[] =>
  Object.entries(details).flatMap(([name, value]) =>
    name === 'company' ? Object.keys(value).map((field) => `company.${field}`) : [name],
  );

/**
 * Changes a merchant's details: in our database until the company is registered, then at the
 * provider.
 */
@Injectable()
export class MerchantChanges {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly details: MerchantDetails,
    private readonly partners: Partners,
    private readonly check: DetailsCheck,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Changes details. Safe to repeat, because a repetition results in the same details. */
  async change(origin: Origin, merchantId: string, dto: CompanyChangeDto): Promise<MerchantAnswer> {
    const details = given(dto);
    if (Object.keys(details).length === 0) throw nothingGiven('#/details');
    const merchant = await this.tenancy.merchant(origin.caller, merchantId);
    return isRegistered(merchant)
      ? this.atProvider(origin, merchantId, details)
      : this.here(origin, merchantId, merchant, details);
  }

  /**
   * Changes the details in our database. If the provider has rejected the company, the saga
   * registers it again with the changed details.
   */
  private async here(
    origin: Origin,
    merchantId: string,
    merchant: KnownMerchant,
    details: CompanyChange,
  ): Promise<MerchantAnswer> {
    const before = await this.details.mustRead(merchant.detailsRef);
    const merged = mergeDetails(before, details);
    const partner = this.partners.of(merchant.terms.mode);
    await this.check.details(partner, merged as CompanyDto);
    const detailsRef = await this.details.keep(merchantId, merged);
    const fields = fieldsOf(details);
    const replace = () =>
      this.store.step(metadataOf(merchantId, origin), async (step) => {
        const known = await this.tenancy.merchant(origin.caller, merchantId, step);
        // The provider does not get a change that is stored after it has created the company.
        if (isRegistered(known) || known.detailsRef !== merchant.detailsRef) {
          throw new StepConflict('the details or the registration have changed meanwhile');
        }
        await step.execute(merchantAggregate, merchantId, {
          type: 'ReviseDetails',
          detailsRef,
          fields,
          at: this.clock.now(),
        });
        await step.react();
        return merchantAnswer(
          merchantId,
          await this.tenancy.merchant(origin.caller, merchantId, step),
        );
      });
    const answer = await this.orDrop(detailsRef, replace);
    if (merchant.detailsRef !== null) await this.details.drop(merchant.detailsRef);
    return answer;
  }

  /**
   * Runs `step`. Deletes the new row of details if `step` fails and it is certain that no committed
   * event refers to the row.
   */
  private async orDrop<T>(detailsRef: string, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      const isUnused = error instanceof Rejection || error instanceof StepConflict;
      if (isUnused) await this.details.drop(detailsRef);
      throw error;
    }
  }

  private async atProvider(
    origin: Origin,
    merchantId: string,
    details: CompanyChangeDto,
  ): Promise<MerchantAnswer> {
    for (const field of ['owners', 'representatives'] as const) {
      if (details[field] !== undefined) throw changedOneByOne(field);
    }
    const { client, mode, companyId } = await this.partners.company(origin.caller, merchantId);
    const known = await asking('company', client.getCompany(companyId));
    await this.check.details({ client, mode }, details, basisOf(known));
    const readAt = this.clock.now();
    const changed = await asking('company', client.changeCompany(companyId, details));
    return this.store.step(metadataOf(merchantId, origin), async (step) => {
      const at = this.clock.now();
      const { detailsRef } = await this.tenancy.merchant(origin.caller, merchantId, step);
      const observation = observationOfCompany(changed, 'response', readAt);
      await observeCompanyStatus(step, merchantId, observation, at);
      await step.execute(merchantAggregate, merchantId, {
        type: 'ReviseDetails',
        detailsRef,
        fields: fieldsOf(details),
        at,
      });
      return merchantAnswer(
        merchantId,
        await this.tenancy.merchant(origin.caller, merchantId, step),
      );
    });
  }
}
