import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, plusMs } from '#kernel';
import { nextCutOff } from '../../money/bank-days.js';
import { partOf } from '../../storage/table.js';
import type { Unit } from '../../storage/unit.js';
import type { Aggregate } from './aggregate.js';
import { INTENTS } from './intent-resource.js';
import { type FullPayment, type PaymentRow, PAYMENTS } from './payment-resource.js';
import type { PaymentResources } from './payment-resources.js';
import {
  authMachine,
  intentMachine,
  type IntentMove,
  paymentMachine,
  type PaymentMove,
} from './states.js';
import {
  INTENT_EVENTS,
  type IntentEvent,
  PAYMENT_EVENTS,
  type PaymentEvent,
} from './step-events.js';

/**
 * How long an authorization can be captured before it expires. See
 * docs/provider/payments.md#limits.
 */
export const AUTHORIZATION_MS = 7 * DAY_MS;
/** The lifetime of a 3-D Secure session. See docs/provider/payments.md#limits. */
export const AUTH_SESSION_MS = 6 * HOUR_MS;
/**
 * How long the payment waits for the browser's confirmation. See
 * docs/provider/payments-completion.md#states.
 */
export const PAGE_SESSION_MS = 15 * MINUTE_MS;

/**
 * Updates only the columns that a transition changes, because rows of intents and payments are
 * long; the other columns change only by PATCH.
 */
const MOVED_INTENTS = partOf(INTENTS, 'im', 'status', 'payment_id', 'card_id', 'sepa_id');
const MOVED_PAYMENTS = partOf(
  PAYMENTS,
  'pm',
  'status',
  'response',
  'auth_status',
  'auth_left_at',
  'authorized_at',
  'confirm_until',
  'due_at',
);

/**
 * The response codes of an attempt that ends without the bank's response. See
 * docs/provider/payments.md#payment-response-codes.
 */
const TOO_LATE = '68';
const CUSTOMER_CANCELLATION = '17';

/** An intent and the payment attempt that a transition changes. */
export interface Attempt {
  readonly intent: Aggregate['intent'];
  readonly payment: FullPayment;
}

/** Whether the payment has expired, even if the expiry has not been processed yet. */
export const isOverdue = ({ due_at: dueAt }: PaymentRow, now: Instant): boolean =>
  dueAt !== null && dueAt <= now;

/**
 * Writes every change of an intent and its payment into a unit of work, with its events. The state
 * machines must allow the change: callers check `can` first, under the intent's lock.
 */
export class Transitions {
  constructor(private readonly resources: PaymentResources) {}

  /** Starts a new attempt, which becomes the intent's latest attempt. */
  begin(unit: Unit, { intent, payment }: Attempt): void {
    unit.change(MOVED_INTENTS, intent);
    unit.insert(PAYMENTS, payment);
  }

  /** Writes the given intent and payment without events. */
  keep(unit: Unit, { intent, payment }: Attempt): void {
    unit.change(MOVED_INTENTS, intent);
    unit.change(MOVED_PAYMENTS, payment);
  }

  /**
   * Applies the bank's response: `00` authorizes the amount, any other code lets the payer retry.
   */
  authorize(unit: Unit, attempt: Attempt, response: string, now: Instant): Attempt {
    const asked = intentMachine.next(attempt.intent.status, 'request_authorization');
    const intent = { ...attempt.intent, status: asked };
    const answered = { intent, payment: { ...attempt.payment, response } };
    return response === '00'
      ? this.approve(unit, answered, now)
      : this.refuse(unit, answered, response, now);
  }

  /** Marks the attempt as refused, by the bank or by the payer at the bank. */
  refuse(unit: Unit, { intent, payment }: Attempt, response: string, now: Instant): Attempt {
    const changed = {
      intent: { ...intent, status: intentMachine.next(intent.status, 'refuse') },
      payment: {
        ...payment,
        response,
        due_at: null,
        status: paymentMachine.next(payment.status, 'refuse'),
      },
    };
    this.keep(unit, changed);
    this.addEvents(unit, changed, { intent: 'refuse', payment: 'refuse' }, now);
    return changed;
  }

  /**
   * Prepares an intent for a new attempt: abandons an attempt for which the bank still awaits the
   * payer's decision. Returns the intent.
   */
  free(unit: Unit, { intent, payment }: Aggregate, now: Instant): Aggregate['intent'] {
    if (intent.status !== 'require_authentication' || payment === null) return intent;
    return this.abandon(unit, { intent, payment }, 'give_up', now).intent;
  }

  /**
   * Ends an attempt for which the bank awaits the payer's decision; the payer may retry. The reason
   * is in `response` (docs/provider/payments.md#payment-status).
   */
  abandon(unit: Unit, attempt: Attempt, how: 'expire' | 'give_up', now: Instant): Attempt {
    const { intent, payment } = attempt;
    const move = how === 'expire' ? 'time_out' : 'give_up';
    const changed = {
      intent: { ...intent, status: intentMachine.next(intent.status, move) },
      payment: {
        ...payment,
        status: paymentMachine.next(payment.status, 'fail'),
        response: how === 'expire' ? TOO_LATE : CUSTOMER_CANCELLATION,
        auth_status: authMachine.next(payment.auth_status ?? 'unavailable', how),
        due_at: null,
      },
    };
    this.keep(unit, changed);
    this.addEvents(unit, changed, { intent: move, payment: 'fail' }, now);
    return changed;
  }

  /** Records that the payer has arrived at the bank and has not decided yet. */
  arrive(unit: Unit, { payment }: Attempt, now: Instant): void {
    unit.change(MOVED_PAYMENTS, payment);
    this.addPaymentEvent(unit, 'payment.updated', payment, now);
  }

  /**
   * Records when the payer left the bank without a decision; null: the payer has returned. No event
   * is sent, because the API does not return this time.
   */
  setLeft(unit: Unit, { payment }: Attempt, leftAt: Instant | null): void {
    unit.change(MOVED_PAYMENTS, { ...payment, auth_left_at: leftAt });
  }

  /**
   * Publishes an authorization, because the payer's flow was completed without interruption, or was
   * without a payer; an automatic capture follows. The merchant is not notified of an authorization
   * that is not confirmed (docs/provider/payments.md#online-payment-flow-with-3d-secure-authorization-then-capture).
   */
  confirm(unit: Unit, { intent, payment }: Attempt, now: Instant): Attempt {
    const confirmed = { intent, payment: { ...payment, confirm_until: null } };
    unit.change(MOVED_PAYMENTS, confirmed.payment);
    this.addEvents(unit, confirmed, { intent: 'approve', payment: 'approve' }, now);
    if (!intent.capture) return confirmed;
    const captured = this.capture(unit, confirmed, now);
    this.addPaymentEvent(unit, 'payment.succeeded', captured.payment, now);
    return captured;
  }

  /** Requests the capture: the amount is debited at the next cut-off. */
  capture(unit: Unit, { intent, payment }: Attempt, now: Instant): Attempt {
    const changed = {
      intent: { ...intent, status: intentMachine.next(intent.status, 'capture') },
      payment: {
        ...payment,
        status: paymentMachine.next(payment.status, 'capture'),
        confirm_until: null,
        due_at: nextCutOff(now),
      },
    };
    this.keep(unit, changed);
    this.addEvents(unit, changed, { intent: 'capture', payment: 'capture' }, now);
    return changed;
  }

  /** Ends the intent; an open attempt ends too, and its authorization is released. */
  cancel(unit: Unit, { intent, payment }: Aggregate, now: Instant): Aggregate {
    const open = payment !== null && paymentMachine.can(payment.status, 'cancel');
    const changed = {
      intent: { ...intent, status: intentMachine.next(intent.status, 'cancel') },
      payment: open ? this.cancelPayment(payment) : payment,
    };
    unit.change(MOVED_INTENTS, changed.intent);
    if (open && changed.payment !== null) unit.change(MOVED_PAYMENTS, changed.payment);
    this.addEvents(unit, changed, { intent: 'cancel', payment: open ? 'cancel' : null }, now);
    return changed;
  }

  /** Expires an authorization that was not captured within seven days. */
  expire(unit: Unit, { intent, payment }: Attempt, now: Instant): Attempt {
    const changed = {
      intent: { ...intent, status: intentMachine.next(intent.status, 'expire') },
      payment: {
        ...payment,
        status: paymentMachine.next(payment.status, 'expire'),
        confirm_until: null,
        due_at: null,
      },
    };
    this.keep(unit, changed);
    this.addEvents(unit, changed, { intent: 'expire', payment: 'expire' }, now);
    return changed;
  }

  /**
   * Marks a direct debit as returned: the debtor's bank returns the debit instead of settling it.
   */
  returnDebit(unit: Unit, { intent, payment }: Attempt, response: string, now: Instant): Attempt {
    const changed = {
      intent: { ...intent, status: intentMachine.next(intent.status, 'return') },
      payment: {
        ...payment,
        response,
        status: paymentMachine.next(payment.status, 'return'),
        due_at: null,
      },
    };
    this.keep(unit, changed);
    this.addEvents(unit, changed, { intent: 'return', payment: 'return' }, now);
    return changed;
  }

  /**
   * Adds the event of the intent's transition and the event of the payment's transition; null: the
   * object makes no transition.
   */
  addEvents(
    unit: Unit,
    { intent, payment }: Aggregate,
    moves: { readonly intent: IntentMove; readonly payment: PaymentMove | null },
    now: Instant,
  ): void {
    const paymentEvent = moves.payment === null ? null : PAYMENT_EVENTS[moves.payment];
    if (payment !== null && paymentEvent !== null) {
      this.addPaymentEvent(unit, paymentEvent, payment, now);
    }
    const intentEvent = INTENT_EVENTS[moves.intent];
    if (intentEvent !== null) this.addIntentEvent(unit, intentEvent, intent, now);
  }

  addPaymentEvent(unit: Unit, type: PaymentEvent, payment: FullPayment, now: Instant): void {
    unit.addEvent(type, payment, this.resources.payment(payment), now);
  }

  /**
   * Adds an event of the intent; the hidden intent of a payment created in one call has no events.
   */
  addIntentEvent(unit: Unit, type: IntentEvent, intent: Aggregate['intent'], now: Instant): void {
    if (intent.single_call) return;
    unit.addEvent(type, intent, this.resources.intent(intent), now);
  }

  /** Sends no event: `confirm` does. */
  private approve(unit: Unit, { intent, payment }: Attempt, now: Instant): Attempt {
    const changed = {
      intent: { ...intent, status: intentMachine.next(intent.status, 'approve') },
      payment: {
        ...payment,
        status: paymentMachine.next(payment.status, 'approve'),
        authorized_at: now,
        confirm_until: plusMs(now, PAGE_SESSION_MS),
        due_at: plusMs(now, AUTHORIZATION_MS),
      },
    };
    this.keep(unit, changed);
    return changed;
  }

  private cancelPayment(payment: FullPayment): FullPayment {
    const { auth_status: auth } = payment;
    const authOpen = auth !== null && authMachine.can(auth, 'give_up');
    return {
      ...payment,
      status: paymentMachine.next(payment.status, 'cancel'),
      auth_status: authOpen ? authMachine.next(auth, 'give_up') : auth,
      confirm_until: null,
      due_at: null,
    };
  }
}
