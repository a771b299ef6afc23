import { Injectable } from '@nestjs/common';
import { type Capabilities, type Payments, ProviderAccounts } from '#psp';

/** Payments at the provider of any account, with its key. */
@Injectable()
export class ProviderClients {
  constructor(private readonly accounts: ProviderAccounts) {}

  /** Null when there is no such account. */
  async of(accountId: string): Promise<Payments | null> {
    const client = await this.accounts.clientOf(accountId);
    return client && client.payments;
  }

  /** What the provider of the account can do; null when there is no such account. */
  capabilitiesOf(accountId: string): Promise<Capabilities | null> {
    return this.accounts.capabilitiesOf(accountId);
  }
}
