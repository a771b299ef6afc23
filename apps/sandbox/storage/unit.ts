import { assert, type Instant, newId, plusMs } from '#kernel';
import { type AccountScope, scopeOf } from './account-scope.js';
import type { Statement } from './database.js';
import { EVENTS, FIRST_ATTEMPT_DELAY_MS } from './event-row.js';
import type { EventType } from './event-types.js';
import type { Row, Table, TableNames, Values } from './table.js';
import { type Part, unitSql } from './unit-sql.js';

/** The rows to write to one table, while further rows can still be added. */
interface OpenPart extends Omit<Part, 'version'> {
  readonly rows: Map<string, Values>;
}

/** Whether an update of `one` writes all columns that an update of `other` writes. */
const declares = (one: TableNames, other: TableNames): boolean =>
  other.mutable.every((column) => one.mutable.includes(column));

/**
 * The changes of one request or one timed step: rows and events. One statement writes all of them
 * or none. Only declared columns of a row are written, so an object with more properties may be
 * passed. Rows may refer to each other.
 */
export class Unit {
  private readonly parts = new Map<string, OpenPart>();
  /**
   * The part of the statement that writes each row, by table and id, because one statement can
   * write a row only once.
   */
  private readonly written = new Map<string, OpenPart>();
  /** Event ids by type and object. */
  private readonly eventIds = new Map<string, string>();
  private readonly versions = new Map<string, string>();
  /** The earliest due instant in this unit. */
  earliestDue: Instant | null = null;

  insert<R extends Row>(table: Table<R>, row: NoInfer<R>): void {
    this.write(this.partOf(table.key, table), row.id, table.inserted(row));
    this.expect(row.due_at);
  }

  /** Makes the write of the unit fail if the row no longer has this version. */
  compare(
    { name }: TableNames,
    { id, version }: { readonly id: string; readonly version: string },
  ) {
    this.versions.set(`${name} ${id}`, version);
  }

  /**
   * Changes a row; several changes of a row, or of a row inserted by this unit, are written as one.
   * When a row is changed twice, one of the changes must write all columns that the other writes.
   */
  change<R extends Row>(table: Table<R>, row: NoInfer<R>): void {
    const before = this.written.get(`${table.name} ${row.id}`);
    const holds = before !== undefined && (before.isInsert || declares(before.table, table));
    const part = holds ? before : this.partOf(table.key.toUpperCase(), table);
    const earlier = before?.rows.get(row.id);
    assert(
      holds || before === undefined || declares(table, before.table),
      'when a row is changed twice, one change must write all columns that the other writes',
    );
    if (!holds) before?.rows.delete(row.id);
    this.write(part, row.id, { ...earlier, ...table.changed(row) });
    this.expect(row.due_at);
  }

  /**
   * Adds an event. `data` is the current object, as a GET returns it. A unit writes one event per
   * type and object: the last event.
   */
  addEvent(type: EventType, scope: AccountScope, data: { readonly id: string }, at: Instant): void {
    const id = newId('evt');
    const body = JSON.stringify({ id, type, data });
    const eventKey = `${type} ${data.id}`;
    const before = this.eventIds.get(eventKey);
    if (before !== undefined) this.partOf(EVENTS.key, EVENTS).rows.delete(before);
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
  toSql(): { readonly statement: Statement; readonly values: readonly unknown[] } | null {
    // The parts are sorted, so that the same changes always use the same prepared statement.
    const parts = [...this.parts.values()]
      .filter(({ rows }) => rows.size > 0)
      .map((part) => ({ ...part, version: this.versionOf(part) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    return parts.length === 0 ? null : unitSql(parts);
  }

  private versionOf({ isInsert, table, rows }: OpenPart): string | null {
    if (isInsert || this.versions.size === 0) return null;
    const versions = [...rows.keys()].map((id) => this.versions.get(`${table.name} ${id}`));
    if (versions.every((version) => version === undefined)) return null;
    assert(versions.length === 1, 'a unit that compares versions changes one row of a table');
    return versions[0] ?? null;
  }

  private partOf(key: string, table: TableNames): OpenPart {
    const known = this.parts.get(key);
    if (known !== undefined) return known;
    const part = { key, table, isInsert: key === table.key, rows: new Map<string, Values>() };
    this.parts.set(key, part);
    return part;
  }

  private write(part: OpenPart, id: string, values: Values): void {
    part.rows.set(id, values);
    this.written.set(`${part.table.name} ${id}`, part);
  }

  private expect(at: Instant | null | undefined): void {
    if (at === null || at === undefined) return;
    if (this.earliestDue === null || at < this.earliestDue) this.earliestDue = at;
  }
}
