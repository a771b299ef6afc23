import { Inject, Injectable } from '@nestjs/common';
import { AlreadyAnswered, EventStore, ReservationTaken } from '#log';
import { type Clock, newId } from '#kernel';
import { merchantAggregate, MerchantDetails } from '#onboarding';
import { CLOCK } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { metadataOf, type Origin } from '../shared/origin.js';
import { Tenancy } from '../shared/tenancy.js';
import { DetailsCheck } from './details/check-details.js';
import { given } from './details/given.js';
import { merchantAnswer, type MerchantAnswer } from './merchant-answer.js';
import type { OnboardMerchantDto } from './merchant.dto.js';
import { Partners } from './partners.js';

/** Begins merchants: their details are kept sealed, and the onboarding saga registers them. */
@Injectable()
export class MerchantDrafts {
  constructor(
    private readonly store: EventStore,
    private readonly details: MerchantDetails,
    private readonly partners: Partners,
    private readonly check: DetailsCheck,
    private readonly idempotency: Idempotency,
    private readonly tenancy: Tenancy,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  draft(
    caller: Caller,
    input: OnboardMerchantDto,
    request: IdempotentRequest,
    origin: Origin,
  ): Promise<Answer<MerchantAnswer>> {
    return this.idempotency.once(request, async () => {
      await this.check.details(this.partners.of(input.mode), input.details);
      const id = newId('mer');
      const detailsRef = await this.details.keep(id, given(input.details));
      try {
        return await this.commit(caller, { id, detailsRef }, input, request, origin);
      } catch (error) {
        const isUnused = error instanceof AlreadyAnswered || error instanceof ReservationTaken;
        if (isUnused) await this.details.erase(id);
        throw error;
      }
    });
  }

  private commit(
    caller: Caller,
    { id, detailsRef }: { readonly id: string; readonly detailsRef: string },
    { reference, mode, firstTerminal }: OnboardMerchantDto,
    request: IdempotentRequest,
    origin: Origin,
  ): Promise<{ readonly status: number; readonly body: MerchantAnswer }> {
    const { platformId } = caller;
    return this.store.step(metadataOf(id, caller, origin), async (step) => {
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
      const merchant = await this.tenancy.merchant(caller, id, step);
      const answer = { status: 201, body: merchantAnswer(id, merchant) };
      step.answered({ ...request, ...answer });
      return answer;
    });
  }
}
