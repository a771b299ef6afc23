import { Injectable } from '@nestjs/common';
import { assert, type Instant, newId, plusMs } from '#kernel';
import { isClosed } from '../../storage/closed-accounts.js';
import type { Transaction } from '../../storage/database.js';
import type { Unit } from '../../storage/unit.js';
import { testCardOfScenario } from '../banks/test-values.js';
import type { CardRow } from '../cards/card-resource.js';
import { type Aggregate, customerOf } from './aggregate.js';
import {
  APPROVED,
  AUTHENTICATION_REQUIRED,
  type BankPlan,
  INVALID_MERCHANT,
  planOf,
} from './bank.js';
import type { IntentRow } from './intent-resource.js';
import { newPayment } from './new-payment.js';
import type { FullPayment } from './payment-resource.js';
import { authMachine, intentMachine } from './states.js';
import { type Attempt, AUTH_SESSION_MS, Transitions } from './transitions.js';

/**
 * Makes card attempts on an intent, for the page or the API. Each attempt runs under the intent's
 * lock; the caller has checked that the intent accepts a card now (`acceptsAttempt`).
 */
@Injectable()
export class CardAttempts {
  constructor(private readonly transitions: Transitions) {}

  /**
   * Starts one attempt. Abandons an earlier attempt for which the bank still awaits the payer's
   * decision. The new attempt then waits for the payer's decision (`auth_session_id`), or already
   * has the bank's response (`response`).
   */
  async begin(
    tx: Transaction,
    unit: Unit,
    held: Aggregate,
    card: CardRow,
    now: Instant,
  ): Promise<Attempt> {
    const intent = this.transitions.free(unit, held, now);
    const plan = planOf(intent, card, { now, closed: await isClosed(tx, intent) });
    const customer = await customerOf(tx, intent);
    const made = newPayment(intent, { method: 'card', card }, customer, now);
    const payment = this.authenticated(made, intent, plan, now);
    this.transitions.addPaymentEvent(unit, 'payment.created', payment, now);
    const status = plan.authenticate
      ? intentMachine.next(intent.status, 'request_authentication')
      : intent.status;
    const attempt = {
      intent: { ...intent, status, card_id: card.id, payment_id: payment.id },
      payment,
    };
    this.transitions.begin(unit, attempt);
    if (!plan.authenticate) return this.transitions.authorize(unit, attempt, plan.response, now);
    this.transitions.addEvents(
      unit,
      attempt,
      { intent: 'request_authentication', payment: null },
      now,
    );
    return attempt;
  }

  /** Applies the payer's decision at the bank; the bank itself may still decline. */
  async decide(
    tx: Transaction,
    unit: Unit,
    attempt: Attempt,
    decision: 'approve' | 'refuse',
    now: Instant,
  ): Promise<Attempt> {
    const { auth_status: auth } = attempt.payment;
    assert(auth !== null, 'a decision needs a 3-D Secure session');
    const payment = { ...attempt.payment, auth_status: authMachine.next(auth, decision) };
    const decided = { intent: attempt.intent, payment };
    if (decision === 'refuse') {
      return this.transitions.refuse(unit, decided, AUTHENTICATION_REQUIRED, now);
    }
    const closed = await isClosed(tx, attempt.intent);
    const response = closed ? INVALID_MERCHANT : responseOf(payment);
    return this.transitions.authorize(unit, decided, response, now);
  }

  private authenticated(
    payment: FullPayment,
    intent: IntentRow,
    plan: BankPlan,
    now: Instant,
  ): FullPayment {
    if (!plan.authenticate) {
      const notEnrolled = plan.testCard?.threeds === 'not_enrolled';
      return notEnrolled ? { ...payment, auth_status: 'unavailable' } : payment;
    }
    const until = plusMs(now, AUTH_SESSION_MS);
    return {
      ...payment,
      auth_status: authMachine.next('available', 'request'),
      auth_session_id: newId('auth'),
      auth_return_url: intent.return_url,
      auth_expires_at: until,
      due_at: until,
    };
  }
}

/** The bank's response for an authenticated card, by its scenario. */
const responseOf = (payment: FullPayment): string =>
  testCardOfScenario(payment.card?.scenario ?? '')?.response ?? APPROVED;
