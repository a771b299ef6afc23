import { Rejection } from '#kernel';
import {
  type Capture, isLive, openCapture, takenByCaptures, type CaptureCapabilities,
} from './capture.js';
import { takesOtherMoney } from './observed-mismatch.js';
import type { PaymentCommand } from './payment-command.js';
import type { PaymentEvent } from './payment-event.js';
import type { Existing, KnownPayment } from './payment.js';

type RequestCapture = PaymentCommand & { type: 'RequestCapture' };

type Capturable = Extract<
  Existing, { readonly status: 'authorized' | 'to_capture' | 'capture_sent' | 'captured' }
>;

const WHOLE_ONLY: CaptureCapabilities = { partialCapture: false, multipleCapture: false };

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
  { terms, captures }: Capturable, { captureId, part }: RequestCapture,
): boolean => {
  if (captures.some((one) => one.captureId === captureId)) return true;
  if (part === undefined) return takenByCaptures(captures) === terms.amountMinor;
  const isSame = ({ amountMinor }: Capture) => amountMinor === part.amountMinor;
  // Of a provider that captures several times the same amount may be wanted twice.
  return !part.can.multipleCapture && captures.filter(isLive).some(isSame);
};

/** The amount to capture, once it is known that the provider can. @throws Rejection */
const capturableMinor = (
  { terms, captures }: Capturable, part: RequestCapture['part'],
): number => {
  const { amountMinor, can } = part ?? { amountMinor: terms.amountMinor, can: WHOLE_ONLY };
  if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0) {
    throw new Rejection('invalid_amount', 'a capture takes a positive amount, in minor units');
  }
  if (amountMinor > terms.amountMinor) throw tooMuch(terms.amountMinor);
  if (amountMinor < terms.amountMinor && !can.partialCapture) throw missing('partialCapture');
  if (part !== undefined && captures.some(isLive) && !can.multipleCapture) {
    throw missing('multipleCapture');
  }
  if (openCapture(captures) !== null) {
    throw new Rejection('capture_in_flight', 'another capture of this payment is being made');
  }
  const leftMinor = terms.amountMinor - takenByCaptures(captures);
  if (amountMinor > leftMinor) throw tooMuch(leftMinor);
  return amountMinor;
};

const captureOf = (payment: Capturable, command: RequestCapture): readonly PaymentEvent[] => {
  const { captureId, by, part, at } = command;
  if (isCaptured(payment, command)) return [];
  if (takesOtherMoney(payment)) {
    const what = 'the provider shows another amount than was asked for: it is released';
    throw new Rejection('payment_closing', what);
  }
  if (payment.cancel !== null) {
    const what = 'the payment is being cancelled: nothing to capture';
    throw new Rejection('payment_closing', what);
  }
  const amountMinor = capturableMinor(payment, part);
  const unconfirmed = !payment.pageFinished;
  return [{ type: 'CaptureRequested', captureId, amountMinor, by, unconfirmed, at }];
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
      throw new Rejection('not_authorized', `only an authorized payment is captured: it is ${status}`);
    case 'canceled':
    case 'expired':
    case 'returned':
    case 'rejected':
      throw new Rejection('payment_ended', `the payment has ended: it is ${status}`);
  }
};

/** Capture by policy follows the facts and asks in vain without harm; a platform is told why not. */
export const requestCapture = (
  payment: KnownPayment, command: RequestCapture,
): readonly PaymentEvent[] => {
  try {
    return decide(payment, command);
  } catch (error) {
    if (command.by === 'policy' && error instanceof Rejection) return [];
    throw error;
  }
};
