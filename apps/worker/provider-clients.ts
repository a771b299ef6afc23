import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type PaymentClient, ProviderAccounts, ProviderTransport } from '#provider';

/** The payment API with the key of any account, over one set of connections. */
@Injectable()
export class ProviderClients implements OnApplicationShutdown {
  constructor(
    private readonly accounts: ProviderAccounts,
    private readonly transport: ProviderTransport,
  ) {}

  /** Null when there is no such account. */
  async of(accountId: string): Promise<PaymentClient | null> {
    const account = await this.accounts.byId(accountId);
    return account && this.accounts.clientFor(account);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.transport.close();
  }
}
