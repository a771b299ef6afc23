import { Rejection } from '#kernel';
import type { MerchantCommand } from './merchant-command.js';
import type { MerchantEvent, ObservedTerminal } from './merchant-event.js';
import type { RegisteredMerchant, Terminal } from './merchant.js';

type Command<T extends MerchantCommand['type']> = MerchantCommand & { type: T };

/**
 * docs/provider/onboarding.md#payment-terminals: a terminal can be ordered when the company is
 * `validated` or `available`.
 */
export const requestTerminal = (
  merchant: RegisteredMerchant,
  command: Command<'RequestTerminal'>,
): readonly MerchantEvent[] => {
  const { status, terminalOrder, terminals } = merchant;
  const { requestId, name, by, at } = command;
  const mayOrder = status === 'validated' || status === 'available';
  if (terminalOrder?.requestId === requestId) return [];
  // Also true after the provider has refused the order of the first terminal, so that the service
  // can then order it once more.
  const isFirst = terminalOrder === null && terminals.length === 0;
  if (by === 'policy' && !(mayOrder && isFirst)) return [];
  if (!mayOrder) {
    throw new Rejection(
      'merchant_not_validated',
      `terminals can be ordered when the merchant is validated or available: its status is ${status}`,
    );
  }
  if (terminalOrder !== null) {
    throw new Rejection(
      'terminal_order_in_progress',
      'another terminal is being ordered: order this terminal after the provider has accepted or refused that order',
    );
  }
  const knownTerminalIds = terminals.map(({ terminalId }) => terminalId);
  return [{ type: 'TerminalRequested', requestId, name, knownTerminalIds, at }];
};

export const requestTerminalCancel = (
  { terminals }: RegisteredMerchant,
  { terminalId, at }: Command<'RequestTerminalCancel'>,
): readonly MerchantEvent[] => {
  const terminal = terminals.find((known) => known.terminalId === terminalId);
  if (terminal === undefined) {
    throw new Rejection('terminal_not_found', 'no terminal of the merchant has this id');
  }
  if (terminal.cancelRequested || terminal.status === 'canceled') return [];
  if (terminal.status !== 'pending') {
    throw new Rejection(
      'terminal_not_pending',
      `the terminal’s order can be canceled only while it is pending: its status is ${terminal.status}`,
    );
  }
  return [{ type: 'TerminalCancelRequested', terminalId, at }];
};

/** docs/provider/onboarding.md#payment-terminal-status: the final statuses of a terminal. */
const FINAL: readonly string[] = ['canceled', 'lost', 'deactivated'];

/** The statuses that last, until the merchant or the provider returns or deactivates the terminal. */
const LASTING: readonly string[] = ['activated', 'kept', 'returned'];

/**
 * After how many days the list of terminals is read again; null if no status in it can change. An
 * unknown status counts as one that changes soon, and so does every status before a contract ends.
 */
export const terminalsReadAfterDays = ({
  status,
  terminalOrder,
  terminals,
}: RegisteredMerchant): number | null => {
  const open = terminals.filter((terminal) => !FINAL.includes(terminal.status));
  if (terminalOrder === null && open.length === 0) return null;
  const lasts = terminalOrder === null && open.every((one) => LASTING.includes(one.status));
  return lasts && status !== 'closing' ? 7 : 1;
};

const isNews = (known: Terminal | undefined, seen: ObservedTerminal): boolean =>
  known === undefined ||
  known.status !== seen.status ||
  known.name !== seen.name ||
  known.carrierName !== seen.carrierName ||
  known.trackingUrl !== seen.trackingUrl;

/**
 * Decides on one read of the list of terminals. The status of a terminal only moves forward, so a
 * read older than the latest recorded read is ignored, and a read without changes is not recorded.
 */
export const observeTerminals = (
  merchant: RegisteredMerchant,
  { terminals, readAt, at }: Command<'ObserveTerminals'>,
): readonly MerchantEvent[] => {
  const events: MerchantEvent[] = [];
  const { terminalOrder: order, unknown } = merchant;
  const ordered = terminals.find(
    ({ terminalId, name }) =>
      order !== null && name === order.name && !order.knownTerminalIds.includes(terminalId),
  );
  if (order && ordered) {
    const { terminalId } = ordered;
    events.push({ type: 'TerminalOrdered', requestId: order.requestId, terminalId, at });
    if (unknown.includes('order_terminal')) {
      events.push({ type: 'CompanyRequestResultResolved', request: 'order_terminal', at });
    }
  }
  for (const seen of terminals) {
    const known = merchant.terminals.find(({ terminalId }) => terminalId === seen.terminalId);
    if (known !== undefined && known.readAt >= readAt) continue;
    if (isNews(known, seen)) events.push({ type: 'TerminalObserved', ...seen, readAt, at });
  }
  const isSettled = (terminal: Terminal): boolean =>
    !terminal.cancelRequested ||
    terminals.some(
      ({ terminalId, status }) => terminalId === terminal.terminalId && status !== 'pending',
    );
  if (unknown.includes('cancel_terminal') && merchant.terminals.every(isSettled)) {
    events.push({ type: 'CompanyRequestResultResolved', request: 'cancel_terminal', at });
  }
  return events;
};

export const rejectTerminal = (
  { terminalOrder, unknown }: RegisteredMerchant,
  { requestId, reason, at }: Command<'ObserveTerminalRejection'>,
): readonly MerchantEvent[] => {
  if (terminalOrder?.requestId !== requestId) return [];
  return [
    { type: 'TerminalOrderRejected', requestId, reason, at },
    ...(unknown.includes('order_terminal')
      ? [{ type: 'CompanyRequestResultResolved', request: 'order_terminal', at } as const]
      : []),
  ];
};
