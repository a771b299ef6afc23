import pg from 'pg';
import type { Stack } from '../stack/stack.js';
import { expiredClaimsTakenOver } from './expired-claims.js';
import { countsOf } from './figures.js';
import { type LedgerFacts, ledgerFacts } from './payouts.js';
import type { Refunds } from './refunds.js';
import { beforeRepair, type RepairFacts, repairRefunds } from './repairs.js';
import { followAll, type OpenWork, runToCompletion } from './rest.js';

export const openOf = (open: OpenWork): string => {
  const left = Object.entries(open).filter(([, count]) => count > 0);
  return left.length === 0 ? 'nothing is open' : `open: ${countsOf(left)}`;
};

export const ledgerOf = async (stack: Stack): Promise<LedgerFacts> => {
  const pool = new pg.Pool({ connectionString: stack.databases.orchestrator, max: 1 });
  try {
    return await ledgerFacts(pool, stack);
  } finally {
    await pool.end();
  }
};

/**
 * The maximum number of rounds of repairs, because further requests may become stuck during a
 * round.
 */
const MAX_ROUNDS = 3;

/**
 * Waits until all work has ended, and repairs failed work as an operator does. Returns the work
 * that is still open.
 */
export const complete = async (
  stack: Stack,
  refunds: Refunds | null,
  say: (line: string) => void,
): Promise<{ readonly left: OpenWork; readonly repairs: RepairFacts }> => {
  const onTime = (now: string, open: OpenWork) => say(`  ${now}: ${openOf(open)}`);
  const before = await beforeRepair(stack, say);
  await expiredClaimsTakenOver(stack);
  await followAll(stack);
  let left = await runToCompletion(stack, onTime);
  let repairs: RepairFacts = { ...before, resolved: 0, shown: 0, requestedAgain: 0 };
  if (refunds === null) return { left, repairs };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { resolved, shown, requestedAgain } = await repairRefunds(stack, refunds, say);
    repairs = {
      ...before,
      resolved: repairs.resolved + resolved,
      shown: repairs.shown + shown,
      requestedAgain: repairs.requestedAgain + requestedAgain,
    };
    if (resolved + requestedAgain === 0) break;
    left = await runToCompletion(stack, onTime);
  }
  return { left, repairs };
};
