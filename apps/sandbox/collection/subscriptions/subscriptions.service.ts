import { Injectable } from '@nestjs/common';
import { type Instant, newId } from '#kernel';
import { type ApiError, conflict, invalid } from '../../api/api-error.js';
import { noSuch } from '../../api/ids.js';
import { checkReferences, type Reference } from '../../api/references.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { type AccountScope, scopeOf } from '../../storage/account-scope.js';
import { findRow, lockRow } from '../../storage/by-id.js';
import type { Transaction } from '../../storage/database.js';
import { patched } from '../../storage/patched.js';
import { Store } from '../../storage/store.js';
import type { Unit } from '../../storage/unit.js';
import { CUSTOMERS } from '../customers/customer-resource.js';
import { signedAccount } from '../mandates/signed-account.js';
import { Billing } from './billing.js';
import {
  type SubscriptionCreate,
  type SubscriptionItem,
  type SubscriptionPatch,
  type SubscriptionRow,
  SUBSCRIPTIONS,
} from './subscription-resource.js';
import { subscriptionMachine } from './subscription-states.js';

const OPEN_OF_CUSTOMER = {
  name: 'subscription:open-of-customer',
  text: `SELECT * FROM subscriptions WHERE customer_id = $1 AND status <> 'canceled'
         ORDER BY id FOR NO KEY UPDATE`,
};

const foundRow = (id: string, row: SubscriptionRow | null): SubscriptionRow => {
  if (row === null) throw noSuch('sub', id);
  return row;
};

const pricesIn = (items: readonly SubscriptionItem[] = []): Reference[] =>
  items.map(({ price }, index) => [['items', index, 'price'], price]);

/**
 * Recurring payments of customers. A deleted subscription is `canceled` and can still be read.
 * Throws `ApiError`.
 */
@Injectable()
export class Subscriptions {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly billing: Billing,
  ) {}

  /**
   * Creates a subscription, and collects the first payment immediately when the body contains a
   * card or a bank account.
   */
  async create(scope: AccountScope, body: SubscriptionCreate): Promise<SubscriptionRow> {
    return this.store.decide(async (tx, unit) => {
      // If the customer is deleted concurrently, the deletion cancels this subscription too.
      await lockRow(tx, CUSTOMERS, scope, body.customer);
      await this.check(tx, scope, body, [['customer', body.customer]]);
      const now = this.clock.now();
      const row = newSubscription(scope, body, now);
      await this.checkPlan(tx, row);
      unit.insert(SUBSCRIPTIONS, row);
      this.billing.addEvent(unit, 'subscription.created', row, now);
      return canPay(row) ? this.billing.pay(tx, unit, row, now) : row;
    });
  }

  async read(scope: AccountScope, id: string): Promise<SubscriptionRow> {
    return foundRow(id, await findRow(this.store.database, SUBSCRIPTIONS, scope, id));
  }

  /** Changes a subscription; a new card or bank account is charged the amount due immediately. */
  async patch(scope: AccountScope, id: string, body: SubscriptionPatch): Promise<SubscriptionRow> {
    return this.store.decide(async (tx, unit) => {
      const row = foundRow(id, await lockRow(tx, SUBSCRIPTIONS, scope, id));
      if (row.status === 'canceled') throw conflict('Subscription is canceled: it has ended');
      await this.check(tx, scope, body, []);
      const changed = patched(row, {
        items: body.items,
        card_id: body.sepa === undefined || body.sepa === null ? body.card : null,
        sepa_id: body.card === undefined || body.card === null ? body.sepa : null,
      });
      await this.checkPlan(tx, changed, row);
      const now = this.clock.now();
      if (changed !== row) this.billing.save(unit, changed);
      const given = (body.card ?? body.sepa ?? null) !== null;
      const settled =
        given && row.status !== 'active' ? await this.billing.pay(tx, unit, changed, now) : changed;
      if (changed !== row) this.billing.addEvent(unit, 'subscription.updated', settled, now);
      return settled;
    });
  }

  /** Idempotent. */
  async remove(scope: AccountScope, id: string): Promise<SubscriptionRow> {
    return this.store.decide(async (tx, unit) => {
      const row = foundRow(id, await lockRow(tx, SUBSCRIPTIONS, scope, id));
      if (row.deleted_at !== null) return row;
      const now = this.clock.now();
      const open = subscriptionMachine.can(row.status, 'cancel');
      const ended = open ? this.billing.cancel(unit, row, now) : row;
      const removed = this.billing.save(unit, { ...ended, deleted_at: now });
      this.billing.addEvent(unit, 'subscription.deleted', removed, now);
      return removed;
    });
  }

  /** Cancels the subscriptions of a deleted customer; the caller has locked the customer. */
  async cancelAllOf(tx: Transaction, unit: Unit, customerId: string, now: Instant): Promise<void> {
    const rows = await tx.query<SubscriptionRow>(OPEN_OF_CUSTOMER, [customerId]);
    for (const row of rows) this.billing.cancel(unit, row, now);
  }

  private async check(
    tx: Transaction,
    scope: AccountScope,
    { items, card = null, sepa = null }: SubscriptionPatch,
    more: readonly Reference[],
  ): Promise<void> {
    if (card !== null && sepa !== null) {
      const msg =
        'Input should be null when a `card` is given: a subscription has one payment method';
      throw invalid({ loc: ['body', 'sepa'], msg, type: 'value_error' });
    }
    await checkReferences(tx, scope, [...more, ...pricesIn(items), ['card', card], ['sepa', sepa]]);
    if (sepa === null) return;
    const account = await signedAccount(tx, scope, sepa);
    if (account.sepa === null || account.mandate === null) {
      throw conflict(`SEPA account \`${sepa}\` has no signed mandate`);
    }
  }

  private async checkPlan(
    tx: Transaction,
    row: SubscriptionRow,
    before?: SubscriptionRow,
  ): Promise<void> {
    const plan = await this.billing.planFor(tx, row);
    if ('problem' in plan) throw refuse('items', plan.problem);
    if (row.sepa_id !== null && plan.currency !== 'eur')
      throw refuse('sepa', 'only eur is supported');
    if (before === undefined || before.status === 'incomplete' || plan.onceMinor === 0) return;
    const paid = await this.billing.planFor(tx, before);
    if ('problem' in paid || paid.onceMinor !== plan.onceMinor) {
      throw refuse('items', 'one-time prices cannot be added after the first payment');
    }
  }
}

const refuse = (field: string, problem: string): ApiError =>
  invalid({ loc: ['body', field], msg: `Input is invalid: ${problem}`, type: 'value_error' });

const canPay = ({ card_id: cardId, sepa_id: sepaId }: SubscriptionRow): boolean =>
  cardId !== null || sepaId !== null;

const newSubscription = (
  scope: AccountScope,
  body: SubscriptionCreate,
  now: Instant,
): SubscriptionRow => ({
  id: newId('sub'),
  ...scopeOf(scope),
  status: 'incomplete',
  customer_id: body.customer,
  card_id: body.card ?? null,
  sepa_id: body.sepa ?? null,
  items: body.items,
  period_start: null,
  period_end: null,
  refusals: 0,
  debit_ids: [],
  created_at: now,
  deleted_at: null,
  due_at: null,
});
