import { type CaptureCapabilities, Rejection } from '#kernel';
import { type Capture, isLive, openCapture, takenByCaptures } from './capture.js';
import { capturableMinor, type CapturablePayment } from './captured.js';
import { takesOtherMoney } from './observed-mismatch.js';
import type { CapturePart, PaymentCommand } from './payment-command.js';
import type { PaymentEvent } from './payment-event.js';
import { exists, type KnownPayment } from './payment.js';

type RequestCapture = PaymentCommand & { type: 'RequestCapture' };

const WHOLE: CapturePart = {
  amountMinor: null,
  can: { partialCapture: false, multipleCapture: false },
};

const ALTERNATIVES: Readonly<Record<keyof CaptureCapabilities, string>> = {
  partialCapture:
    'the provider of this account captures whole amounts only: capture without an amount, and ' +
    'refund the excess after the capture is sent',
  multipleCapture:
    'the provider of this account captures an authorization once: place another order for the rest',
};

const missing = (capability: keyof CaptureCapabilities): Rejection =>
  new Rejection('capability_missing', ALTERNATIVES[capability], { capability });

const tooMuch = (leftMinor: number): Rejection =>
  new Rejection(
    'capture_exceeds_authorized',
    `at most ${leftMinor} (in minor units) can still be captured: request a smaller amount`,
  );

/** Whether the requested capture exists already, so that a repeated request changes nothing. */
const isCaptured = (
  { terms, captures }: CapturablePayment,
  captureId: string,
  { amountMinor, can }: CapturePart,
): boolean => {
  if (captures.some((one) => one.captureId === captureId)) return true;
  if (amountMinor === null) return takenByCaptures(captures) === terms.amountMinor;
  const isSame = (one: Capture) => one.amountMinor === amountMinor;
  // If the provider supports several captures, an equal amount may be a further capture.
  return !can.multipleCapture && captures.filter(isLive).some(isSame);
};

/**
 * The amount to capture. @throws Rejection if the provider does not support the capture, or the
 * authorization does not allow it.
 */
const amountToCapture = (
  payment: CapturablePayment,
  { amountMinor: asked, can }: CapturePart,
): number => {
  const { terms, captures } = payment;
  if (asked !== null && (!Number.isSafeInteger(asked) || asked <= 0)) {
    throw new Rejection(
      'invalid_amount',
      'the amount of a capture must be positive, in minor units',
    );
  }
  if (asked !== null && asked > terms.amountMinor) throw tooMuch(terms.amountMinor);
  if (asked !== null && asked < terms.amountMinor && !can.partialCapture) {
    throw missing('partialCapture');
  }
  if (captures.some(isLive) && !can.multipleCapture) throw missing('multipleCapture');
  if (openCapture(captures) !== null) {
    throw new Rejection(
      'capture_in_progress',
      'another capture of this payment is in progress: try again when it has succeeded or failed',
    );
  }
  const leftMinor = capturableMinor(payment);
  if (leftMinor === 0 || (asked ?? 0) > leftMinor) throw tooMuch(leftMinor);
  return asked ?? leftMinor;
};

const captureOf = (
  payment: CapturablePayment,
  command: RequestCapture,
): readonly PaymentEvent[] => {
  const { captureId, by, part = WHOLE, at } = command;
  if (isCaptured(payment, captureId, part)) return [];
  if (takesOtherMoney(payment)) {
    const what =
      'the provider shows an amount that was not requested: the authorization is released, not captured';
    throw new Rejection('payment_closing', what);
  }
  if (payment.cancel !== null) {
    const what = 'the payment is being canceled and cannot be captured';
    throw new Rejection('payment_closing', what);
  }
  const amountMinor = amountToCapture(payment, part);
  const isFinal = !part.can.multipleCapture || part.isFinal === true;
  const isRestReleased = isFinal && amountMinor < capturableMinor(payment);
  return [
    {
      type: 'CaptureRequested',
      captureId,
      amountMinor,
      requestedBy: by,
      unconfirmed: !payment.pageCompleted,
      ...(isRestReleased && { isFinal: true }),
      at,
    },
  ];
};

const decide = (payment: KnownPayment, command: RequestCapture): readonly PaymentEvent[] => {
  const { status } = payment;
  switch (status) {
    case 'authorized':
    case 'to_capture':
    case 'capture_sent':
    case 'captured':
      return captureOf(payment, command);
    case 'requested':
    case 'open':
    case 'processing':
      throw new Rejection(
        'not_authorized',
        `the payment cannot be captured before it is authorized: its status is ${status}`,
      );
    case 'canceled':
    case 'expired':
    case 'returned':
    case 'rejected':
      throw new Rejection('payment_ended', `the payment has ended: its status is ${status}`);
  }
};

/**
 * Requests a capture. An impossible capture is ignored if the capture policy requests it, and
 * rejected with the reason if the platform requests it.
 */
export const requestCapture = (
  payment: KnownPayment,
  command: RequestCapture,
): readonly PaymentEvent[] => {
  try {
    return decide(payment, command);
  } catch (error) {
    if (command.by === 'policy' && error instanceof Rejection) return [];
    throw error;
  }
};

/**
 * Marks a capture as rejected by the provider, unless a read has shown the capture or the capture
 * has already failed.
 */
export const rejectCapture = (
  payment: KnownPayment,
  { captureId, reason, at }: PaymentCommand & { type: 'RejectCapture' },
): readonly PaymentEvent[] => {
  const open = exists(payment) ? openCapture(payment.captures) : null;
  if (!exists(payment) || open?.captureId !== captureId) return [];
  const { amountMinor } = open;
  const rejected: PaymentEvent = { type: 'CaptureRejected', captureId, amountMinor, reason, at };
  if (!payment.unknown.includes('capture')) return [rejected];
  return [rejected, { type: 'RequestResultResolved', request: 'capture', at }];
};
