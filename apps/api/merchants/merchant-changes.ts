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
import { CLOCK, Problem } from '#platform';
import type { CompanyChange } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { type KnownMerchant, Tenancy } from '../shared/tenancy.js';
import { DetailsCheck } from './details/check-details.js';
import type { CompanyChangeDto, CompanyDto } from './details/company.dto.js';
import { given } from './details/given.js';
import { mergeDetails } from './details/merge-details.js';
import { basisOf } from './head-checks.js';
import { merchantAnswer, type MerchantAnswer } from './merchant-answer.js';
import { asking, Partners } from './partners.js';

/** Whose merchant is changed, on whose request. */
interface Change {
  readonly caller: Caller;
  readonly merchantId: string;
  readonly origin: Origin;
}

const nothingGiven = (): Problem =>
  new Problem(422, 'validation_failed', 'give at least one field to change', {
    errors: [{ detail: 'must hold at least one field', pointer: '#/details' }],
  });

const headsApart = (field: string): Problem =>
  new Problem(
    409,
    'heads_apart',
    `the company is registered: its ${field} are added, changed and removed one by one`,
    { errors: [{ detail: 'are changed one by one now', pointer: `#/details/${field}` }] },
  );

/** What is changed, by name: of the company itself its fields. */
const fieldsOf = (details: CompanyChange): readonly string[] =>
  Object.entries(details).flatMap(([name, value]) =>
    name === 'company' ? Object.keys(value).map((field) => `company.${field}`) : [name],
  );

/** Changes of a merchant's details: here until its company is registered, then at the provider. */
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

  /** May be repeated: it ends in the same details. */
  async change(change: Change, dto: CompanyChangeDto): Promise<MerchantAnswer> {
    const details = given(dto);
    if (Object.keys(details).length === 0) throw nothingGiven();
    const merchant = await this.tenancy.merchant(change.caller, change.merchantId);
    return isRegistered(merchant)
      ? this.atProvider(change, details)
      : this.here(change, merchant, details);
  }

  /** The saga registers a company that was refused again, once its details are corrected. */
  private async here(
    { caller, merchantId, origin }: Change,
    merchant: KnownMerchant,
    details: CompanyChange,
  ): Promise<MerchantAnswer> {
    const before =
      merchant.detailsRef === null ? null : await this.details.read(merchant.detailsRef);
    if (before === null) {
      throw new Rejection('personal_data_erased', 'the details of this merchant have been erased');
    }
    const merged = mergeDetails(before, details);
    const partner = this.partners.of(merchant.terms.mode);
    await this.check.details(partner, merged as CompanyDto);
    const detailsRef = await this.details.keep(merchantId, merged);
    const fields = fieldsOf(details);
    const replace = () =>
      this.store.step(metadataOf(merchantId, caller, origin), async (step) => {
        const known = await this.tenancy.merchant(caller, merchantId, step);
        if (known.detailsRef !== merchant.detailsRef) {
          throw new StepConflict('the details have been changed meanwhile');
        }
        await step.execute(merchantAggregate, merchantId, {
          type: 'ReviseDetails',
          detailsRef,
          fields,
          at: this.clock.now(),
        });
        await step.react();
        return merchantAnswer(merchantId, await this.tenancy.merchant(caller, merchantId, step));
      });
    const answer = await this.orDrop(detailsRef, replace);
    if (merchant.detailsRef !== null) await this.details.drop(merchant.detailsRef);
    return answer;
  }

  /** A row that the step surely does not name goes at once. */
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
    { caller, merchantId, origin }: Change,
    details: CompanyChangeDto,
  ): Promise<MerchantAnswer> {
    for (const field of ['owners', 'representatives'] as const) {
      if (details[field] !== undefined) throw headsApart(field);
    }
    const { client, mode, companyId } = await this.partners.company(caller, merchantId);
    const known = await asking('company', client.getCompany(companyId));
    await this.check.details({ client, mode }, details, basisOf(known));
    const readAt = this.clock.now();
    const changed = await asking('company', client.changeCompany(companyId, details));
    return this.store.step(metadataOf(merchantId, caller, origin), async (step) => {
      const at = this.clock.now();
      const { detailsRef } = await this.tenancy.merchant(caller, merchantId, step);
      const observation = observationOfCompany(changed, 'answer', readAt);
      await observeCompanyStatus(step, merchantId, observation, at);
      await step.execute(merchantAggregate, merchantId, {
        type: 'ReviseDetails',
        detailsRef,
        fields: fieldsOf(details),
        at,
      });
      return merchantAnswer(merchantId, await this.tenancy.merchant(caller, merchantId, step));
    });
  }
}
