import { stateMachine } from '../../storage/state-machine.js';

export type RefundStatus = 'to_refund' | 'refund_sent' | 'refunded' | 'not_honored' | 'failed';

type RefundMove = 'cut_off' | 'clear' | 'dishonor' | 'fail';

/**
 * The state machine of refunds: a refund is sent at the first cut-off after the capture and settled
 * the morning after. See docs/provider/payments-completion.md#states.
 */
export const refundMachine = stateMachine<RefundStatus, RefundMove>('refund', {
  to_refund: { cut_off: 'refund_sent', fail: 'failed' },
  refund_sent: { clear: 'refunded', dishonor: 'not_honored', fail: 'failed' },
  refunded: {},
  not_honored: {},
  failed: {},
});

/** The statuses in which a refund reduces the refundable amount: all except the failed statuses. */
export const TAKING_REFUNDS: readonly RefundStatus[] = ['to_refund', 'refund_sent', 'refunded'];
