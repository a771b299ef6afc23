import { Injectable } from '@nestjs/common';
import { DAY_MS, earlier, HOUR_MS, type Instant, plusMs } from '#kernel';
import { nextMorning } from '../../money/bank-days.js';
import { isClosed } from '../../storage/closed-accounts.js';
import type { Transaction } from '../../storage/database.js';
import type { EventType } from '../../storage/event-types.js';
import type { Unit } from '../../storage/unit.js';
import type { PriceRow } from '../products/price-resource.js';
import { Collection, type SubscriptionDebit } from './collection.js';
import { periodAt } from './periods.js';
import { type NoPlan, type Plan, planOf } from './plan.js';
import { type SubscriptionRow, SUBSCRIPTIONS } from './subscription-resource.js';
import { subscriptionMachine } from './subscription-states.js';

/**
 * The delays before each retry of a missed payment; after the last retry the subscription is
 * `unpaid`.
 */
const RETRY_AFTER_MS = [1 * DAY_MS, 3 * DAY_MS, 5 * DAY_MS] as const;
/**
 * How long a subscription stays `past_due` after a returned debit, which is not retried: the same
 * time that all retries of a card payment take together.
 */
const RETURN_GRACE_MS = 9 * DAY_MS;

const PRICES_OF = { name: 'subscription:prices', text: 'SELECT * FROM prices WHERE id = ANY($1)' };

/**
 * Collects the payments of a subscription and applies their results. Runs under the lock of the
 * subscription's row, and adds the events.
 */
@Injectable()
export class Billing {
  constructor(private readonly collection: Collection) {}

  /**
   * Computes the amounts of a subscription. Includes deleted prices, which existing subscriptions
   * keep paying.
   */
  async planFor(tx: Transaction, row: Pick<SubscriptionRow, 'items'>): Promise<Plan | NoPlan> {
    const ids = [...new Set(row.items.map(({ price }) => price))];
    return planOf(row.items, await tx.query<PriceRow>(PRICES_OF, [ids]));
  }

  /**
   * Collects the amount due now: the first payment, which includes all one-time prices, or the
   * amount of the current period.
   */
  async pay(
    tx: Transaction,
    unit: Unit,
    row: SubscriptionRow,
    now: Instant,
  ): Promise<SubscriptionRow> {
    const plan = await this.planFor(tx, row);
    // The prices have changed and can no longer be billed in one payment.
    if ('problem' in plan) return this.miss(unit, row, now);
    const once = row.status === 'incomplete' ? plan.onceMinor : 0;
    const sum = { amountMinor: plan.eachMinor + once, currency: plan.currency };
    const { paid, paymentId } = await this.collection.collect(tx, unit, row, sum, now);
    if (paymentId === null)
      return paid ? this.paid(unit, row, plan, now) : this.miss(unit, row, now);
    const kept = await this.unhandledDebits(tx, row);
    if (!paid) return this.miss(unit, { ...row, debit_ids: kept }, now);
    const debit_ids = row.card_id === null ? [...kept, paymentId] : kept;
    return this.paid(unit, { ...row, debit_ids }, plan, now);
  }

  /**
   * Executes the timed step of a subscription at its `due_at`. The step of a closed account cancels
   * the subscription.
   */
  async due(
    tx: Transaction,
    unit: Unit,
    row: SubscriptionRow,
    now: Instant,
  ): Promise<SubscriptionRow> {
    if (await isClosed(tx, row)) return this.cancel(unit, row, now);
    const debits = await this.collection.openDebits(tx, row);
    const returned = debits.find(({ is_returned: isReturned }) => isReturned);
    if (returned !== undefined) return this.afterReturn(tx, unit, row, returned, now);
    const paidUntil = row.period_end;
    if (row.status === 'active' && (paidUntil === null || now < paidUntil)) {
      const debit_ids = debits.map(({ id }) => id);
      const due_at = this.nextCheckAt(debit_ids, paidUntil, now);
      return this.save(unit, { ...row, debit_ids, due_at });
    }
    return this.pay(tx, unit, row, now);
  }

  cancel(unit: Unit, row: SubscriptionRow, now: Instant): SubscriptionRow {
    const status = subscriptionMachine.next(row.status, 'cancel');
    const canceled = this.save(unit, { ...row, status, due_at: null });
    this.addEvent(unit, 'subscription.canceled', canceled, now);
    return canceled;
  }

  save(unit: Unit, row: SubscriptionRow): SubscriptionRow {
    unit.change(SUBSCRIPTIONS, row);
    return row;
  }

  addEvent(
    unit: Unit,
    type: Extract<EventType, `subscription.${string}`>,
    row: SubscriptionRow,
    now: Instant,
  ): void {
    unit.addEvent(type, row, SUBSCRIPTIONS.wire(row), now);
  }

  /**
   * Records a payment. A payment that resumes the subscription sends an event; an ordinary renewal
   * sends none.
   */
  private paid(unit: Unit, row: SubscriptionRow, { every }: Plan, now: Instant): SubscriptionRow {
    const period = every === null ? null : periodAt(row.created_at, every, now);
    const periodEnd = period?.end ?? null;
    const active = this.save(unit, {
      ...row,
      status: subscriptionMachine.next(row.status, 'pay'),
      refusals: 0,
      period_start: period?.start ?? null,
      period_end: periodEnd,
      due_at: this.nextCheckAt(row.debit_ids, periodEnd, now),
    });
    if (row.status === 'incomplete') this.addEvent(unit, 'subscription.updated', active, now);
    else if (row.status !== 'active') this.addEvent(unit, 'subscription.resumed', active, now);
    return active;
  }

  /**
   * Records a missed payment. The change to `unpaid` has no event: clients poll. See
   * docs/provider/payments-completion.md#events.
   */
  private miss(unit: Unit, row: SubscriptionRow, now: Instant): SubscriptionRow {
    const missed = { ...row, refusals: row.refusals + 1, due_at: null };
    if (!subscriptionMachine.can(row.status, 'miss')) return this.save(unit, missed);
    const retryAfterMs = RETRY_AFTER_MS[row.refusals];
    if (retryAfterMs === undefined) return this.giveUp(unit, missed);
    return this.pastDue(unit, row, { ...missed, due_at: plusMs(now, retryAfterMs) }, now);
  }

  /**
   * After a returned debit, charges the subscription only if its card or bank account has been
   * replaced since then.
   */
  private async afterReturn(
    tx: Transaction,
    unit: Unit,
    row: SubscriptionRow,
    debit: SubscriptionDebit,
    now: Instant,
  ): Promise<SubscriptionRow> {
    if (debit.sepa_id !== row.sepa_id) return this.pay(tx, unit, row, now);
    return row.status === 'active' ? this.afterFirstReturn(unit, row, now) : this.giveUp(unit, row);
  }

  private afterFirstReturn(unit: Unit, row: SubscriptionRow, now: Instant): SubscriptionRow {
    const returned = { ...row, refusals: row.refusals + 1, due_at: plusMs(now, RETURN_GRACE_MS) };
    return this.pastDue(unit, row, returned, now);
  }

  private pastDue(
    unit: Unit,
    before: SubscriptionRow,
    missed: SubscriptionRow,
    now: Instant,
  ): SubscriptionRow {
    const status = subscriptionMachine.next(before.status, 'miss');
    const late = this.save(unit, { ...missed, status });
    if (before.status !== status) this.addEvent(unit, 'subscription.past_due', late, now);
    return late;
  }

  private giveUp(unit: Unit, row: SubscriptionRow): SubscriptionRow {
    const status = subscriptionMachine.next(row.status, 'give_up');
    return this.save(unit, { ...row, status, due_at: null });
  }

  /**
   * The debits that are still to be checked after a new attempt, which replaces the first returned
   * debit. A period may be shorter than the settlement of a debit, so there may be several, even if
   * the subscription now has another payment method.
   */
  private async unhandledDebits(tx: Transaction, row: SubscriptionRow): Promise<string[]> {
    const debits = await this.collection.openDebits(tx, row);
    const replaced = debits.find(({ is_returned: isReturned }) => isReturned);
    return debits.filter((debit) => debit !== replaced).map(({ id }) => id);
  }

  /** When to check whether a debit was returned: an hour after the next morning's settlement. */
  private nextCheckAt(
    debitIds: readonly string[],
    periodEnd: Instant | null,
    now: Instant,
  ): Instant | null {
    if (debitIds.length === 0) return periodEnd;
    const nextCheck = plusMs(nextMorning(now), HOUR_MS);
    return periodEnd === null ? nextCheck : earlier(nextCheck, periodEnd);
  }
}
