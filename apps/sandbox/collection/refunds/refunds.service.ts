import { Injectable } from '@nestjs/common';
import { newId } from '#kernel';
import { conflict } from '../../api/api-error.js';
import { noSuch } from '../../api/ids.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { nextCutOff } from '../../money/bank-days.js';
import { type AccountScope, isSameScope, scopeOf } from '../../storage/account-scope.js';
import { findRow } from '../../storage/by-id.js';
import type { Transaction } from '../../storage/database.js';
import { Store } from '../../storage/store.js';
import type { Unit } from '../../storage/unit.js';
import { lockAggregate, lockPayment } from '../payments/aggregate.js';
import type { PaymentRow } from '../payments/payment-resource.js';
import { paymentMachine } from '../payments/states.js';
import { type RefundRow, REFUNDS } from './refund-resource.js';
import { refundMachine, TAKING_REFUNDS } from './refund-states.js';

const TAKEN = {
  name: 'refunds:taken',
  text: `SELECT coalesce(sum(amount), 0)::bigint AS amount FROM refunds
         WHERE payment_id = $1 AND status = ANY ($2)`,
};
const OF_PAYMENT = {
  name: 'refunds:of-payment',
  text: 'SELECT * FROM refunds WHERE payment_id = $1 ORDER BY created_at DESC, seq DESC',
};
const OF_INTENT = {
  name: 'refunds:of-intent',
  text: `SELECT t.* FROM payments p JOIN refunds t ON t.payment_id = p.id
         WHERE p.intent_id = $1 ORDER BY t.created_at DESC, t.seq DESC`,
};

/** Only an intent can be canceled by the API, and no intent is known of a payment in one call. */
const refuse = ({ status, single_call: singleCall }: PaymentRow): Error => {
  if (paymentMachine.can(status, 'cancel')) {
    const state = status === 'awaiting_bank' ? 'not authorized yet' : status;
    const how = singleCall ? 'cancel it in the User Area' : 'cancel its payment intent';
    return conflict(`Payment is ${state}: ${how} instead of refunding it`);
  }
  if (status === 'disputed')
    return conflict('Payment is disputed: it cannot be refunded, even if the dispute was won');
  return conflict(`Payment is ${status}: there is nothing to refund`);
};

/**
 * Refunds in the API and the User Area. See docs/provider/payments-completion.md#resources. Throws
 * `ApiError`.
 */
@Injectable()
export class Refunds {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
  ) {}

  /**
   * Refunds `amount` minor units of a payment, or the amount not yet refunded. Throws 404 for an
   * unknown payment; 409 before the capture was sent, after the payment has failed, expired or been
   * canceled, and for more than the amount not yet refunded.
   */
  async create(scope: AccountScope, paymentId: string, amount: number | null): Promise<RefundRow> {
    return this.store.decide(async (tx, unit) => {
      const held = await lockPayment(tx, scope, paymentId);
      if (held === null) throw noSuch('paym', paymentId);
      return this.refund(tx, unit, held.payment, amount);
    });
  }

  /** Refunds the latest payment of an intent; throws the same errors as `create`. */
  async createOfIntent(
    scope: AccountScope,
    intentId: string,
    amount: number | null,
  ): Promise<RefundRow> {
    return this.store.decide(async (tx, unit) => {
      const held = await lockAggregate(tx, intentId);
      if (held === null || !isSameScope(held.intent, scope) || held.intent.single_call) {
        throw noSuch('pi', intentId);
      }
      if (held.payment === null) throw conflict('Payment intent has no payment: cancel it instead');
      return this.refund(tx, unit, held.payment, amount);
    });
  }

  async read(scope: AccountScope, id: string): Promise<RefundRow> {
    const row = await findRow(this.store.database, REFUNDS, scope, id);
    if (row === null) throw noSuch('refd', id);
    return row;
  }

  /** The refunds of the payment, newest first. */
  async ofPayment(paymentId: string): Promise<RefundRow[]> {
    return this.store.database.query<RefundRow>(OF_PAYMENT, [paymentId]);
  }

  /** The refunds of all payments of the intent, newest first. */
  async ofIntent(intentId: string): Promise<RefundRow[]> {
    return this.store.database.query<RefundRow>(OF_INTENT, [intentId]);
  }

  /**
   * Marks an open refund manually as dishonored (`dishonor`: the payer's bank rejects the sent
   * refund) or as failed. The amount can then be refunded again. Throws 409 for a completed refund.
   */
  async markFailed(scope: AccountScope, id: string, how: 'dishonor' | 'fail'): Promise<RefundRow> {
    const { payment_id: paymentId } = await this.read(scope, id);
    return this.store.decide(async (tx, unit) => {
      await lockPayment(tx, scope, paymentId);
      const refund = await findRow(tx, REFUNDS, scope, id);
      if (refund === null) throw noSuch('refd', id);
      if (!refundMachine.can(refund.status, how))
        throw conflict(`Refund is ${refund.status}: it cannot fail in this status`);
      const changed = { ...refund, status: refundMachine.next(refund.status, how), due_at: null };
      unit.change(REFUNDS, changed);
      return changed;
    });
  }

  private async refund(
    tx: Transaction,
    unit: Unit,
    payment: PaymentRow,
    asked: number | null,
  ): Promise<RefundRow> {
    const { id: paymentId, status, currency } = payment;
    if (status !== 'capture_sent' && status !== 'captured') throw refuse(payment);
    const [taken] = await tx.query<{ amount: number }>(TAKEN, [paymentId, TAKING_REFUNDS]);
    const left = payment.amount - (taken?.amount ?? 0);
    const amount = asked ?? left;
    if (left === 0) throw conflict('Payment is already refunded');
    if (amount > left) throw conflict(`Payment has only ${left} left to refund`);
    const now = this.clock.now();
    const refund: RefundRow = {
      id: newId('refd'),
      ...scopeOf(payment),
      status: 'to_refund',
      payment_id: paymentId,
      amount,
      currency,
      payout_id: null,
      created_at: now,
      due_at: status === 'captured' ? nextCutOff(now) : null,
    };
    unit.insert(REFUNDS, refund);
    return refund;
  }
}
