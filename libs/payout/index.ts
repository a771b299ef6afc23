export { FEE_RULES, paymentFeeMinor, vatMinor } from './domain/fee-rules.js';
export {
  announcedLines,
  LINE_EXCEPTION_KINDS,
  LINE_KINDS,
  NO_LINES,
  sameLines,
} from './domain/lines.js';
export type { LineDifference, LineMoney, PayoutCommand } from './domain/payout-command.js';
export { payoutDecider } from './domain/payout-decider.js';
export { correctionOf } from './domain/payout-evolve.js';
export type {
  AcceptedLineKind,
  LineExceptionKind,
  LineKind,
  LineSums,
  LineTotal,
  Method,
  PayoutAspect,
  PayoutEvent,
} from './domain/payout-event.js';
export type { AnnouncedPayout, Payout } from './domain/payout.js';
export { payoutAggregate } from './domain/payout-aggregate.js';
export {
  atRiskMinor,
  EXCEPTION_KINDS,
  EXCEPTION_LIST,
  EXCEPTION_SUBJECTS,
} from './read/exception-list.js';
export { captureIdSql } from './read/capture-id.js';
export { JOURNAL_LIST } from './read/journal-list.js';
export { ledgerBalances, type LedgerBalancesRow } from './read/ledger-balances.js';
export {
  CORRECTION_KINDS,
  LEDGER_ACCOUNTS,
  type LedgerAccountName,
  type LedgerEntryKind,
  ledgerEntries,
} from './read/ledger-entries.js';
export { BOOKED_OF_LINE, correctionsOf, EARLIER_LINE, LINE_SIGN } from './read/line-sql.js';
export { PAYOUT_LINES } from './read/payout-lines.js';
export {
  OPEN_BREAKS,
  PAYOUT_LIST,
  PAYOUT_RECONCILIATIONS,
  PAYOUT_STATUSES,
} from './read/payout-list.js';
export { payoutList } from './read/payout-rows.js';
export { STATEMENT_LINES } from './read/statement-lines.js';
