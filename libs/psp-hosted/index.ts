export { detailsOf as hostedDetailsOf } from './onboarding-details.js';
export {
  OnboardingClient,
  type OnboardingTransports,
  onboardingTransports,
} from './onboarding-client.js';
export { HOSTED_CALENDAR, HostedAdapter } from './hosted-adapter.js';
export {
  partnerKeysFromEnv,
  providerConfigFromEnv,
  type ProviderPartsConfig,
} from './provider-parts.js';
export type { ProviderRequest } from './provider-request.js';
export { ProviderTransport } from './provider-transport.js';
export { ProviderModule } from './provider.module.js';
