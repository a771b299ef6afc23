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
export { referenceOfIntent } from './intent-reference.js';
export { PaymentClient } from './payment-client.js';
export {
  type CreateIntentBody, decodePayment, decodePaymentIntent, decodeWebhookEvent, type WireAuth,
  type WireCard, type WireCustomer, type WireDispute, type WireEvent, type WireList,
  type WirePayment, type WirePaymentIntent, type WireRefund, type WireSepa,
  type WireWebhookEndpoint,
} from './payment-wire.js';
export { type ListPage, PayoutClient } from './payout-client.js';
export type {
  WireMethodTotals, WirePayout,
} from './payout-wire.js';
export {
  ACCOUNT_MODES, type AccountMode, type AccountRegistration, type ProviderAccount,
} from './provider-account.js';
export type { KeyProof, MadeIntent } from './key-proof.js';
export { ProviderAccounts, type RegistrationParts } from './provider-accounts.js';
export { BudgetSpent, notePauses, pauseMsOf, ProviderBudget } from './provider-budget.js';
export { type ObservedExchange, ProviderCallLog } from './provider-call-log.js';
export {
  type FailureDetails, type FailureReason, isProviderError, type ProviderCallTrace,
  type ProviderError, ProviderRateLimited, ProviderRejected, ProviderUnauthorized,
  ProviderUnavailable, ProviderUnknownOutcome,
} from './provider-error.js';
export { RecentCache } from './recent-cache.js';
export { type ProviderRequest, ProviderTransport } from './provider-transport.js';
export { FILE_CONNECTIONS, type TransportLimits } from './transport-limits.js';
export { type SignedDelivery, verifySignature } from './verify-signature.js';
export { MalformedWire } from './wire-decode.js';
export { partnerKeysFromEnv, providerConfigFromEnv, type ProviderPartsConfig } from './provider-parts.js';
export { ProviderModule } from './provider.module.js';
