export { accountIdsOf } from './account-ids.js';
export { LedgerAccountList, LedgerAccountPage, LedgerEntry } from './ledger-answer.js';
export {
  entriesOf,
  type LedgerAccountKey,
  ledgerAccountKeyOf,
  type LedgerAccountsQuery,
  LedgerReads,
  type TrialBalanceQuery,
} from './ledger-reads.js';
export { StatementAnswer } from './statement-answer.js';
export { ofStatement } from './statement-query.js';
export { type StatementKey, type StatementOf, StatementReads } from './statement-reads.js';
export { TrialBalance } from './trial-balance.js';
