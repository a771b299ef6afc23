export { AccountSchedules } from './account-schedules.js';
export type { Calendar } from './calendar.js';
export { type Capabilities, type Capability, MISSING } from './capabilities.js';
export type {
  CompanyChange,
  CompanyDetails,
  PersonRole,
  OwnerDetails,
  RepresentativeDetails,
} from './company-details.js';
export * from './company-facts.js';
export * from './facts.js';
export { NO_ONBOARDING } from './no-onboarding.js';
export { type Operation, OPERATIONS } from './operation.js';
export type { KeyProof, MadeIntent } from './key-proof.js';
export * from './onboarding.js';
export { OnboardingClients, type PartnerKeys } from './onboarding-clients.js';
export * from './port.js';
export {
  ACCOUNT_MODES,
  type AccountMode,
  type AccountRegistration,
  type ProviderAccount,
  type ScheduleLine,
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
