import type { Instant } from '#kernel';
import { bankDaysAfter } from '../../money/bank-days.js';
import { testIbanOfScenario } from '../banks/test-values.js';

/**
 * A direct debit that is sent at a cut-off settles two bank days later. See
 * docs/provider/payments-completion.md#states.
 */
export const debitSettlesAt = (cutOff: Instant): Instant => bankDaysAfter(cutOff, 2);

/**
 * The code with which the debtor's bank returns the debit at settlement; null when the bank pays
 * the debit.
 */
export const debitReturn = (scenario: string | null): string | null => {
  const account = scenario === null ? undefined : testIbanOfScenario(scenario);
  return account?.result === 'Refused' ? account.response : null;
};
