import { assert, DAY_MS, HOUR_MS } from '#kernel';
import { nextCutOff, nextMorning, secondBankDay } from './clearing-days.js';
import {
  intentAnswer,
  latestOf,
  paymentAnswer,
  type Scenario,
  type SimulatedAttempt,
  type SimulatedDispute,
  type SimulatedIntent,
  type SimulatedRefund,
} from './intent.js';

const AUTHORIZATION_MS = 7 * DAY_MS;
const BANK_SESSION_MS = 6 * HOUR_MS;
const APPROVED = '00';

/** Thrown when the provider refuses a request. A refused request has no effect. */
export class Refused extends Error {
  constructor(
    readonly status: 404 | 409 | 422,
    message: string,
  ) {
    super(message);
  }
}

const TAKES_ATTEMPT = ['require_payment_method', 'require_authentication'];
const CANCELABLE = [
  ...TAKES_ATTEMPT,
  'require_authorization',
  'authorized',
  'to_capture',
  'processing',
];
const OPEN_REFUNDS = ['to_refund', 'refund_sent', 'refunded'];

/** A webhook's type and the object's state at the time of the event. */
export interface ProviderEvent {
  readonly accountId: string;
  readonly type: string;
  readonly data: object;
}

interface Due {
  readonly atMs: number;
  /** Whether the planned step no longer applies and must be skipped. */
  readonly isMoot: () => boolean;
  readonly act: () => void;
}

/**
 * A simple provider in memory. It has the state machines of intents, payments, refunds and disputes
 * in the provider's specification. Some steps, such as clearing, happen at planned times. A
 * contract spec compares it with the sandbox.
 */
export class SimulatedProvider {
  readonly intents: SimulatedIntent[] = [];
  private readonly due: Due[] = [];
  /** The planned time of the step that is running. The clock may already be later. */
  private dueMs: number | null = null;
  private made = 0;

  constructor(
    private readonly clockMs: () => number,
    private readonly emit: (event: ProviderEvent) => void,
  ) {}

  /** The time of the next planned step, or `null`. */
  nextDueMs(): number | null {
    while (this.due[0]?.isMoot()) this.due.shift();
    return this.due[0]?.atMs ?? null;
  }

  /** Executes the next planned step if it is due; returns whether one was due. */
  stepDue(): boolean {
    const dueMs = this.nextDueMs();
    const [next] = this.due;
    if (dueMs === null || next === undefined || dueMs > this.clockMs()) return false;
    this.due.shift();
    this.dueMs = next.atMs;
    next.act();
    this.dueMs = null;
    return true;
  }

  private nowMs(): number {
    return this.dueMs ?? this.clockMs();
  }

  create({
    accountId,
    amount,
    currency,
    orderId,
    uniqueId,
  }: Pick<
    SimulatedIntent,
    'accountId' | 'amount' | 'currency' | 'orderId' | 'uniqueId'
  >): SimulatedIntent {
    const isUsed = this.intents.some(
      (one) => one.uniqueId === uniqueId && one.accountId === accountId && !one.isForgotten,
    );
    if (uniqueId !== null && isUsed) {
      throw new Refused(409, `unique_id ${uniqueId} is already used`);
    }
    const intent: SimulatedIntent = {
      id: this.newId('pi'),
      accountId,
      amount,
      currency,
      orderId,
      uniqueId,
      createdMs: this.nowMs(),
      status: 'require_payment_method',
      isForgotten: false,
      attempts: [],
      refunds: [],
      disputes: [],
    };
    this.intents.push(intent);
    this.emitIntent('created', intent);
    return intent;
  }

  intent(id: string): SimulatedIntent {
    const found = this.find(id);
    if (found === null) throw new Refused(404, `Payment intent ${id} not found`);
    return found;
  }

  find(id: string): SimulatedIntent | null {
    return this.intents.find((one) => one.id === id && !one.isForgotten) ?? null;
  }

  /** The latest intent of our payment. A payment has several if the provider has deleted one. */
  intentOf(paymentId: string): SimulatedIntent | null {
    return this.intents.findLast(({ orderId }) => orderId === paymentId) ?? null;
  }

  /**
   * Deletes an intent without a webhook. If the intent's capture was not sent yet, the intent is
   * never captured; otherwise its money was or will be collected.
   */
  forgetAfter(intent: SimulatedIntent, ms: number, onForgotten: () => void): void {
    this.at(this.nowMs() + ms, () => {
      intent.isForgotten = true;
      onForgotten();
      if (!CANCELABLE.includes(intent.status)) return;
      intent.status = 'canceled';
      const attempt = latestOf(intent);
      const isOpen = [null, 'authorized', 'to_capture'].includes(attempt?.status ?? null);
      if (attempt !== undefined && isOpen) attempt.status = 'canceled';
    });
  }

  capture(intent: SimulatedIntent): void {
    if (['to_capture', 'capture_sent', 'captured'].includes(intent.status)) return;
    const attempt = latestOf(intent);
    if (intent.status !== 'authorized' || attempt === undefined) {
      throw new Refused(409, `Payment intent is ${intent.status}`);
    }
    this.move(intent, attempt, 'to_capture');
    this.emitPayment('to_captured', intent, attempt);
    this.at(nextCutOff(this.nowMs()), () => this.send(intent, attempt));
  }

  cancel(intent: SimulatedIntent): void {
    if (intent.status === 'canceled') return;
    if (!CANCELABLE.includes(intent.status)) {
      throw new Refused(409, `Payment intent is ${intent.status}`);
    }
    const attempt = latestOf(intent);
    intent.status = 'canceled';
    if (attempt && [null, 'authorized', 'to_capture'].includes(attempt.status)) {
      attempt.status = 'canceled';
      this.emitPayment('updated', intent, attempt);
    }
    this.emitIntent('updated', intent);
  }

  /** Requests a refund; `honored` says whether the payer's bank will accept the refund. */
  refund(intent: SimulatedIntent, amount: number, honored = true): SimulatedRefund {
    const attempt = latestOf(intent);
    if (attempt === undefined || !['capture_sent', 'captured'].includes(attempt.status ?? '')) {
      throw new Refused(409, `Payment is ${attempt?.status ?? 'missing'}`);
    }
    const left = intent.amount - this.refundedOf(intent, OPEN_REFUNDS);
    if (amount > left) throw new Refused(409, `Payment has only ${left} left to refund`);
    const refund: SimulatedRefund = {
      id: this.newId('refd'),
      amount,
      createdMs: this.nowMs(),
      status: 'to_refund',
      honored,
    };
    intent.refunds.push(refund);
    if (attempt.status === 'captured') this.sendRefundAt(nextCutOff(this.nowMs()), refund);
    return refund;
  }

  /** The payer enters a card; the bank then authenticates the payer. */
  beginCard(intent: SimulatedIntent): SimulatedAttempt {
    const attempt = this.newAttempt(intent, 'card', null);
    intent.status = 'require_authentication';
    this.emitPayment('created', intent, attempt);
    this.at(
      this.nowMs() + BANK_SESSION_MS,
      () => {
        this.endAttempt(intent, attempt, 'failed', '68');
        this.emitPayment('updated', intent, attempt);
      },
      () => attempt.status !== null,
    );
    return attempt;
  }

  /** Applies the bank's response to an attempt; does nothing if the attempt has already ended. */
  decide(
    intent: SimulatedIntent,
    attempt: SimulatedAttempt,
    response: string,
    scenario: Scenario | null = null,
  ): void {
    if (attempt.status !== null) return;
    if (response !== APPROVED) {
      this.endAttempt(intent, attempt, 'refused', response);
      this.emitPayment('refused', intent, attempt);
      return;
    }
    this.scenarios.set(attempt, scenario);
    attempt.response = response;
    attempt.expiresMs = this.nowMs() + AUTHORIZATION_MS;
    this.move(intent, attempt, 'authorized');
    this.emitPayment('authorized', intent, attempt);
    this.emitIntent('authorized', intent);
    this.at(
      attempt.expiresMs,
      () => {
        attempt.status = 'expired';
        intent.status = 'unpaid';
        this.emitPayment('updated', intent, attempt);
        this.emitIntent('updated', intent);
      },
      () => attempt.status !== 'authorized',
    );
  }

  /** Starts a direct debit under a signed mandate; the bank may refuse it immediately. */
  debit(
    intent: SimulatedIntent,
    mandateId: string,
    response: string,
    scenario: Scenario | null,
  ): void {
    const attempt = this.newAttempt(intent, 'sepa', mandateId);
    this.emitPayment('created', intent, attempt);
    if (response !== APPROVED) {
      this.endAttempt(intent, attempt, 'refused', response);
      this.emitPayment('refused', intent, attempt);
      return;
    }
    this.scenarios.set(attempt, scenario);
    attempt.response = response;
    attempt.status = 'to_capture';
    intent.status = 'processing';
    this.emitPayment('to_captured', intent, attempt);
    this.emitIntent('updated', intent);
    this.at(nextCutOff(this.nowMs()), () => this.send(intent, attempt));
  }

  takesAttempt({ status }: SimulatedIntent): boolean {
    return TAKES_ATTEMPT.includes(status);
  }

  private readonly scenarios = new WeakMap<SimulatedAttempt, Scenario | null>();

  private newAttempt(
    intent: SimulatedIntent,
    method: 'card' | 'sepa',
    mandateId: string | null,
  ): SimulatedAttempt {
    if (!this.takesAttempt(intent)) throw new Refused(409, `Payment intent is ${intent.status}`);
    const before = latestOf(intent);
    if (before?.status === null) {
      this.endAttempt(intent, before, 'failed', '17');
      this.emitPayment('updated', intent, before);
    }
    const attempt: SimulatedAttempt = {
      id: this.newId('paym'),
      status: null,
      response: null,
      method,
      mandateId,
      createdMs: this.nowMs(),
      expiresMs: null,
    };
    intent.attempts.push(attempt);
    return attempt;
  }

  private endAttempt(
    intent: SimulatedIntent,
    attempt: SimulatedAttempt,
    status: string,
    response: string,
  ): void {
    Object.assign(attempt, { status, response });
    intent.status = 'require_payment_method';
  }

  /** Sends a capture to the bank at the cut-off, unless the payment was canceled before. */
  private send(intent: SimulatedIntent, attempt: SimulatedAttempt): void {
    if (attempt.status !== 'to_capture') return;
    this.move(intent, attempt, 'capture_sent');
    const settlesAt = attempt.method === 'sepa' ? secondBankDay : nextMorning;
    this.at(settlesAt(this.nowMs()), () => this.settle(intent, attempt));
  }

  private settle(intent: SimulatedIntent, attempt: SimulatedAttempt): void {
    const scenario = this.scenarios.get(attempt);
    if (attempt.method === 'sepa' && scenario?.returned) {
      intent.status = 'unpaid';
      Object.assign(attempt, { status: 'refused', response: scenario.returned });
      this.failUnsentRefunds(intent);
      this.emitPayment('refused', intent, attempt);
      this.emitIntent('updated', intent);
      return;
    }
    this.move(intent, attempt, 'captured');
    for (const refund of intent.refunds) {
      if (refund.status === 'to_refund') this.sendRefundAt(nextCutOff(this.nowMs()), refund);
    }
    const disputed = scenario?.disputed;
    if (disputed) {
      this.at(this.nowMs() + disputed.afterMs, () => this.dispute(intent, attempt, disputed));
    }
  }

  /**
   * The payer disputes the amount that has not been refunded; a refund that is requested but not
   * sent yet is canceled.
   */
  private dispute(
    intent: SimulatedIntent,
    attempt: SimulatedAttempt,
    { response, decided }: NonNullable<Scenario['disputed']>,
  ): void {
    this.failUnsentRefunds(intent);
    const left = intent.amount - this.refundedOf(intent, ['refund_sent', 'refunded']);
    if (left === 0 || attempt.status !== 'captured') return;
    const isReturn = attempt.method === 'sepa';
    attempt.status = 'disputed';
    const dispute: SimulatedDispute = {
      id: this.newId('dspt'),
      amount: left,
      response,
      createdMs: this.nowMs(),
      type: isReturn ? 'sepa_return' : 'chargeback',
      status: isReturn ? 'not_contestable' : 'open',
    };
    intent.disputes.push(dispute);
    if (isReturn || decided === undefined) return;
    this.at(this.nowMs() + decided.afterMs, () => {
      dispute.status = decided.status;
    });
  }

  private failUnsentRefunds({ refunds }: SimulatedIntent): void {
    for (const refund of refunds) if (refund.status === 'to_refund') refund.status = 'failed';
  }

  private sendRefundAt(ms: number, refund: SimulatedRefund): void {
    this.at(ms, () => {
      if (refund.status !== 'to_refund') return;
      refund.status = 'refund_sent';
      this.at(nextMorning(ms), () => {
        refund.status = refund.honored ? 'refunded' : 'not_honored';
      });
    });
  }

  private refundedOf({ refunds }: SimulatedIntent, statuses: readonly string[]): number {
    return refunds
      .filter(({ status }) => statuses.includes(status))
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  private move(intent: SimulatedIntent, attempt: SimulatedAttempt, status: string): void {
    intent.status = status;
    attempt.status = status;
  }

  /** Plans a step; steps due at the same instant happen in the order in which they were planned. */
  private at(atMs: number, act: () => void, isMoot = (): boolean => false): void {
    assert(atMs >= this.nowMs(), 'a step is planned for the future');
    const index = this.due.findIndex((one) => one.atMs > atMs);
    this.due.splice(index === -1 ? this.due.length : index, 0, { atMs, act, isMoot });
  }

  private newId(prefix: string): string {
    this.made += 1;
    return `${prefix}_${String(this.made).padStart(24, 'A')}`;
  }

  private emitIntent(event: string, intent: SimulatedIntent): void {
    const { accountId } = intent;
    this.emit({ accountId, type: `payment_intent.${event}`, data: intentAnswer(intent) });
  }

  private emitPayment(event: string, intent: SimulatedIntent, attempt: SimulatedAttempt): void {
    const { accountId } = intent;
    this.emit({ accountId, type: `payment.${event}`, data: paymentAnswer(intent, attempt) });
  }
}
