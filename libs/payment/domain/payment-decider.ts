import type { Decider, Instant } from '#kernel';
import { assert, msOf, Rejection } from '#kernel';
import { openCapture } from './capture.js';
import { rejectCapture, requestCapture } from './decide-capture.js';
import { giveUpRefund, rejectRefund, requestRefund } from './decide-refund.js';
import { observePayment, proves } from './observe-payment.js';
import type { PaymentCommand } from './payment-command.js';
import type { PaymentEvent } from './payment-event.js';
import { evolve, mismatchKey } from './payment-evolve.js';
import type { KnownPayment, Payment } from './payment.js';
import { exists } from './payment.js';
import { advanceQueuedRefunds } from './queued-refunds.js';
import { openRequest, queuedRefunds } from './refunds-and-disputes.js';

type Command<T extends PaymentCommand['type']> = PaymentCommand & { type: T };

const requestIntent = (payment: Payment, command: Command<'RequestIntent'>): PaymentEvent[] => {
  if (payment.status !== 'none') return [];
  const { type: _type, ...request } = command;
  return [{ type: 'IntentRequested', ...request }];
};

const requestCancel = (
  payment: KnownPayment,
  command: Command<'RequestCancel'>,
): PaymentEvent[] => {
  const { reason, at } = command;
  const requested: PaymentEvent = { type: 'CancelRequested', reason, at };
  switch (payment.status) {
    case 'requested':
    case 'open':
      return payment.cancel === reason || payment.cancel === 'cancellation' ? [] : [requested];
    case 'processing':
    case 'authorized':
    case 'to_capture':
      // A cancellation by expiry is ignored if the payer has already paid, because the payment was
      // made in time.
      return reason === 'expiry' || payment.cancel === 'cancellation' ? [] : [requested];
    case 'capture_sent':
    case 'captured':
    case 'canceled':
    case 'expired':
    case 'returned':
    case 'rejected':
      return [];
  }
};

const rejectDebit = (payment: KnownPayment, command: Command<'RejectDebit'>): PaymentEvent[] => {
  assert(payment.terms.mandateId !== undefined, 'a payment whose debit is rejected has a mandate');
  if (payment.status !== 'open' || payment.debit !== 'requested') return [];
  const { reason, at } = command;
  const rejected: PaymentEvent = { type: 'DebitRejected', reason, at };
  if (!payment.unknown.includes('debit_mandate')) return [rejected];
  return [rejected, { type: 'RequestResultResolved', request: 'debit_mandate', at }];
};

/**
 * Ends a payment whose intent the provider has deleted. Before the capture is sent the payer has
 * not been charged, and without the intent the payer cannot be charged.
 */
const concludeForgotten = (payment: KnownPayment, at: Instant): PaymentEvent[] => {
  switch (payment.status) {
    case 'open':
    case 'processing':
    case 'authorized':
    case 'to_capture': {
      const resolved = payment.unknown.map(
        (request) => ({ type: 'RequestResultResolved', request, at }) as const,
      );
      return [{ type: 'PaymentCanceled', at }, ...resolved];
    }
    case 'canceled':
    case 'expired':
    case 'returned':
    case 'rejected':
    // If the capture was sent, the money was or is being collected, even though the intent is
    // deleted.
    case 'capture_sent':
    case 'captured':
      return [];
    case 'requested':
      throw new Rejection(
        'no_intent',
        'the payment has no intent at the provider yet: retry the request that creates it',
      );
  }
};

/**
 * Handles a read of a payment whose intent the provider rejected. There should be no intent; if the
 * read shows an intent, a mismatch is recorded, once.
 */
const observeRejected = (
  payment: Extract<Payment, { status: 'rejected' }>,
  command: Command<'ObservePayment'>,
): PaymentEvent[] => {
  const { status: observed } = command.observation.intent;
  const mismatch = {
    type: 'PaymentMismatchObserved',
    aspect: 'status',
    expected: 'rejected',
    observed,
    at: command.at,
  } as const;
  return payment.mismatches.includes(mismatchKey(mismatch)) ? [] : [mismatch];
};

/**
 * Records that the intent belongs to another payment. The request to create the intent then waits
 * for an operator.
 */
const noteTakenIntent = (
  payment: KnownPayment,
  { intentId: observed, at }: Command<'NoteTakenIntent'>,
): PaymentEvent[] => intentMismatch(payment, { expected: 'an intent of its own', observed, at });

/**
 * Records that the provider no longer has the intent. The payment can then not be followed any
 * more, so an operator must act.
 */
const noteMissingIntent = (
  payment: KnownPayment,
  { at }: Command<'NoteMissingIntent'>,
): PaymentEvent[] => {
  if (!exists(payment)) return [];
  return intentMismatch(payment, { expected: payment.intentId, observed: 'no such intent', at });
};

/** A mismatch of the intent, unless it is recorded already. */
const intentMismatch = (
  payment: KnownPayment,
  found: { readonly expected: string; readonly observed: string; readonly at: Instant },
): PaymentEvent[] => {
  const mismatch = { type: 'PaymentMismatchObserved', aspect: 'intent', ...found } as const;
  return payment.mismatches.includes(mismatchKey(mismatch)) ? [] : [mismatch];
};

/** Records the review of all mismatches that were not reviewed before. */
const reviewMismatches = (payment: KnownPayment, at: Instant): PaymentEvent[] => {
  const { mismatches, reviewedMismatches: reviewed = 0 } = payment;
  const open = mismatches.slice(reviewed);
  if (open.length === 0) {
    throw new Rejection('no_mismatch', 'the payment has no mismatch to review');
  }
  return [{ type: 'PaymentMismatchesReviewed', mismatches: open, at }];
};

const mustExist = (payment: Payment): KnownPayment => {
  if (payment.status !== 'none') return payment;
  throw new Rejection('payment_not_found', 'no payment has this id');
};

const decide = (payment: Payment, command: PaymentCommand): readonly PaymentEvent[] => {
  if (command.type === 'RequestIntent') return requestIntent(payment, command);
  const events = decideKnown(mustExist(payment), command);
  if (!exists(payment) || queuedRefunds(payment.refunds).length === 0) return events;
  return [...events, ...advanceQueuedRefunds(events.reduce(evolve, payment), command.at)];
};

const decideKnown = (
  payment: KnownPayment,
  command: Exclude<PaymentCommand, { type: 'RequestIntent' }>,
): readonly PaymentEvent[] => {
  switch (command.type) {
    case 'ObservePayment':
      if (payment.status === 'rejected') return observeRejected(payment, command);
      return observePayment(payment, command);
    case 'ObserveIntentRejection':
      if (payment.status !== 'requested') return [];
      return [{ type: 'IntentRejected', reason: command.reason, at: command.at }];
    case 'NoteTakenIntent':
      return noteTakenIntent(payment, command);
    case 'NoteMissingIntent':
      return noteMissingIntent(payment, command);
    case 'NoteUnknownOutcome': {
      if (!('unknown' in payment) || payment.unknown.includes(command.call)) return [];
      // The result is not recorded as unknown if a webhook or a poll has already shown it after the
      // response was lost.
      if (proves(payment, command.call)) return [];
      return [{ type: 'RequestResultUnknown', request: command.call, at: command.at }];
    }
    case 'RequestCapture':
      return requestCapture(payment, command);
    case 'RejectCapture':
      return rejectCapture(payment, command);
    case 'RequestCancel':
      return requestCancel(payment, command);
    case 'RequestRefund':
      return requestRefund(payment, command);
    case 'RejectRefund':
      return rejectRefund(payment, command);
    case 'GiveUpRefund':
      return giveUpRefund(payment, command);
    case 'RejectDebit':
      return rejectDebit(payment, command);
    case 'ConcludeForgotten':
      return concludeForgotten(payment, command.at);
    case 'ReviewMismatches':
      return reviewMismatches(payment, command.at);
    case 'FinishPage':
      if (!exists(payment) || payment.pageCompleted) return [];
      return [{ type: 'PaymentPageCompleted', at: command.at }];
    case 'WarnOfExpiry': {
      if (payment.status !== 'authorized' || payment.warned) return [];
      if (openCapture(payment.captures) !== null) return [];
      // No warning is recorded if the authorization has already expired; the next read will show
      // the expiry.
      if (msOf(command.at) >= msOf(payment.expiresAt)) return [];
      return [{ type: 'AuthorizationExpiring', expiresAt: payment.expiresAt, at: command.at }];
    }
  }
};

/** Whether the refund request would still be open after the command. */
export const leavesRefundOpen = (
  payment: Payment,
  requestId: string,
  command: PaymentCommand,
): boolean => {
  const after = decide(payment, command).reduce(evolve, payment);
  return exists(after) && openRequest(after.refunds)?.requestId === requestId;
};

export const paymentDecider: Decider<Payment, PaymentCommand, PaymentEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};
