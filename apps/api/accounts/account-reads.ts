import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type Clock } from '#kernel';
import { CLOCK } from '#platform';
import { ProviderAccounts } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { problem } from '../shared/error-codes.js';
import type { AccountAnswer } from './account-answer.js';

const ACCOUNTS = `
  SELECT a.id, a.merchant_id AS "merchantId", a.mode, s.status, s.orders_from AS "ordersFrom",
         a.created_at AS "createdAt"
    FROM provider_accounts a JOIN account_statuses($2) s ON s.account_id = a.id
   WHERE a.platform_id = $1 AND a.webhook_endpoint_id IS NOT NULL
     AND ($3::text IS NULL OR a.id = $3)
   ORDER BY a.created_at, a.id LIMIT 1000`;

/** Reads the provider accounts of a platform's merchants, without their secrets. */
@Injectable()
export class AccountReads {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly accounts: ProviderAccounts,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  list(caller: Caller): Promise<readonly AccountAnswer[]> {
    return this.read(caller, null);
  }

  /** Reads a provider account. Throws `Problem` 404 if it does not belong to the caller. */
  async get(caller: Caller, id: string): Promise<AccountAnswer> {
    const [account] = await this.read(caller, id);
    if (account === undefined) throw problem('account_not_found');
    return account;
  }

  private async read({ platformId }: Caller, id: string | null): Promise<readonly AccountAnswer[]> {
    const { rows } = await this.pool.query<Omit<AccountAnswer, 'webhookUrl'>>(ACCOUNTS, [
      platformId,
      this.clock.now(),
      id,
    ]);
    return rows.map((row) => ({ ...row, webhookUrl: this.accounts.webhookUrlOf(row.id) }));
  }
}
