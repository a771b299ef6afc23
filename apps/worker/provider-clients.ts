import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  OnboardingClients, type PaymentClient, ProviderAccounts, ProviderTransport,
} from '#provider';

/** The payment API with the key of any account, over one set of connections. */
@Injectable()
export class ProviderClients implements OnApplicationShutdown {
  constructor(
    private readonly accounts: ProviderAccounts,
    private readonly transport: ProviderTransport,
    private readonly onboarding: OnboardingClients,
  ) {}

  /** Null when there is no such account. */
  async of(accountId: string): Promise<PaymentClient | null> {
    const account = await this.accounts.byId(accountId);
    return account && this.accounts.clientFor(account);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.transport.close(), this.onboarding.close()]);
  }
}
