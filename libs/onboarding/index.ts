export {
  companyScope,
  missingOf,
  observationOfCompany,
  observationOfRow,
  observeCompanyStatus,
} from './company-reading.js';
export { COMPANY_STATUSES, type CompanyStatus } from './domain/company-status.js';
export { isSought } from './domain/find-company.js';
export {
  afterWindow,
  beginRound,
  firstWatermark,
  type HistoryWindow,
  nextRoundAt,
  nextWindow,
  REREAD_DAYS,
  retryRoundAt,
} from './domain/history-windows.js';
export type { CompanyObservation, MerchantCommand } from './domain/merchant-command.js';
export { merchantDecider } from './domain/merchant-decider.js';
export {
  DETAILS_ERASED,
  type DocumentKind,
  type MerchantEvent,
  type MerchantMode,
  type MerchantTerms,
} from './domain/merchant-event.js';
export { isRegistered, type Merchant, type RegisteredMerchant } from './domain/merchant.js';
export { isKnownChange } from './domain/observe-company.js';
export { addDays, type Day, parisDay, parseDay, startOfDay } from './domain/paris-day.js';
export { changesOf, type StatusObservation } from './domain/status-observation.js';
export { upcastAwaited } from './domain/upcasts.js';
export { terminalsReadAfterDays } from './domain/terminals.js';
export { requestRound } from './history-request.js';
export {
  ERASE_DETAILS_DEADLINE,
  MERCHANT_READS,
  merchantAggregate,
  type MerchantEffect,
  merchantOfSubject,
  type MerchantRead,
  partnerAccount,
  subjectOfCall,
} from './domain/merchant-aggregate.js';
export { MerchantDetails } from './merchant-details.js';
export { entityOfSubject } from './read/entity-of-subject.js';
export { type MerchantExceptionRow, merchantExceptions } from './read/merchant-exceptions.js';
export { MERCHANT_LIST, MERCHANT_STATUSES } from './read/merchant-list.js';
export { merchantList, type MerchantListRow } from './read/merchant-rows.js';
