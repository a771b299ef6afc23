import { stateMachine } from '../../storage/state-machine.js';

/** docs/provider/onboarding.md#payment-terminal-status, spelled as the interface gives them. */
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

/** `pass` is time; `cancel` is by the partner; all other transitions are in the User Area. */
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
