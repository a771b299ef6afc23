import { Injectable } from '@nestjs/common';
import { DAY_MS, earlier, HOUR_MS, type Instant, plusMs } from '#kernel';
import { nextMorning } from '../../money/bank-days.js';
import type { Transaction } from '../../storage/database.js';
import type { EventType } from '../../storage/event-types.js';
import type { Unit } from '../../storage/unit.js';
import type { PriceRow } from '../products/price-resource.js';
import { type Collected, Collection, type DebitStanding } from './collection.js';
import { periodAt } from './periods.js';
import { type NoPlan, type Plan, planOf } from './plan.js';
import { type SubscriptionRow, SUBSCRIPTIONS } from './subscription-resource.js';
import { subscriptionMachine } from './subscription-states.js';

/** How long after each refusal a missed payment is tried again; after the last it is given up. */
const RETRY_AFTER_MS = [1 * DAY_MS, 3 * DAY_MS, 5 * DAY_MS] as const;
/** A debit that came back is not tried again: as long as the tries of a card it is past due. */
const RETURN_GRACE_MS = 9 * DAY_MS;

const PRICES_OF = { name: 'subscription:prices', text: 'SELECT * FROM prices WHERE id = ANY($1)' };

/** Direct debits in which the payer's bank may still say no. */
const UNSETTLED: ReadonlySet<string> = new Set(['to_capture', 'capture_sent']);

/**
 * What a subscription owes and what follows from it being paid or not. Everything is done under the
 * lock of the subscription's row, and tells what it changes.
 */
@Injectable()
export class Billing {
  constructor(private readonly collection: Collection) {}

  /** Deleted prices too: those who have them go on paying them. */
  async planFor(tx: Transaction, row: Pick<SubscriptionRow, 'items'>): Promise<Plan | NoPlan> {
    const ids = [...new Set(row.items.map(({ price }) => price))];
    return planOf(row.items, await tx.query<PriceRow>(PRICES_OF, [ids]));
  }

  /**
   * Collects what is owed now: the first payment, with all that is paid once, or the period that
   * `now` lies in.
   */
  async pay(
    tx: Transaction,
    unit: Unit,
    row: SubscriptionRow,
    now: Instant,
  ): Promise<SubscriptionRow> {
    const plan = await this.planFor(tx, row);
    // Its prices were changed since: they cannot be paid together any more.
    if ('problem' in plan) return this.miss(unit, row, null, now);
    const once = row.status === 'incomplete' ? plan.onceMinor : 0;
    const sum = { amountMinor: plan.eachMinor + once, currency: plan.currency };
    const collected = await this.collection.collect(tx, unit, row, sum, now);
    if (!collected.paid) return this.miss(unit, row, collected.paymentId, now);
    return this.paid(unit, row, plan, collected, now);
  }

  /** What the clock does when `due_at` has come. */
  async due(
    tx: Transaction,
    unit: Unit,
    row: SubscriptionRow,
    now: Instant,
  ): Promise<SubscriptionRow> {
    const debit = await this.latestDebit(tx, row);
    if (debit?.came_back === true) return this.afterReturn(tx, unit, row, debit, now);
    const paidUntil = row.period_end;
    if (row.status === 'active' && (paidUntil === null || now < paidUntil)) {
      const due_at = this.lookAgain(debit?.status ?? null, paidUntil, now);
      return this.keep(unit, { ...row, due_at });
    }
    return this.pay(tx, unit, row, now);
  }

  cancel(unit: Unit, row: SubscriptionRow, now: Instant): SubscriptionRow {
    const status = subscriptionMachine.next(row.status, 'cancel');
    const canceled = this.keep(unit, { ...row, status, due_at: null });
    this.tell(unit, 'subscription.canceled', canceled, now);
    return canceled;
  }

  keep(unit: Unit, row: SubscriptionRow): SubscriptionRow {
    unit.change(SUBSCRIPTIONS, row);
    return row;
  }

  tell(
    unit: Unit,
    type: Extract<EventType, `subscription.${string}`>,
    row: SubscriptionRow,
    now: Instant,
  ): void {
    unit.tell(type, row, SUBSCRIPTIONS.wire(row), now);
  }

  /** A payment that brings it back is told as such; a period paid like the last changes nothing. */
  private paid(
    unit: Unit,
    row: SubscriptionRow,
    { every }: Plan,
    { paymentId }: Collected,
    now: Instant,
  ): SubscriptionRow {
    const period = every === null ? null : periodAt(row.created_at, every, now);
    const periodEnd = period?.end ?? null;
    const byDebit = row.card_id === null && paymentId !== null;
    const active = this.keep(unit, {
      ...row,
      status: subscriptionMachine.next(row.status, 'pay'),
      refusals: 0,
      payment_id: paymentId ?? row.payment_id,
      period_start: period?.start ?? null,
      period_end: periodEnd,
      due_at: byDebit ? this.lookAgain('to_capture', periodEnd, now) : periodEnd,
    });
    if (row.status === 'incomplete') this.tell(unit, 'subscription.updated', active, now);
    else if (row.status !== 'active') this.tell(unit, 'subscription.resumed', active, now);
    return active;
  }

  /**
   * `unpaid` is told by no event: clients learn it by reading.
   * docs/provider/payments-completion.md#events.
   */
  private miss(
    unit: Unit,
    row: SubscriptionRow,
    paymentId: string | null,
    now: Instant,
  ): SubscriptionRow {
    const missed = {
      ...row,
      refusals: row.refusals + 1,
      payment_id: paymentId ?? row.payment_id,
      due_at: null,
    };
    if (!subscriptionMachine.can(row.status, 'miss')) return this.keep(unit, missed);
    const retryAfterMs = RETRY_AFTER_MS[row.refusals];
    if (retryAfterMs === undefined) return this.giveUp(unit, missed);
    return this.pastDue(unit, row, { ...missed, due_at: plusMs(now, retryAfterMs) }, now);
  }

  /** What another card or account pays since is asked of that one; else it is not tried again. */
  private async afterReturn(
    tx: Transaction,
    unit: Unit,
    row: SubscriptionRow,
    debit: DebitStanding,
    now: Instant,
  ): Promise<SubscriptionRow> {
    if (debit.sepa_id !== row.sepa_id) return this.pay(tx, unit, row, now);
    return row.status === 'active' ? this.cameBack(unit, row, now) : this.giveUp(unit, row);
  }

  private cameBack(unit: Unit, row: SubscriptionRow, now: Instant): SubscriptionRow {
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
    const late = this.keep(unit, { ...missed, status });
    if (before.status !== status) this.tell(unit, 'subscription.past_due', late, now);
    return late;
  }

  private giveUp(unit: Unit, row: SubscriptionRow): SubscriptionRow {
    const status = subscriptionMachine.next(row.status, 'give_up');
    return this.keep(unit, { ...row, status, due_at: null });
  }

  /** Its latest payment, whoever pays the next; null when that was made by card. */
  private async latestDebit(tx: Transaction, row: SubscriptionRow): Promise<DebitStanding | null> {
    return row.payment_id === null ? null : this.collection.debitStanding(tx, row.payment_id);
  }

  /** A debit may come back until it has settled, on some morning: it is looked at an hour later. */
  private lookAgain(debit: string | null, periodEnd: Instant | null, now: Instant): Instant | null {
    if (debit === null || !UNSETTLED.has(debit)) return periodEnd;
    const look = plusMs(nextMorning(now), HOUR_MS);
    return periodEnd === null ? look : earlier(look, periodEnd);
  }
}
