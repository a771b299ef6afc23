import { type CaptureCapabilities, Rejection } from '#kernel';
import { type Capture, isLive, openCapture, takenByCaptures } from './capture.js';
import { capturableMinor, type CapturablePayment } from './captured.js';
import { takesOtherMoney } from './observed-mismatch.js';
import type { CapturePart, PaymentCommand } from './payment-command.js';
import type { PaymentEvent } from './payment-event.js';
import type { KnownPayment } from './payment.js';

type RequestCapture = PaymentCommand & { type: 'RequestCapture' };

const WHOLE: CapturePart = {
  amountMinor: null,
  can: { partialCapture: false, multipleCapture: false },
};

const sayWhatElse: Readonly<Record<keyof CaptureCapabilities, string>> = {
  partialCapture:
    'the provider of this account captures whole amounts only: capture without an amount, and ' +
    'refund what is too much once the capture is sent',
  multipleCapture:
    'the provider of this account captures an authorization once: place another order for the rest',
};

const missing = (capability: keyof CaptureCapabilities): Rejection =>
  new Rejection('capability_missing', sayWhatElse[capability], { capability });

const tooMuch = (leftMinor: number): Rejection =>
  new Rejection('capture_exceeds_authorized', `at most ${leftMinor} is left to be captured`);

/** What is asked for now, whether once or again, is captured already or is about to be. */
const isCaptured = (
  { terms, captures }: CapturablePayment,
  captureId: string,
  { amountMinor, can }: CapturePart,
): boolean => {
  if (captures.some((one) => one.captureId === captureId)) return true;
  if (amountMinor === null) return takenByCaptures(captures) === terms.amountMinor;
  const isSame = (one: Capture) => one.amountMinor === amountMinor;
  // Of a provider that captures several times the same amount may be wanted twice.
  return !can.multipleCapture && captures.filter(isLive).some(isSame);
};

/** The amount to capture, once it is known that the provider can. @throws Rejection */
const amountToCapture = (
  payment: CapturablePayment,
  { amountMinor: asked, can }: CapturePart,
): number => {
  const { terms, captures } = payment;
  if (asked !== null && (!Number.isSafeInteger(asked) || asked <= 0)) {
    throw new Rejection('invalid_amount', 'a capture takes a positive amount, in minor units');
  }
  if (asked !== null && asked > terms.amountMinor) throw tooMuch(terms.amountMinor);
  if (asked !== null && asked < terms.amountMinor && !can.partialCapture) {
    throw missing('partialCapture');
  }
  if (captures.some(isLive) && !can.multipleCapture) throw missing('multipleCapture');
  if (openCapture(captures) !== null) {
    throw new Rejection('capture_in_flight', 'another capture of this payment is being made');
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
    const what = 'the provider shows another amount than was asked for: it is released';
    throw new Rejection('payment_closing', what);
  }
  if (payment.cancel !== null) {
    const what = 'the payment is being cancelled: nothing to capture';
    throw new Rejection('payment_closing', what);
  }
  const amountMinor = amountToCapture(payment, part);
  const { isFinal = !part.can.multipleCapture } = part;
  const isRestReleased = isFinal && amountMinor < capturableMinor(payment);
  return [
    {
      type: 'CaptureRequested',
      captureId,
      amountMinor,
      by,
      unconfirmed: !payment.pageFinished,
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
        `only an authorized payment is captured: it is ${status}`,
      );
    case 'canceled':
    case 'expired':
    case 'returned':
    case 'rejected':
      throw new Rejection('payment_ended', `the payment has ended: it is ${status}`);
  }
};

/** Capture by policy follows the facts and asks in vain without harm; a platform is told why not. */
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
