export type { Calendar } from './calendar.js';
export { type Capabilities, type Capability, MISSING } from './capabilities.js';
export type {
  CompanyChange,
  CompanyDetails,
  PersonRole,
  OwnerDetails,
  RepresentativeDetails,
} from './company-details.js';
export type {
  CompanyFacts,
  CompanyIdentity,
  CompanyKeys,
  CompanyStatus,
  DocumentFacts,
  DocumentKind,
  DocumentPlace,
  ExpectedDocument,
  PersonFacts,
  ProgressFacts,
  StatusChangeFacts,
  StatusHistory,
  TerminalFacts,
  TerminalStatus,
} from './company-facts.js';
export {
  type AttemptFacts,
  type AttemptStatus,
  type CaptureFacts,
  type CaptureStatus,
  type DisputeFacts,
  type DisputeStatus,
  type IntentFacts,
  intentOnly,
  type IntentStatus,
  type ListedDispute,
  type ListedPayment,
  type ListedRefund,
  type PaymentFacts,
  type PayoutFacts,
  type PayoutStatus,
  type ReachedStatus,
  type RefundFacts,
  type RefundStatus,
  type ShownIntent,
  type Unrecognized,
} from './facts.js';
export { NO_ONBOARDING } from './no-onboarding.js';
export type { KeyProof, MadeIntent } from './key-proof.js';
export {
  type CodeList,
  type CountryUse,
  type DocumentFile,
  type DocumentUpload,
  type IdentityMeta,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENT_TRANSFERS,
  type Onboarding,
  type OnboardingRefusal,
  type OpenedDocument,
} from './onboarding.js';
export { OnboardingClients, type PartnerKeys } from './onboarding-clients.js';
export {
  type IntentReader,
  type ListPage,
  type NewCapture,
  type NewIntent,
  type Pace,
  type Page,
  type Payments,
  type Payouts,
  type ProviderAdapter,
  type ProviderClient,
  readPayment,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEndpoints,
  type WebhookHint,
  wholeCapture,
} from './port.js';
export {
  ACCOUNT_MODES,
  type AccountMode,
  type AccountRegistration,
  type ProviderAccount,
} from './provider-account.js';
export { ProviderAccounts, type RegistrationParts } from './provider-accounts.js';
export {
  BudgetSpent,
  notePauses,
  pauseMsOf,
  ProviderBudget,
  type RateLimitListener,
} from './provider-budget.js';
export { type ExchangeListener, ProviderCallLog } from './provider-call-log.js';
export {
  CapabilityMissing,
  type FailureDetails,
  type FailureReason,
  type FieldFault,
  isProviderError,
  type ProviderCallTrace,
  type ProviderError,
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnauthorized,
  ProviderUnavailable,
  ProviderUnknownOutcome,
} from './provider-error.js';
export { RecentCache } from './recent-cache.js';
