import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore } from '#event-store';
import { assert } from '#kernel';
import { type AssertHeld, Problem } from '#platform';
import { ProviderAccounts, ProviderRejected, ProviderUnauthorized } from '#provider';
import type { Caller } from '../auth/key-verifier.js';
import { type Answer, Idempotency } from '../shared/idempotency.js';
import type { IdempotentRequest } from '../shared/idempotency-key.js';
import { Tenancy } from '../shared/tenancy.js';
import type { AccountAnswer } from './account-answer.js';

interface AccountRow {
  readonly id: string;
  readonly merchantId: string;
  readonly mode: string;
  readonly createdAt: Date;
}

interface Registration {
  readonly merchantId: string;
  readonly mode: 'test' | 'live';
  readonly apiKey: string;
}

const COLUMNS = `id, merchant_id AS "merchantId", mode, created_at AS "createdAt"`;

/** The accounts of a platform's merchants, as the platform may see them: without their secrets. */
@Injectable()
export class AccountRegistry {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly accounts: ProviderAccounts,
    private readonly tenancy: Tenancy,
    private readonly idempotency: Idempotency,
  ) {}

  /** The provider's part may be repeated after any failure; the answer is stored at the end. */
  register(
    caller: Caller,
    registration: Registration,
    request: IdempotentRequest,
  ): Promise<Answer<AccountAnswer>> {
    const { platformId } = caller;
    return this.idempotency.onceBeforeActing(request, async (assertHeld) => {
      await this.refuseOnboarded(caller, registration.merchantId);
      const { id } = await this.atProvider({ platformId, ...registration }, assertHeld);
      const body = await this.read(caller, id);
      const answer = { status: 201, body };
      const metadata = {
        correlationId: id,
        causationId: request.key,
        actor: `platform:${platformId}`,
        traceparent: null,
      };
      await this.store.step(metadata, (step) => step.answered({ ...request, ...answer }));
      return answer;
    });
  }

  async list({ platformId }: Caller): Promise<readonly AccountAnswer[]> {
    const { rows } = await this.pool.query<AccountRow>(
      `SELECT ${COLUMNS} FROM provider_accounts
        WHERE platform_id = $1 AND webhook_endpoint_id IS NOT NULL
        ORDER BY created_at, id LIMIT 1000`,
      [platformId],
    );
    return rows.map((row) => this.answer(row));
  }

  /** Its keys come from the provider, and its status decides whether it takes orders. */
  private async refuseOnboarded(caller: Caller, merchantId: string): Promise<void> {
    const merchant = await this.tenancy.ownMerchant(caller, merchantId);
    if (merchant === null) return;
    throw new Problem(
      409, 'merchant_onboarded',
      'this merchant is onboarded here: its accounts are kept by itself',
      { errors: [{ detail: 'is onboarded here', pointer: '#/merchantId' }] },
    );
  }

  private async atProvider(
    registration: Registration & { readonly platformId: string }, assertHeld: AssertHeld,
  ): Promise<{ readonly id: string }> {
    try {
      return await this.accounts.register(registration, assertHeld);
    } catch (error) {
      const refused = error instanceof ProviderUnauthorized || error instanceof ProviderRejected;
      if (!refused) throw error;
      throw new Problem(422, 'provider_key_refused', 'the provider does not take this key', {
        errors: [{ detail: 'is refused by the provider', pointer: '#/apiKey' }],
        cause: error,
      });
    }
  }

  private async read({ platformId }: Caller, id: string): Promise<AccountAnswer> {
    const { rows } = await this.pool.query<AccountRow>(
      `SELECT ${COLUMNS} FROM provider_accounts WHERE id = $1 AND platform_id = $2`,
      [id, platformId],
    );
    const row = rows[0];
    assert(row !== undefined, 'an account that was just registered is there');
    return this.answer(row);
  }

  private answer({ id, merchantId, mode, createdAt }: AccountRow): AccountAnswer {
    const webhookUrl = this.accounts.webhookUrlOf(id);
    return { id, merchantId, mode, webhookUrl, createdAt: createdAt.toISOString() };
  }
}
