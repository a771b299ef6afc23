import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { ID_PREFIXES, type IdPrefix, isId } from '../../http/ids.js';
import { PAYMENT_SELECT } from '../../payments/aggregate.js';
import type { FullPayment } from '../../payments/payment-row.js';

/** What the list of payments is asked for; an empty text asks for nothing. */
export interface PaymentQuery {
  /** Any reference: an id of whatever belongs to it, an order, an e-mail address, last digits. */
  readonly q: string;
  readonly status: string;
  readonly method: string;
  /** Days, YYYY-MM-DD, the first and the last. */
  readonly from: string;
  readonly to: string;
  readonly start: number;
}

export const PAGE_SIZE = 25;

/** Where a payment has an id, by the id's prefix; `?` is the id. */
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

const BY_REFERENCE = `t.id IN (
  SELECT id FROM payments WHERE order_id = ?
  UNION SELECT id FROM payments WHERE unique_id = ?
  UNION SELECT p.id FROM payments p JOIN customers c ON c.id = p.customer_id
    WHERE lower(?) IN (lower(c.email), c.mobile, lower(c.external_id), lower(c.name))
  UNION SELECT p.id FROM payments p JOIN mandates m ON m.id = p.mandate_id WHERE m.rum = ?
  UNION SELECT p.id FROM payments p JOIN payouts o ON o.id = p.payout_id WHERE o.reference = ?)`;

const BY_LAST_DIGITS = `(? IN (card.last4, sepa.last4) OR ? IN (t.order_id, t.unique_id))`;

const conditionOf = (q: string): string => {
  const prefix = ID_PREFIXES.find((known) => isId(known, q));
  const byId = prefix === undefined ? undefined : BY_ID[prefix];
  if (byId !== undefined) return byId;
  return /^\d{4}$/.test(q) ? BY_LAST_DIGITS : BY_REFERENCE;
};

const INTERRUPTED =
  `t.status = 'authorized' AND t.capture AND (t.confirm_until IS NULL OR t.confirm_until <= ?)`;

/** Conditions with their values, as they gather. */
class Conditions {
  readonly values: unknown[];
  readonly texts: string[] = ['t.live = $1'];

  constructor(live: boolean, start: number) {
    this.values = [live, start, PAGE_SIZE + 1];
  }

  add(text: string, value: unknown): void {
    this.texts.push(text.replaceAll('?', `$${this.values.push(value)}`));
  }
}

const conditionsOf = (live: boolean, query: PaymentQuery, now: string): Conditions => {
  const all = new Conditions(live, query.start);
  const { q, status, method, from, to } = query;
  if (q !== '') all.add(conditionOf(q), q);
  if (status === 'interrupted') all.add(INTERRUPTED, now);
  else if (status !== '') all.add('t.status = ?', status);
  if (method !== '') all.add('t.method = ?', method);
  if (from !== '') all.add('t.created_at >= ?::date', from);
  if (to !== '') all.add(`t.created_at < ?::date + interval '1 day'`, to);
  return all;
};

/** The User Area's list of payments. */
@Injectable()
export class PaymentSearch {
  constructor(private readonly database: Database) {}

  /** Newest first, at most a page; and whether there are older ones. */
  async page(
    live: boolean, query: PaymentQuery, now: string,
  ): Promise<{ readonly rows: readonly FullPayment[]; readonly hasMore: boolean }> {
    const { texts, values } = conditionsOf(live, query, now);
    const text = `${PAYMENT_SELECT} WHERE ${texts.join(' AND ')}
      ORDER BY t.created_at DESC, t.seq DESC OFFSET $2 LIMIT $3`;
    // Not prepared: its shapes are many, and each is asked by a person.
    const { rows } = await this.database.pool.query<FullPayment>(text, values);
    return { rows: rows.slice(0, PAGE_SIZE), hasMore: rows.length > PAGE_SIZE };
  }
}
