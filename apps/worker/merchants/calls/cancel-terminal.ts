import { done, retryLater, stuck } from '#jobs';
import type { MerchantCommand } from '#onboarding';
import { ProviderRejected, ProviderUnknownOutcome } from '#psp';
import {
  type CompanyContext,
  type MerchantCallMaker,
  type MerchantOutcome,
  observeTerminals,
  ofCompany,
  reasonOf,
} from './merchant-call.js';

const cancel = async (
  context: CompanyContext,
  account: string,
  terminalId: string,
  seen: MerchantCommand,
): Promise<MerchantOutcome> => {
  const { client, merchant, stillHeld, now } = context;
  try {
    stillHeld();
    const readAt = now();
    const terminal = await client.cancelTerminal(merchant.companyId, account, terminalId);
    // The job ends here: if several terminals are to be canceled, each has a separate job.
    return done('canceled', seen, observeTerminals([terminal], readAt, now()));
  } catch (error) {
    const note = { type: 'NoteUnknownOutcome', call: 'cancel_terminal', at: now() } as const;
    if (error instanceof ProviderUnknownOutcome) return retryLater(error.message, seen, note);
    if (!(error instanceof ProviderRejected)) throw error;
    const reason = reasonOf(error);
    // 409: the terminal's status has changed since the list was read; the next read shows the new
    // status.
    return error.status === 409 ? retryLater(reason, seen) : stuck(reason, seen);
  }
};

/**
 * Cancels the order of a terminal. The list of terminals is read first, and the cancel call is sent
 * only if the order is still pending. The provider refuses a second cancellation, so the call is
 * safe to repeat.
 */
export const cancelTerminal: MerchantCallMaker = async (context) => {
  const company = ofCompany(context);
  const account = company?.merchant.companyAccountId ?? null;
  const wanted = company?.merchant.terminals.filter(({ cancelRequested }) => cancelRequested) ?? [];
  if (company === null || account === null || wanted.length === 0) {
    return done('no longer requested');
  }
  const { client, merchant, now } = company;
  const readAt = now();
  const terminals = await client.listTerminals(merchant.companyId, account);
  const seen = observeTerminals(terminals, readAt, now());
  const pending = terminals.find(
    ({ terminalId: id, status }) =>
      status === 'pending' && wanted.some(({ terminalId }) => terminalId === id),
  );
  if (pending === undefined) return done('no order with this name is pending', seen);
  return cancel(company, account, pending.terminalId, seen);
};
