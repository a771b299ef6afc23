import { type Instant, newId, plusMs } from '#kernel';
import { FIRST_ATTEMPT_DELAY_MS } from '../webhooks/schedule.js';
import type { EventType } from '../webhooks/event-types.js';
import type { Statement } from './database.js';
import type { CardRow, CustomerRow, EventRow, IntentRow, PaymentRow } from './rows.js';

interface Rows {
  customers: CustomerRow;
  cards: CardRow;
  payment_intents: IntentRow;
  payments: PaymentRow;
  events: EventRow;
}
type Table = keyof Rows;

const columnsOf = <T extends Table>(...names: readonly (keyof Rows[T] & string)[]): string =>
  names.join(', ');

/** Every column, for inserts. */
const COLUMNS: Readonly<Record<Table, string>> = {
  customers: columnsOf<'customers'>(
    'id', 'live', 'email', 'mobile', 'name', 'date_birth', 'legal_id', 'country', 'external_id',
    'billing_address', 'shipping_address', 'created_at', 'deleted_at',
  ),
  cards: columnsOf<'cards'>(
    'id', 'live', 'fingerprint', 'scenario', 'brand', 'last4', 'exp_month', 'exp_year', 'country',
    'funding', 'network', 'nature', 'name', 'zip_code', 'customer_id', 'external_id', 'created_at',
    'deleted_at',
  ),
  payment_intents: columnsOf<'payment_intents'>(
    'id', 'live', 'status', 'amount', 'currency', 'capture', 'methods_allowed', 'threeds',
    'description', 'customer_id', 'card_id', 'sepa_id', 'order_id', 'unique_id', 'return_url',
    'date_settlement', 'metadata', 'billing_address', 'shipping_address', 'payment_id',
    'created_at',
  ),
  payments: columnsOf<'payments'>(
    'id', 'live', 'intent_id', 'status', 'amount', 'currency', 'capture', 'response', 'method',
    'card_id', 'customer_id', 'order_id', 'unique_id', 'description', 'auth_status',
    'auth_session_id', 'auth_return_url', 'auth_expires_at', 'date_settlement', 'date_bank',
    'created_at', 'authorized_at', 'confirm_until', 'due_at',
  ),
  events: columnsOf<'events'>('id', 'live', 'type', 'object_id', 'body', 'created_at'),
};

/** The columns that change; the rest is written once. */
const MUTABLE = {
  payment_intents: ['status', 'description', 'order_id', 'card_id', 'payment_id'],
  payments: [
    'status', 'response', 'description', 'order_id', 'auth_status', 'date_bank', 'authorized_at',
    'confirm_until', 'due_at',
  ],
} as const satisfies { readonly [T in Table]?: readonly (keyof Rows[T])[] };

const insertSql = (table: Table, slot: number): string =>
  `INSERT INTO ${table} (${COLUMNS[table]}) SELECT ${COLUMNS[table]} ` +
  `FROM jsonb_populate_recordset(null::${table}, $${slot}::jsonb)`;

const updateSql = (table: keyof typeof MUTABLE, slot: number): string =>
  `UPDATE ${table} SET ${MUTABLE[table].map((name) => `${name} = changed.${name}`).join(', ')} ` +
  `FROM jsonb_populate_recordset(null::${table}, $${slot}::jsonb) AS changed ` +
  `WHERE ${table}.id = changed.id`;

/** One delivery for each endpoint that is enabled when the event is made. */
const DELIVERIES_SQL =
  `INSERT INTO deliveries (event_id, endpoint_id, due_at) ` +
  `SELECT e.id, w.id, e.created_at + interval '${FIRST_ATTEMPT_DELAY_MS} milliseconds' ` +
  `FROM new_events e JOIN webhook_endpoints w ` +
  `ON w.live = e.live AND w.enabled AND w.deleted_at IS NULL ORDER BY e.seq, w.seq`;

interface Part {
  readonly key: string;
  readonly sql: (slot: number) => string;
  readonly rows: readonly unknown[];
}

/** PostgreSQL keeps 63 characters of a prepared statement's name. */
const SHORT_KEYS: Readonly<Record<string, string>> = {
  customers: 'u', cards: 'c', payment_intents: 'i', payments: 'p', events: 'e',
  '~payment_intents': 'I', '~payments': 'P',
};

const statements = new Map<string, Statement>();

/** The statement for this combination of parts, built once and prepared by its name. */
const statementFor = (parts: readonly Part[]): Statement => {
  const name = `unit:${parts.map((part) => SHORT_KEYS[part.key]).join('')}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const ctes = parts.map((part, index) =>
    part.key === 'events'
      ? `new_events AS (${part.sql(index + 1)} RETURNING id, seq, live, created_at), ` +
        `new_deliveries AS (${DELIVERIES_SQL})`
      : `part_${index} AS (${part.sql(index + 1)})`,
  );
  const statement = { name, text: `WITH ${ctes.join(', ')} SELECT 1` };
  statements.set(name, statement);
  return statement;
};

/**
 * What one request or one step of the clock changes: rows and the events that tell of them, written
 * by a single statement, so that neither can be there without the other.
 */
export class Unit {
  private readonly inserted: { [T in Table]: Rows[T][] } = {
    customers: [], cards: [], payment_intents: [], payments: [], events: [],
  };
  private readonly changedIntents = new Map<string, IntentRow>();
  private readonly changedPayments = new Map<string, PaymentRow>();
  /** When the clock has to look next because of this unit. */
  earliestDue: Instant | null = null;

  insert<T extends Table>(table: T, row: Rows[T]): void {
    (this.inserted[table] as Rows[T][]).push(row);
    if (table === 'payments') this.expect((row as PaymentRow).due_at);
  }

  /** The row's last state in this unit counts. */
  changeIntent(row: IntentRow): void {
    const fresh = this.inserted.payment_intents.findIndex((known) => known.id === row.id);
    if (fresh >= 0) this.inserted.payment_intents[fresh] = row;
    else this.changedIntents.set(row.id, row);
  }

  /** The row's last state in this unit counts. */
  changePayment(row: PaymentRow): void {
    const fresh = this.inserted.payments.findIndex((known) => known.id === row.id);
    if (fresh >= 0) this.inserted.payments[fresh] = row;
    else this.changedPayments.set(row.id, row);
    this.expect(row.due_at);
  }

  /** `data` is the object as it is now: what a GET of it answers. */
  tell(type: EventType, live: boolean, data: { readonly id: string }, at: Instant): void {
    const id = newId('evt');
    const body = JSON.stringify({ id, type, data });
    this.insert('events', { id, live, type, object_id: data.id, body, created_at: at });
    this.expect(plusMs(at, FIRST_ATTEMPT_DELAY_MS));
  }

  /** Null when there is nothing to write. */
  toSql(): { readonly statement: Statement; readonly values: readonly string[] } | null {
    const parts: Part[] = [];
    for (const table of ['customers', 'cards', 'payment_intents', 'payments', 'events'] as const) {
      const rows = this.inserted[table];
      if (rows.length === 0) continue;
      parts.push({ key: table, sql: (slot) => insertSql(table, slot), rows });
    }
    const changes = {
      payment_intents: [...this.changedIntents.values()],
      payments: [...this.changedPayments.values()],
    };
    for (const table of ['payment_intents', 'payments'] as const) {
      const rows = changes[table];
      if (rows.length === 0) continue;
      parts.push({ key: `~${table}`, sql: (slot) => updateSql(table, slot), rows });
    }
    if (parts.length === 0) return null;
    const values = parts.map((part) => JSON.stringify(part.rows));
    return { statement: statementFor(parts), values };
  }

  private expect(at: Instant | null): void {
    if (at !== null && (this.earliestDue === null || at < this.earliestDue)) this.earliestDue = at;
  }
}
