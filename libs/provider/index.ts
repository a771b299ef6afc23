export { OnboardingClient, onboardingTransports } from './onboarding-client.js';
export { PaymentClient } from './payment-client.js';
export {
  type CreateIntentBody, decodePayment, decodePaymentIntent, decodeWebhookEvent, type WireAuth,
  type WireCard, type WireCustomer, type WireEvent, type WirePayment, type WirePaymentIntent,
  type WireSepa, type WireWebhookEndpoint,
} from './payment-wire.js';
export {
  type AccountMode, type AccountRegistration, type ProviderAccount,
} from './provider-account.js';
export { ProviderAccounts, type ProviderAccountsParts } from './provider-accounts.js';
export {
  type FailureDetails, type FailureReason, isProviderError, type ProviderCallTrace,
  type ProviderError, ProviderRateLimited, ProviderRejected, ProviderUnauthorized,
  ProviderUnavailable, ProviderUnknownOutcome,
} from './provider-error.js';
export { ProviderTransport, type TransportLimits } from './provider-transport.js';
export { type SignedDelivery, verifySignature } from './verify-signature.js';
export { MalformedWire } from './wire-decode.js';
export { providerParts, type ProviderPartsConfig } from './provider-parts.js';
