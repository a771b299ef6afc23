export {
  OnboardingClient, type OnboardingTransports, onboardingTransports, type OpenedDocument,
} from './onboarding-client.js';
export { OnboardingClients, type PartnerKeys } from './onboarding-clients.js';
export type {
  WireCompanyAnswer, WireDocument, WirePerson, WireRepresentative, WireUploads,
} from './onboarding-company-wire.js';
export type { CountryUse, OnboardingLookups } from './onboarding-lookups.js';
export type {
  AddressBody, CompanyPatch, CreateCompanyBody, OwnerBody, PersonBody, RepresentativeBody,
  ShippingAddressBody, UserBody,
} from './onboarding-requests.js';
export type {
  WireHistory, WireKeys, WireProgress, WireStatusChange, WireTerminal, WireUploadResult,
} from './onboarding-wire.js';
export { type DocumentFile, type DocumentUpload, type IdentityMeta, MAX_DOCUMENT_BYTES } from './document-upload.js';
export { HOSTED_CALENDAR, HostedAdapter } from './hosted-adapter.js';
export { partnerKeysFromEnv, providerConfigFromEnv, type ProviderPartsConfig } from './provider-parts.js';
export type { ProviderRequest } from './provider-request.js';
export { ProviderTransport } from './provider-transport.js';
export { ProviderModule } from './provider.module.js';
export { FILE_CONNECTIONS, type TransportLimits } from './transport-limits.js';
