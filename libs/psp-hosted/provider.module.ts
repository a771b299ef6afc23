import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { OnboardingClients } from '#psp';
import { HostedAdapter } from './hosted-adapter.js';
import type { OnboardingTransports } from './onboarding-client.js';
import { PARTNER_TRANSPORTS, providerParts, type ProviderPartsConfig } from './provider-parts.js';
import { ProviderTransport } from './provider-transport.js';

/** The provider's clients, one set for a process. Needs a `Pool` and `BusinessClockModule`. */
@Module({})
export class ProviderModule implements OnApplicationShutdown {
  constructor(
    private readonly transport: ProviderTransport,
    @Inject(PARTNER_TRANSPORTS) private readonly partners: OnboardingTransports,
  ) {}

  static forRoot(config: ProviderPartsConfig): DynamicModule {
    return {
      module: ProviderModule,
      global: true,
      providers: providerParts(config),
      exports: [ProviderTransport, OnboardingClients, HostedAdapter],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    const { transport, partners } = this;
    await Promise.all([transport.close(), partners.partners.close(), partners.manage.close()]);
  }
}
