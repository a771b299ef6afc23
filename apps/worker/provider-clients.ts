import { Injectable } from '@nestjs/common';
import { type PaymentClient, ProviderAccounts } from '#psp-hosted';

/** The payment API with the key of any account, over one set of connections. */
@Injectable()
export class ProviderClients {
  constructor(private readonly accounts: ProviderAccounts) {}

  /** Null when there is no such account. */
  async of(accountId: string): Promise<PaymentClient | null> {
    const account = await this.accounts.byId(accountId);
    return account && this.accounts.clientFor(account);
  }
}
