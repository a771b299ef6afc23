import { Inject, Injectable } from '@nestjs/common';
import { AlreadyAnswered, ReservationTaken } from '#log';
import { type Clock, newId } from '#kernel';
import { merchantAggregate, MerchantDetails } from '#onboarding';
import { CLOCK } from '#platform';
import type { Answer } from '../shared/answer.js';
import type { ChangeRequest } from '../shared/change-request.js';
import { Idempotency } from '../shared/idempotency.js';
import { Tenancy } from '../shared/tenancy.js';
import { DetailsCheck } from './details/check-details.js';
import { given } from './details/given.js';
import { merchantAnswer, type MerchantAnswer } from './merchant-answer.js';
import type { OnboardMerchantDto } from './merchant.dto.js';
import { Partners } from './partners.js';

/**
 * Creates merchants: their details are stored encrypted, and the onboarding saga registers them.
 */
@Injectable()
export class MerchantDrafts {
  constructor(
    private readonly details: MerchantDetails,
    private readonly partners: Partners,
    private readonly check: DetailsCheck,
    private readonly idempotency: Idempotency,
    private readonly tenancy: Tenancy,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  draft(request: ChangeRequest, input: OnboardMerchantDto): Promise<Answer<MerchantAnswer>> {
    return this.idempotency.withReplay(request, async () => {
      await this.check.details(this.partners.of(input.mode), input.details);
      const id = newId('mer');
      const detailsRef = await this.details.keep(id, given(input.details));
      try {
        return await this.commit(request, id, detailsRef, input);
      } catch (error) {
        const isUnused = error instanceof AlreadyAnswered || error instanceof ReservationTaken;
        if (isUnused) await this.details.erase(id);
        throw error;
      }
    });
  }

  private commit(
    request: ChangeRequest,
    id: string,
    detailsRef: string,
    { reference, mode, firstTerminal }: OnboardMerchantDto,
  ): Promise<Answer<MerchantAnswer>> {
    const { platformId } = request.caller;
    return this.idempotency.step(request, id, 201, async (step) => {
      step.reserve({ scope: `merchant.reference ${platformId}`, key: reference, holder: id });
      step.create(merchantAggregate, id, {
        type: 'DraftMerchant',
        platformId,
        reference,
        mode,
        detailsRef,
        firstTerminal: firstTerminal ?? null,
        at: this.clock.now(),
      });
      await step.react();
      return merchantAnswer(id, await this.tenancy.merchant(request.caller, id, step));
    });
  }
}
