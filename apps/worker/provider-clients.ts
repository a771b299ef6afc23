import { Injectable } from '@nestjs/common';
import { type Capabilities, type Payments, ProviderAccounts } from '#psp';

/** Returns the client for an account's provider, with the account's key. */
@Injectable()
export class ProviderClients {
  constructor(private readonly accounts: ProviderAccounts) {}

  /** Returns null when the account does not exist. */
  async of(accountId: string): Promise<Payments | null> {
    const client = await this.accounts.clientOf(accountId);
    return client && client.payments;
  }

  /** The capabilities of the account's provider; null when the account does not exist. */
  capabilitiesOf(accountId: string): Promise<Capabilities | null> {
    return this.accounts.capabilitiesOf(accountId);
  }
}
