import { Inject, Injectable } from '@nestjs/common';
import { SANDBOX_CONFIG, type SandboxConfig } from '../settings/sandbox-config.js';
import { type AccountScope, HOUSE_ACCOUNT } from './account-scope.js';
import { Database, type Transaction } from './database.js';

const OF_ACCOUNT = {
  name: 'merchant-names:of-account',
  text: `SELECT COALESCE(signed_file, file)->>'legal-name' AS name
         FROM onboarding_companies WHERE account_id = $1`,
};

/**
 * The names under which payers know the merchants: the legal name that an onboarded company has
 * signed, and the name in the settings for the sandbox's default account.
 */
@Injectable()
export class MerchantNames {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(SANDBOX_CONFIG) private readonly config: SandboxConfig,
  ) {}

  /** `database`: the transaction of a caller that is in one. */
  async of(
    { account_id: account }: Pick<AccountScope, 'account_id'>,
    database: Pick<Transaction, 'query'> = this.database,
  ): Promise<string> {
    if (account === HOUSE_ACCOUNT) return this.config.merchantName;
    const [row] = await database.query<{ name: string | null }>(OF_ACCOUNT, [account]);
    return row?.name ?? account;
  }
}
