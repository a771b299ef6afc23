import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { newId, Rejection } from '#kernel';
import type { ListQuery } from '#lists';
import { inTransaction } from '#log';
import { recordAudit } from '#operations';
import type { Acting } from '../access/allow.js';
import { auditedQuery } from './audited-query.js';

export const EXPORT_STATES = ['running', 'ready', 'failed'] as const;
export const EXPORT_FAILURES = ['too_many_rows', 'refused', 'error'] as const;

export interface Export {
  readonly id: string;
  readonly list: string;
  readonly state: (typeof EXPORT_STATES)[number];
  readonly failure: (typeof EXPORT_FAILURES)[number] | null;
  /** The rows written so far. */
  readonly rows: number;
  readonly bytes: number;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
}

/** The maximum number of files that are stored per user, including exports in progress. */
const MAX_EXPORTS = 10;

const FIELDS = `id, list, state, failure, row_count AS rows, bytes::float8 AS bytes,
  requested_at AS "requestedAt", expires_at AS "expiresAt"`;

const notFound = (): Rejection =>
  new Rejection('export_not_found', 'you have no such export, or it has expired');

/** The exports of console users. Only the user who requested an export receives its file. */
@Injectable()
export class Exports {
  private notify: () => void = () => {};

  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Registers the function that is called when this process has stored a request for an export. */
  onRequested(notify: () => void): void {
    this.notify = notify;
  }

  async of({ userId }: Acting): Promise<readonly Export[]> {
    const { rows } = await this.pool.query<Export>(
      `SELECT ${FIELDS} FROM admin_exports
        WHERE owner_id = $1 AND expires_at > clock_timestamp() ORDER BY requested_at DESC, id`,
      [userId],
    );
    return rows;
  }

  /** Requests a file. Throws `Rejection('too_many_exports')`. */
  async request(list: string, query: ListQuery, by: Acting): Promise<Export> {
    const id = newId('exp');
    const requested = await inTransaction(this.pool, async (client) => {
      await this.mustHaveRoom(client, by);
      const { rows } = await client.query<Export>(
        `INSERT INTO admin_exports (id, list, query, owner_id) VALUES ($1, $2, $3, $4)
         RETURNING ${FIELDS}`,
        [id, list, query, by.userId],
      );
      await recordAudit(client, by, {
        action: `${list}.exported`,
        subject: null,
        detail: { ...auditedQuery(query), format: 'csv', exportId: id },
      });
      return rows;
    });
    this.notify();
    return requested[0] as Export;
  }

  /** Throws `Rejection('export_not_found')` for an export of another user. */
  async get(id: string, by: Acting): Promise<Export> {
    const found = (await this.of(by)).find((one) => one.id === id);
    if (found === undefined) throw notFound();
    return found;
  }

  /** Deletes an export. An export in progress is stopped. */
  async delete(id: string, { userId }: Acting): Promise<void> {
    const { rowCount } = await this.pool.query(
      'DELETE FROM admin_exports WHERE id = $1 AND owner_id = $2',
      [id, userId],
    );
    if (rowCount === 0) throw notFound();
  }

  /** The text of a file, one chunk in memory at a time. */
  async *textOf(id: string): AsyncGenerator<string, void, undefined> {
    for (let number = 0; ; number += 1) {
      const { rows } = await this.pool.query<{ text: string; isLast: boolean }>(
        `SELECT c.text, c.number = e.chunks - 1 AS "isLast"
           FROM admin_export_chunks c JOIN admin_exports e ON e.id = c.export_id
          WHERE c.export_id = $1 AND c.number = $2`,
        [id, number],
      );
      const [chunk] = rows;
      // The file was deleted: the connection ends early, so the browser reports an incomplete file.
      if (chunk === undefined) throw notFound();
      yield chunk.text;
      if (chunk.isLast) return;
    }
  }

  /** The user's row is locked, so that the exports of simultaneous requests are counted. */
  private async mustHaveRoom(client: PoolClient, { userId }: Acting): Promise<void> {
    await client.query('SELECT FROM admin_users WHERE id = $1 FOR UPDATE', [userId]);
    const { rows } = await client.query<{ exports: number }>(
      `SELECT count(*)::int AS exports FROM admin_exports
        WHERE owner_id = $1 AND expires_at > clock_timestamp()`,
      [userId],
    );
    if ((rows[0]?.exports ?? 0) < MAX_EXPORTS) return;
    throw new Rejection(
      'too_many_exports',
      `a user can keep at most ${MAX_EXPORTS} exports: delete one that you no longer need`,
    );
  }
}
