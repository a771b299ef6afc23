import { stateMachine } from '../../storage/state-machine.js';

/**
 * The status of a terminal, spelled as in the API. See
 * docs/provider/onboarding.md#payment-terminal-status.
 */
export type TerminalStatus =
  | 'pendingOrder'
  | 'orderCancelled'
  | 'orderInProgress'
  | 'shipped'
  | 'delivred'
  | 'activated'
  | 'posLostByCarrier'
  | 'pendingPosReturn'
  | 'poskeptByMerchant'
  | 'posReturned'
  | 'deactivated';

/**
 * The merchant's actions in the User Area. The other transitions are `cancel`, made by the partner,
 * and `pass`, made by the clock.
 */
export const TERMINAL_MOVES = ['lose', 'recall', 'keep', 'return', 'deactivate'] as const;
export type UserAreaMove = (typeof TERMINAL_MOVES)[number];

export const terminalMachine = stateMachine<TerminalStatus, 'pass' | 'cancel' | UserAreaMove>(
  'payment terminal',
  {
    pendingOrder: { pass: 'orderInProgress', cancel: 'orderCancelled' },
    orderCancelled: {},
    orderInProgress: { pass: 'shipped' },
    shipped: { pass: 'delivred', lose: 'posLostByCarrier' },
    delivred: { pass: 'activated', recall: 'pendingPosReturn', deactivate: 'deactivated' },
    activated: { recall: 'pendingPosReturn', deactivate: 'deactivated' },
    posLostByCarrier: {},
    pendingPosReturn: { return: 'posReturned', keep: 'poskeptByMerchant' },
    poskeptByMerchant: { deactivate: 'deactivated' },
    posReturned: { deactivate: 'deactivated' },
    deactivated: {},
  },
);
