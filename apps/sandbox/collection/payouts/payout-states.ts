import { stateMachine } from '../../storage/state-machine.js';

export type PayoutStatus = 'pending' | 'to_pay' | 'sent' | 'paid' | 'failed';

type PayoutMove = 'clear' | 'send' | 'pay' | 'fail';

/**
 * The state machine of payouts. See docs/provider/payments.md#payout-status, and for the times of
 * the transitions docs/provider/payments-completion.md#states.
 */
export const payoutMachine = stateMachine<PayoutStatus, PayoutMove>('payout', {
  pending: { clear: 'to_pay', fail: 'failed' },
  to_pay: { send: 'sent', fail: 'failed' },
  sent: { pay: 'paid', fail: 'failed' },
  paid: {},
  failed: {},
});
