export {
  companyScope, missingOf, observationOfCompany, observationOfRow, observeCompanyStatus,
} from './company-reading.js';
export type { CompanyStatus } from './domain/company-status.js';
export { isSought } from './domain/find-company.js';
export {
  afterWindow, beginRound, firstWatermark, type HistoryRound, type HistoryWindow, nextRoundAt,
  nextWindow, retryRoundAt,
} from './domain/history-windows.js';
export type { CompanyObservation, MerchantCommand } from './domain/merchant-command.js';
export { merchantDecider } from './domain/merchant-decider.js';
export type {
  DocumentKind, MerchantCall, MerchantEvent, MerchantMode, MerchantTerms, ObservedTerminal,
} from './domain/merchant-event.js';
export { isRegistered, type Merchant, type RegisteredMerchant } from './domain/merchant.js';
export { addDays, type Day, parisDay, parseDay } from './domain/paris-day.js';
export { changesOf, type Sighting } from './domain/sighting.js';
export {
  MERCHANT_READS, merchantAggregate, type MerchantEffect, type MerchantRead, partnerAccount,
} from './merchant-aggregate.js';
export { MerchantDetails } from './merchant-details.js';
