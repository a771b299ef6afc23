import { Injectable } from '@nestjs/common';
import { assert, type Instant, newId, plusMs } from '#kernel';
import type { Transaction } from '../../storage/database.js';
import type { Unit } from '../../storage/unit.js';
import { testCardOfScenario } from '../banks/test-values.js';
import type { CardRow } from '../cards/card-resource.js';
import { type Aggregate, customerOf } from './aggregate.js';
import { APPROVED, AUTHENTICATION_REQUIRED, type BankPlan, planOf } from './bank.js';
import type { IntentRow } from './intent-resource.js';
import { newPayment } from './new-payment.js';
import type { FullPayment } from './payment-resource.js';
import { authMachine, intentMachine } from './states.js';
import { type Attempt, AUTH_SESSION_MS, Transitions } from './transitions.js';

/**
 * Attempts to pay an intent with a card, by the page or by the API. Each is made under the intent's
 * lock; whoever asks has made sure that the intent takes a card now (`takesAttempt`).
 */
@Injectable()
export class CardAttempts {
  constructor(private readonly transitions: Transitions) {}

  /**
   * One attempt; a bank session still open from an attempt before is given up. The payment then
   * waits for its payer at the bank (`auth_session_id`), or the bank has answered (`response`).
   */
  async begin(
    tx: Transaction,
    unit: Unit,
    held: Aggregate,
    card: CardRow,
    now: Instant,
  ): Promise<Attempt> {
    const intent = this.transitions.free(unit, held, now);
    const plan = planOf(intent, card);
    const customer = await customerOf(tx, intent);
    const made = newPayment(intent, { method: 'card', card }, customer, now);
    const payment = this.authenticated(made, intent, plan, now);
    this.transitions.tellPayment(unit, 'payment.created', payment, now);
    const status = plan.authenticate
      ? intentMachine.next(intent.status, 'ask_authentication')
      : intent.status;
    const attempt = { intent: { ...intent, status, payment_id: payment.id }, payment };
    this.transitions.begin(unit, attempt);
    if (!plan.authenticate) return this.transitions.authorize(unit, attempt, plan.response, now);
    this.transitions.tellStep(unit, attempt, { intent: 'ask_authentication', payment: null }, now);
    return attempt;
  }

  /** What the payer decided at the bank; the bank itself may still say no. */
  decide(unit: Unit, attempt: Attempt, decision: 'approve' | 'refuse', now: Instant): Attempt {
    const { auth_status: auth } = attempt.payment;
    assert(auth !== null, 'only at the bank something is decided');
    const payment = { ...attempt.payment, auth_status: authMachine.next(auth, decision) };
    const decided = { intent: attempt.intent, payment };
    return decision === 'approve'
      ? this.transitions.authorize(unit, decided, responseOf(payment), now)
      : this.transitions.refuse(unit, decided, AUTHENTICATION_REQUIRED, now);
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

/** What the bank answers for a card that has already been authenticated: by its scenario. */
const responseOf = (payment: FullPayment): string =>
  testCardOfScenario(payment.card?.scenario ?? '')?.response ?? APPROVED;
