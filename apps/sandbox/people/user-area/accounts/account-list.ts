import { Injectable } from '@nestjs/common';
import { Database } from '../../../storage/database.js';

/** The account of an onboarded company. */
export interface MerchantAccount {
  readonly account_id: string;
  readonly company_id: string;
  readonly name: string;
  /** Whether the account has API keys that were issued and not revoked. */
  readonly has_keys: boolean;
}

const NEWEST = {
  name: 'area:accounts',
  text: `SELECT c.account_id, c.id AS company_id, c.file->>'legal-name' AS name,
                EXISTS (SELECT FROM merchant_keys k WHERE k.company_id = c.id) AS has_keys
         FROM onboarding_companies c ORDER BY c.seq DESC OFFSET $1 LIMIT $2`,
};

/**
 * The accounts of onboarded companies, which the User Area can show in addition to the sandbox's
 * default account.
 */
@Injectable()
export class AccountList {
  constructor(private readonly database: Database) {}

  /**
   * Returns accounts, newest first. Reads one account more than `limit`, to determine whether there
   * are more.
   */
  async page(start: number, limit: number): Promise<readonly MerchantAccount[]> {
    return this.database.query<MerchantAccount>(NEWEST, [start, limit + 1]);
  }
}
