import { stateMachine } from '../../storage/state-machine.js';

/** The status of a payment intent. See docs/provider/payments-completion.md#states. */
export type IntentStatus =
  | 'require_payment_method'
  | 'require_authentication'
  | 'require_authorization'
  | 'authorized'
  | 'to_capture'
  | 'capture_sent'
  | 'captured'
  | 'processing'
  | 'canceled'
  | 'unpaid';

/**
 * The status of a payment's 3-D Secure authentication. See
 * docs/provider/payments.md#authenticated-payment-status.
 */
export type AuthStatus =
  | 'available'
  | 'requested'
  | 'attempted'
  | 'success'
  | 'declined'
  | 'expired'
  | 'failed'
  | 'unavailable';

/** The status of a payment. The API returns `awaiting_bank` as null: the bank has not responded. */
export type PaymentStatus =
  | 'awaiting_bank'
  | 'authorized'
  | 'to_capture'
  | 'capture_sent'
  | 'captured'
  | 'disputed'
  | 'expired'
  | 'failed'
  | 'refused'
  | 'canceled';

export type IntentMove =
  | 'request_authentication'
  | 'request_authorization'
  | 'give_up'
  | 'time_out'
  | 'refuse'
  | 'approve'
  | 'debit'
  | 'capture'
  | 'cut_off'
  | 'clear'
  | 'return'
  | 'expire'
  | 'cancel';

export type PaymentMove =
  | 'approve'
  | 'debit'
  | 'refuse'
  | 'fail'
  | 'capture'
  | 'cut_off'
  | 'clear'
  | 'return'
  | 'dispute'
  | 'expire'
  | 'cancel';

type AuthMove = 'request' | 'arrive' | 'approve' | 'refuse' | 'expire' | 'give_up';

/**
 * The state machine of intents. After a refused or abandoned attempt the payer may retry. The
 * intent of a direct debit (`debit`) is never captured: it is `processing` until the debit has
 * cleared or is returned, and only the payment's status shows the details. A dispute does not
 * change the intent. See docs/provider/payments-completion.md#states.
 */
export const intentMachine = stateMachine<IntentStatus, IntentMove>('payment intent', {
  require_payment_method: {
    request_authentication: 'require_authentication',
    request_authorization: 'require_authorization',
    debit: 'processing',
    cancel: 'canceled',
  },
  require_authentication: {
    request_authorization: 'require_authorization',
    refuse: 'require_payment_method',
    give_up: 'require_payment_method',
    time_out: 'require_payment_method',
    cancel: 'canceled',
  },
  require_authorization: {
    approve: 'authorized',
    refuse: 'require_payment_method',
    cancel: 'canceled',
  },
  authorized: { capture: 'to_capture', expire: 'unpaid', cancel: 'canceled' },
  to_capture: { cut_off: 'capture_sent', cancel: 'canceled' },
  processing: { clear: 'captured', return: 'unpaid', cancel: 'canceled' },
  capture_sent: { clear: 'captured' },
  captured: {},
  canceled: {},
  unpaid: {},
});

/**
 * Whether nothing is authorized yet: the payer may still pay, and the merchant may still change the
 * intent.
 */
export const acceptsAttempt = (status: IntentStatus): boolean =>
  intentMachine.can(status, 'request_authorization');

/** The state machine of payments. See docs/provider/payments.md#payment-status. */
export const paymentMachine = stateMachine<PaymentStatus, PaymentMove>('payment', {
  awaiting_bank: {
    approve: 'authorized',
    debit: 'to_capture',
    refuse: 'refused',
    fail: 'failed',
    cancel: 'canceled',
  },
  authorized: { capture: 'to_capture', expire: 'expired', cancel: 'canceled' },
  to_capture: { cut_off: 'capture_sent', cancel: 'canceled' },
  capture_sent: { clear: 'captured', return: 'refused' },
  captured: { dispute: 'disputed' },
  disputed: {},
  expired: {},
  failed: {},
  refused: {},
  canceled: {},
});

/**
 * The state machine of 3-D Secure authentications. See
 * docs/provider/payments.md#authenticated-payment-status.
 */
export const authMachine = stateMachine<AuthStatus, AuthMove>('authentication', {
  available: { request: 'requested' },
  requested: { arrive: 'attempted', expire: 'expired', give_up: 'failed' },
  attempted: {
    approve: 'success',
    refuse: 'declined',
    expire: 'expired',
    give_up: 'failed',
  },
  success: {},
  declined: {},
  expired: {},
  failed: {},
  unavailable: {},
});
