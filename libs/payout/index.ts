export { FEE_RULES, paymentFeeMinor, vatMinor } from './domain/fee-rules.js';
export {
  addTotals, announcedLines, LINE_EXCEPTION_KINDS, LINE_KINDS, METHODS, NO_LINES, sameLines,
} from './domain/lines.js';
export type { ObservedPayout, PayoutCommand } from './domain/payout-command.js';
export { payoutDecider } from './domain/payout-decider.js';
export type {
  ExceptionCounts, LineExceptionKind, LineKind, LineSums, LineTotal, Method, MethodTotals,
  PayoutAccount, PayoutAspect, PayoutEvent, PayoutStatus, PayoutTerms, PayoutTotals,
} from './domain/payout-event.js';
export { type AnnouncedPayout, isOver, type Payout, type Reconciliation } from './domain/payout.js';
export { payoutAggregate } from './payout-aggregate.js';
export { observationOfPayout } from './payout-reading.js';
