import { assert, type Instant, newId, plusMs } from '#kernel';
import { type AccountScope, scopeOf } from './account-scope.js';
import type { Statement } from './database.js';
import { EVENTS, FIRST_ATTEMPT_DELAY_MS } from './event-row.js';
import type { EventType } from './event-types.js';
import {
  insertSql,
  ofVersionSql,
  type Row,
  type Table,
  type TableNames,
  updateSql,
} from './table.js';

/** One delivery for each endpoint that is enabled when the event is created. */
const DELIVERIES_SQL =
  `INSERT INTO deliveries (event_id, endpoint_id, due_at) ` +
  `SELECT e.id, w.id, e.created_at + interval '${FIRST_ATTEMPT_DELAY_MS} milliseconds' ` +
  `FROM new_events e JOIN webhook_endpoints w ` +
  `ON w.account_id = e.account_id AND w.live = e.live AND w.enabled AND w.deleted_at IS NULL ` +
  `ORDER BY e.seq, w.seq RETURNING id, endpoint_id, due_at`;

const WAITING_SQL =
  `INSERT INTO delivery_queue (endpoint_id, due_at, delivery_id) ` +
  `SELECT endpoint_id, due_at, id FROM new_deliveries`;

/** The write to one table: its rows' values are one parameter. */
interface Part {
  /** The table's key, in capitals for an update. */
  readonly key: string;
  readonly table: TableNames;
  readonly isInsert: boolean;
  readonly values: Map<string, object>;
}

/** Whether an update of the one table writes all columns that an update of the other does. */
const declares = (one: TableNames, other: TableNames): boolean =>
  other.mutable.every((column) => one.mutable.includes(column));

/** The parameter with the version of the row of a part that is compared; the last parameters. */
type VersionSlots = ReadonlyMap<Part, number>;

const partSql = (part: Part, index: number, slots: VersionSlots): string => {
  const { table, isInsert } = part;
  const slot = slots.get(part);
  if (slot !== undefined) {
    const update = `${updateSql(table, index + 1)}${ofVersionSql(table, slot)}`;
    return `part_${index} AS (${update} RETURNING 1)`;
  }
  if (!isInsert) return `part_${index} AS (${updateSql(table, index + 1)})`;
  const insert = insertSql(table, index + 1);
  if (table !== EVENTS) return `part_${index} AS (${insert})`;
  return (
    `new_events AS (${insert} RETURNING id, seq, account_id, live, created_at), ` +
    `new_deliveries AS (${DELIVERIES_SQL}), new_waiting AS (${WAITING_SQL})`
  );
};

/** Maximum length of a prepared statement's name in PostgreSQL. */
const MAX_NAME = 63;

const statements = new Map<string, Statement>();

/** The statement for this combination of parts, built once and prepared by name. */
const statementFor = (parts: readonly Part[], slots: VersionSlots): Statement => {
  const name = `unit:${parts.map((part) => `${part.key}${slots.has(part) ? '=' : ''}`).join('')}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  assert(name.length <= MAX_NAME, 'a unit writes few enough tables for the name limit');
  const compared = parts.flatMap((part, index) =>
    slots.has(part) ? [`(SELECT count(*) FROM part_${index})`] : [],
  );
  const text =
    `WITH ${parts.map((part, index) => partSql(part, index, slots)).join(', ')} ` +
    // The division by zero ends the statement, which then writes nothing.
    `SELECT 1${compared.map((count) => ` / ${count}`).join('')}`;
  const statement = { name, text };
  statements.set(name, statement);
  return statement;
};

/**
 * The changes of one request or one clock step: rows and their events, written by one statement, so
 * that neither exists without the other. Only declared columns of a row are written, so an object
 * with more properties may be passed. Rows may refer to each other.
 */
export class Unit {
  private readonly parts = new Map<string, Part>();
  /** The part that writes a row, by table and id: a statement can write a row only once. */
  private readonly written = new Map<string, Part>();
  /** Event ids by type and object. */
  private readonly eventIds = new Map<string, string>();
  private readonly versions = new Map<string, string>();
  /** The earliest due instant in this unit. */
  earliestDue: Instant | null = null;

  insert<R extends Row>(table: Table<R>, row: NoInfer<R>): void {
    this.write(this.partOf(table.key, table), row.id, table.inserted(row));
    this.expect(row.due_at);
  }

  /** The unit's change of this row is written only while the row has this version. */
  compare({ name }: TableNames, { id, version }: { readonly id: string; readonly version: string }) {
    this.versions.set(`${name} ${id}`, version);
  }

  /**
   * The row's last state in this unit is written, also of one that it inserts. Of two changes of a
   * row, one may declare further columns.
   */
  change<R extends Row>(table: Table<R>, row: NoInfer<R>): void {
    const before = this.written.get(`${table.name} ${row.id}`);
    const holds = before !== undefined && (before.isInsert || declares(before.table, table));
    const part = holds ? before : this.partOf(table.key.toUpperCase(), table);
    const earlier = before?.values.get(row.id);
    assert(
      holds || before === undefined || declares(table, before.table),
      'one change of a row declares the columns of the other',
    );
    if (!holds) before?.values.delete(row.id);
    this.write(part, row.id, { ...earlier, ...table.changed(row) });
    this.expect(row.due_at);
  }

  /**
   * Adds an event. `data` is the current object, as a GET returns it. A unit writes one event per
   * type and object: the last one.
   */
  addEvent(type: EventType, scope: AccountScope, data: { readonly id: string }, at: Instant): void {
    const id = newId('evt');
    const body = JSON.stringify({ id, type, data });
    const eventKey = `${type} ${data.id}`;
    const before = this.eventIds.get(eventKey);
    if (before !== undefined) this.partOf(EVENTS.key, EVENTS).values.delete(before);
    this.eventIds.set(eventKey, id);
    this.insert(EVENTS, {
      id,
      ...scopeOf(scope),
      type,
      object_id: data.id,
      body,
      created_at: at,
    });
    this.expect(plusMs(at, FIRST_ATTEMPT_DELAY_MS));
  }

  /** Null when there is nothing to write. */
  toSql(): { readonly statement: Statement; readonly values: readonly string[] } | null {
    // Sorted, so that the same changes use the same prepared statement.
    const parts = [...this.parts.values()]
      .filter(({ values }) => values.size > 0)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    if (parts.length === 0) return null;
    const values = parts.map((part) => JSON.stringify([...part.values.values()]));
    const slots = new Map<Part, number>();
    for (const part of parts) {
      const version = this.versionOf(part);
      if (version !== null) slots.set(part, values.push(version));
    }
    return { statement: statementFor(parts, slots), values };
  }

  private versionOf({ isInsert, table, values }: Part): string | null {
    if (isInsert) return null;
    const versions = [...values.keys()].map((id) => this.versions.get(`${table.name} ${id}`));
    if (versions.every((version) => version === undefined)) return null;
    assert(versions.length === 1, 'a unit that compares versions changes one row of a table');
    return versions[0] ?? null;
  }

  private partOf(key: string, table: TableNames): Part {
    const isInsert = key === table.key;
    const part = this.parts.get(key) ?? { key, table, isInsert, values: new Map<string, object>() };
    this.parts.set(key, part);
    return part;
  }

  private write(part: Part, id: string, values: object): void {
    part.values.set(id, values);
    this.written.set(`${part.table.name} ${id}`, part);
  }

  private expect(at: Instant | null | undefined): void {
    if (at === null || at === undefined) return;
    if (this.earliestDue === null || at < this.earliestDue) this.earliestDue = at;
  }
}
