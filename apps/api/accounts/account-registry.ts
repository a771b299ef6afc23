import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { accountAggregate } from '#account';
import { EventStore } from '#log';
import { type Clock, type Instant } from '#kernel';
import { RegisterAccount, type RegistrationOrder } from '#operations';
import { CLOCK, Problem } from '#platform';
import {
  type AccountRegistration,
  ProviderAccounts,
  ProviderRejected,
  ProviderUnauthorized,
} from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { Tenancy } from '../shared/tenancy.js';
import type { AccountAnswer } from './account-answer.js';
import { AccountReads } from './account-reads.js';

interface Registration {
  readonly merchantId: string;
  readonly mode: 'test' | 'live';
  readonly apiKey: string;
  readonly ordersFrom: Instant | null;
}

const metadataOf = (accountId: string, { platformId }: Caller, request: IdempotentRequest) => ({
  correlationId: accountId,
  causationId: request.key,
  actor: `platform:${platformId}`,
  traceparent: null,
});

/** What platforms change of their merchants' accounts. */
@Injectable()
export class AccountRegistry {
  private readonly registerAccount: RegisterAccount;

  constructor(
    @Inject(Pool) pool: Pool,
    private readonly store: EventStore,
    accounts: ProviderAccounts,
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    private readonly reads: AccountReads,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.registerAccount = new RegisterAccount({ pool, store, accounts, clock });
  }

  /** The provider's part may be repeated after any failure; the answer is stored at the end. */
  register(
    caller: Caller,
    { ordersFrom, ...registration }: Registration,
    request: IdempotentRequest,
  ): Promise<Answer<AccountAnswer>> {
    const { platformId } = caller;
    return this.idempotency.onceBeforeActing(request, async (callerHolds) => {
      await this.refuseOnboarded(caller, registration.merchantId);
      const { id } = await this.atProvider(
        { platformId, ...registration },
        {
          actor: `platform:${platformId}`,
          causationId: request.key,
          notBefore: ordersFrom,
          callerHolds,
        },
      );
      const answer = { status: 201, body: await this.reads.get(caller, id) };
      await this.store.step(metadataOf(id, caller, request), (step) =>
        step.answered({ ...request, ...answer }),
      );
      return answer;
    });
  }

  /** Throws `Rejection('account_in_use' | 'account_disabled')`. */
  withdraw(
    caller: Caller,
    id: string,
    request: IdempotentRequest,
  ): Promise<Answer<{ readonly id: string }>> {
    return this.idempotency.once(request, async () => {
      await this.tenancy.account(caller, id);
      return this.store.step(metadataOf(id, caller, request), async (step) => {
        const at = this.clock.now();
        await step.execute(accountAggregate, id, { type: 'WithdrawAccount', at });
        const answer = { status: 200, body: { id } };
        step.answered({ ...request, ...answer });
        return answer;
      });
    });
  }

  /** Its keys come from the provider, and its status decides whether it takes orders. */
  private async refuseOnboarded(caller: Caller, merchantId: string): Promise<void> {
    const merchant = await this.tenancy.ownMerchant(caller, merchantId);
    if (merchant === null) return;
    throw new Problem(
      409,
      'merchant_onboarded',
      'this merchant is onboarded here: its accounts are kept by itself',
      { errors: [{ detail: 'is onboarded here', pointer: '#/merchantId' }] },
    );
  }

  private async atProvider(
    registration: AccountRegistration,
    order: RegistrationOrder,
  ): Promise<{ readonly id: string }> {
    try {
      return await this.registerAccount.register(registration, order);
    } catch (error) {
      const refused = error instanceof ProviderUnauthorized || error instanceof ProviderRejected;
      if (!refused) throw error;
      throw new Problem(422, 'provider_key_refused', 'the provider does not take this key', {
        errors: [{ detail: 'is refused by the provider', pointer: '#/apiKey' }],
        cause: error,
      });
    }
  }
}
