import type { Instant } from '#kernel';
import { conflict } from '../../api/api-error.js';
import type { Aggregate } from './aggregate.js';
import type { FullPayment } from './payment-resource.js';
import { intentMachine, paymentMachine } from './states.js';
import { isOverdue } from './transitions.js';

/**
 * The statuses of a payment whose capture was requested: a repeated capture request changes
 * nothing.
 */
const CAPTURE_ASKED: ReadonlySet<string> = new Set([
  'to_capture',
  'capture_sent',
  'captured',
  'disputed',
]);

export const isCaptureRequested = ({ status }: { readonly status: string }): boolean =>
  CAPTURE_ASKED.has(status);

/**
 * Throws `ApiError` 409 unless the payment is authorized now. Call while holding the intent's lock.
 */
export const checkCapture = (payment: FullPayment, now: Instant): void => {
  if (!paymentMachine.can(payment.status, 'capture')) {
    const state = payment.status === 'awaiting_bank' ? 'not authorized yet' : payment.status;
    throw conflict(`Payment is ${state}: only an authorized payment can be captured`);
  }
  if (isOverdue(payment, now)) throw conflict('The authorization has expired');
};

/** Whether the browser's confirmation of an authorized payment has effect if it arrives now. */
export const mayBeConfirmed = (
  { confirm_until: until }: Pick<FullPayment, 'confirm_until'>,
  now: Instant,
): boolean => until !== null && now <= until;

/**
 * Whether the browser's confirmation, which captures the payment automatically, may still arrive.
 */
export const awaitsConfirmation = (
  payment: Pick<FullPayment, 'capture' | 'confirm_until'>,
  now: Instant,
): boolean => payment.capture && mayBeConfirmed(payment, now);

/**
 * Throws `ApiError` 409 while the browser's confirmation, which captures the payment automatically,
 * may still arrive. See docs/provider/payments.md#manual-capture: manual capture is for
 * `capture=false` and interrupted flows.
 */
export const checkInterrupted = (payment: FullPayment, now: Instant): void => {
  if (!awaitsConfirmation(payment, now)) return;
  throw conflict(
    'The payer may still be on the page: wait, the payment will be captured automatically',
  );
};

/**
 * Throws `ApiError` 409 when the payment was already sent to the bank. Call while holding the
 * intent's lock.
 */
export const checkCancel = ({ intent, payment }: Aggregate, now: Instant): void => {
  if (!intentMachine.can(intent.status, 'cancel')) {
    throw conflict(`Payment intent is ${intent.status}: it can no longer be canceled`);
  }
  if (
    payment !== null &&
    intent.status === 'processing' &&
    !paymentMachine.can(payment.status, 'cancel')
  ) {
    throw conflict(
      'Payment intent is processing and its debit was sent to the bank: it can no longer be canceled',
    );
  }
  // The cut-off has passed, but the sandbox has not sent the payment yet.
  if (payment?.status === 'to_capture' && isOverdue(payment, now)) {
    throw conflict('Payment intent is being sent to the bank: it can no longer be canceled');
  }
};
