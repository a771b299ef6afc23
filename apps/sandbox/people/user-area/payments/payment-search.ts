import { Injectable } from '@nestjs/common';
import { ID_PREFIXES, type IdPrefix, isId } from '../../../api/ids.js';
import { pageSql } from '../../../api/lists.js';
import { fullPayments } from '../../../collection/payments/aggregate.js';
import type { FullPayment } from '../../../collection/payments/payment-resource.js';
import { type AccountScope, scopeValues } from '../../../storage/account-scope.js';
import { Database } from '../../../storage/database.js';
import { namedObjects, type NamedObjects } from './named-objects.js';

/** The filters of the list of payments; an empty text does not filter. */
export interface PaymentQuery {
  /**
   * The text to search for: the id of a related object, an order, an email address, or the last
   * digits.
   */
  readonly q: string;
  readonly status: string;
  readonly method: string;
  /** The first and the last day of the period, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly start: number;
}

export const PAGE_SIZE = 25;

/** The SQL condition for an id, by its prefix; `?` is the id. */
const BY_ID: Readonly<Partial<Record<IdPrefix, string>>> = {
  paym: 't.id = ?',
  pi: 't.intent_id = ?',
  cust: 't.customer_id = ?',
  card: 't.card_id = ?',
  sepa: 't.sepa_id = ?',
  mndt: 't.mandate_id = ?',
  pout: 't.payout_id = ?',
  refd: 't.id = (SELECT payment_id FROM refunds WHERE id = ?)',
  dspt: 't.id = (SELECT payment_id FROM disputes WHERE id = ?)',
  evt: `t.id IN (SELECT object_id FROM events WHERE id = ? UNION ALL
    SELECT i.payment_id FROM events e JOIN payment_intents i ON i.id = e.object_id WHERE e.id = ?)`,
};

const byIdIn = (q: string): string | undefined => {
  const prefix = ID_PREFIXES.find((known) => isId(known, q));
  return prefix === undefined ? undefined : BY_ID[prefix];
};

const INTERRUPTED = `t.status = 'authorized' AND t.capture AND (t.confirm_until IS NULL OR t.confirm_until <= ?)`;

const PAYMENTS = { select: 'SELECT t.* FROM payments t', complete: fullPayments };

/** SQL conditions with their values. */
class Conditions {
  readonly values: unknown[];
  readonly texts: string[] = ['t.account_id = $1 AND t.live = $2'];

  constructor(scope: AccountScope, start: number) {
    this.values = [...scopeValues(scope), start, PAGE_SIZE + 1];
  }

  add(text: string, value: unknown): void {
    this.texts.push(this.text(text, value));
  }

  /**
   * Finds payments of the objects that match the text, and payments with the text as `order_id` or
   * `unique_id`.
   */
  addNamed(q: string, named: NamedObjects): void {
    const ways = [this.text('t.order_id = ? OR t.unique_id = ?', q)];
    for (const [column, ids] of Object.entries(named)) {
      ways.push(this.text(`t.${column} = ANY(?)`, ids));
    }
    this.texts.push(`(${ways.join(' OR ')})`);
  }

  private text(text: string, value: unknown): string {
    return text.replaceAll('?', `$${this.values.push(value)}`);
  }
}

/** The User Area's list of payments. */
@Injectable()
export class PaymentSearch {
  constructor(private readonly database: Database) {}

  /** Returns at most one page of payments, newest first, and whether older payments exist. */
  async page(
    scope: AccountScope,
    query: PaymentQuery,
    now: string,
  ): Promise<{ readonly rows: readonly FullPayment[]; readonly hasMore: boolean }> {
    const { texts, values } = await this.conditions(scope, query, now);
    const text = pageSql(PAYMENTS, texts.join(' AND '));
    // This is not a prepared statement: the filters vary, and each query is planned for its values.
    const { rows } = await this.database.pool.query<FullPayment>(text, values);
    return { rows: rows.slice(0, PAGE_SIZE), hasMore: rows.length > PAGE_SIZE };
  }

  private async conditions(
    scope: AccountScope,
    query: PaymentQuery,
    now: string,
  ): Promise<Conditions> {
    const all = new Conditions(scope, query.start);
    const { q, status, method, from, to } = query;
    const byId = byIdIn(q);
    if (byId !== undefined) all.add(byId, q);
    else if (q !== '') all.addNamed(q, await namedObjects(this.database, scope, q));
    if (status === 'interrupted') all.add(INTERRUPTED, now);
    else if (status !== '') all.add('t.status = ?', status);
    if (method !== '') all.add('t.method = ?', method);
    if (from !== '') all.add('t.created_at >= ?::date', from);
    if (to !== '') all.add(`t.created_at < ?::date + interval '1 day'`, to);
    return all;
  }
}
