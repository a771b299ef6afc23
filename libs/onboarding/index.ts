export type { CompanyStatus } from './domain/company-status.js';
export { isSought } from './domain/find-company.js';
export type { MerchantCommand } from './domain/merchant-command.js';
export { merchantDecider } from './domain/merchant-decider.js';
export type { MerchantEvent, MerchantTerms } from './domain/merchant-event.js';
export type { Merchant } from './domain/merchant.js';
export { parseDay } from './domain/paris-day.js';
