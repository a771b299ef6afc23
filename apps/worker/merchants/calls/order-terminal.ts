import { done, retryLater, stuck } from '#jobs';
import type { MerchantCommand } from '#onboarding';
import { ProviderRejected, ProviderUnknownOutcome } from '#psp';
import {
  type CompanyContext,
  type MerchantCallMaker,
  type MerchantOutcome,
  observeTerminals,
  ofCompany,
  readCompany,
  reasonOf,
} from './merchant-call.js';

const CALL = 'order_terminal';

interface Order extends CompanyContext {
  readonly account: string;
  readonly wanted: NonNullable<CompanyContext['merchant']['terminalOrder']>;
}

/**
 * Searches the provider's list of terminals for a terminal with this name that did not exist before
 * the order.
 */
const findOrdered = async (order: Order): Promise<MerchantCommand | null> => {
  const { client, merchant, account, wanted, now } = order;
  const readAt = now();
  const terminals = await client.listTerminals(merchant.companyId, account);
  const isThere = terminals.some(
    ({ terminalId, name }) => name === wanted.name && !wanted.knownTerminalIds.includes(terminalId),
  );
  return isThere ? observeTerminals(terminals, readAt, now()) : null;
};

const send = async (order: Order): Promise<MerchantOutcome> => {
  const { client, merchant, account, wanted, stillHeld, now } = order;
  try {
    stillHeld();
    const readAt = now();
    const terminal = await client.orderTerminal(merchant.companyId, account, wanted.name);
    return done('ordered', observeTerminals([terminal], readAt, now()));
  } catch (error) {
    const at = now();
    if (error instanceof ProviderRejected) {
      const { requestId } = wanted;
      const reason = reasonOf(error);
      return done(reason, { type: 'ObserveTerminalRejection', requestId, reason, at });
    }
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return retryLater(error.message, { type: 'NoteUnknownOutcome', call: CALL, at });
  }
};

const place = async (order: Order): Promise<MerchantOutcome> => {
  const { job, merchant, parts, now } = order;
  const isRepeated = job.found !== 'ready';
  if (isRepeated || (await parts.lostTimes()).length > 0) {
    const ordered = await findOrdered(order);
    if (ordered) return done('found in the list', ordered);
  }
  if (job.found === 'running' || (isRepeated && merchant.unknown.includes(CALL))) {
    return retryLater('the terminal may have been ordered, but is not in the list', {
      type: 'NoteUnknownOutcome',
      call: CALL,
      at: now(),
    });
  }
  return send(order);
};

/**
 * Orders a terminal, at most once. If an earlier call may have ordered the terminal, also one of
 * which a database restore has lost the events, the list of terminals is read first. If the terminal is not in the list, an operator must resolve the result,
 * since a second order would deliver a second terminal.
 */
export const orderTerminal: MerchantCallMaker = async (context) => {
  const company = ofCompany(context);
  const wanted = company?.merchant.terminalOrder ?? null;
  if (company === null || wanted === null) return done('no longer requested');
  const known = company.merchant.companyAccountId;
  if (known !== null) return place({ ...company, account: known, wanted });
  const { facts, command } = await readCompany(company);
  const account = facts.companyAccountId;
  if (account === null) return stuck('the company has no account at the provider', command);
  const { commands, ...outcome } = await place({ ...company, account, wanted });
  return { ...outcome, commands: [command, ...commands] };
};
