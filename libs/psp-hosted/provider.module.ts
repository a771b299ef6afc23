import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { HostedAdapter } from './hosted-adapter.js';
import { OnboardingClients } from './onboarding-clients.js';
import { providerParts, type ProviderPartsConfig } from './provider-parts.js';
import { ProviderTransport } from './provider-transport.js';

/** The provider's clients, once for a process. Needs a `Pool` and `BusinessClockModule`. */
@Module({})
export class ProviderModule implements OnApplicationShutdown {
  constructor(
    private readonly transport: ProviderTransport,
    private readonly onboarding: OnboardingClients,
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
    await Promise.all([this.transport.close(), this.onboarding.close()]);
  }
}
