import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { accountAggregate } from '#account';
import { EventStore } from '#log';
import { type Clock, type Instant } from '#kernel';
import { RegisterAccount, type RegistrationOrder } from '#operations';
import { CLOCK } from '#platform';
import {
  type AccountRegistration,
  ProviderAccounts,
  ProviderRejected,
  ProviderUnauthorized,
} from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import type { ChangeRequest } from '../shared/change-request.js';
import { problem } from '../shared/error-codes.js';
import { Idempotency } from '../shared/idempotency.js';
import { Tenancy } from '../shared/tenancy.js';
import type { AccountAnswer } from './account-answer.js';
import { AccountReads } from './account-reads.js';

interface Registration {
  readonly merchantId: string;
  readonly mode: 'test' | 'live';
  readonly apiKey: string;
  readonly ordersFrom: Instant | null;
}

/** Registers and withdraws the provider accounts of a platform's merchants. */
@Injectable()
export class AccountRegistry {
  private readonly registerAccount: RegisterAccount;

  constructor(
    @Inject(Pool) pool: Pool,
    store: EventStore,
    accounts: ProviderAccounts,
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
    private readonly reads: AccountReads,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.registerAccount = new RegisterAccount(pool, store, accounts, clock);
  }

  /**
   * Registers a provider account. The response is stored last, so after a failure the calls to the
   * provider are repeated, which is safe.
   */
  register(
    request: ChangeRequest,
    { ordersFrom, ...registration }: Registration,
  ): Promise<Answer<AccountAnswer>> {
    const { caller, key } = request;
    const { platformId } = caller;
    return this.idempotency.withLock(request, async (callerHolds) => {
      await this.refuseOnboarded(caller, registration.merchantId);
      const { id } = await this.atProvider(
        { platformId, ...registration },
        {
          actor: `platform:${platformId}`,
          causationId: key,
          notBefore: ordersFrom,
          callerHolds,
        },
      );
      const account = await this.reads.get(caller, id);
      return this.idempotency.step(request, id, 201, () => account);
    });
  }

  /** Withdraws a provider account. Throws `Rejection('account_in_use' | 'account_disabled')`. */
  withdraw(request: ChangeRequest, id: string): Promise<Answer<{ readonly id: string }>> {
    return this.idempotency.withReplay(request, async () => {
      await this.tenancy.account(request.caller, id);
      return this.idempotency.step(request, id, 200, async (step) => {
        const at = this.clock.now();
        await step.execute(accountAggregate, id, { type: 'WithdrawAccount', at });
        return { id };
      });
    });
  }

  /**
   * Refuses to register an account for a merchant that was onboarded through this API: the account
   * of such a merchant is registered automatically, with API keys that the provider issues.
   */
  private async refuseOnboarded(caller: Caller, merchantId: string): Promise<void> {
    const merchant = await this.tenancy.ownMerchant(caller, merchantId);
    if (merchant !== null) throw problem('merchant_onboarded');
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
      throw problem('provider_key_rejected', { cause: error });
    }
  }
}
