export { addActionRequest, captureIdOf, requestIdOf } from './action-requests.js';
export {
  CASE_ACTORS,
  CASE_KINDS,
  CASE_LIST,
  CASE_SOURCES,
  CASE_TOTALS,
  caseKindOf,
  type CaseKind,
  type CaseNotice,
  caseListOf,
  type IncidentRequest,
  type IncidentRequests,
  incidentRequests,
  isOfIncident,
  NOTICE_CHANNELS,
  type NoticeChannel,
  QUEUE_NOTICES,
  USUAL_MODE,
} from './cases/index.js';
export {
  type AuditEntry,
  type AuditOrigin,
  type AuditSubject,
  recordAudit,
} from './audit-entry.js';
export {
  type DailyLimit,
  dailyLimitNow,
  LIMIT_HOLDERS,
  LIMIT_UNITS,
  LIMITED_OPERATIONS,
  listDailyLimits,
  setDailyLimit,
} from './daily-limits.js';
export { readOrForgotten } from './forgotten-intent.js';
export { type HeldDebit, heldDebitOf } from './lost-debits.js';
export { endLostTime, lostTimesUntilNow } from './lost-time.js';
export { ResolveResult, type Resolved } from './resolve-result.js';
export { REFUND_IS, type RefundIs } from './resolve-refund.js';
export { RegisterAccount, type RegistrationOrder } from './register-account.js';
export { closeStep, stepOnce, type StepOnceParts } from './step-once.js';
export { StuckCalls } from './stuck-calls.js';
export { UNDECIDED } from './undecided.js';
