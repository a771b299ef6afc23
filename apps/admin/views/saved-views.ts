import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { newId, Rejection } from '#kernel';
import { inTransaction } from '#log';
import { recordAudit } from '#operations';
import type { Acting } from '../access/allow.js';
import { isNarrowed } from '../access/access-scope.js';
import { isAtLeast } from '../access/role.js';

/** The lists of the console whose views can be saved. */
export const VIEWED_LISTS = [
  'orders',
  'payments',
  'payouts',
  'merchants',
  'exceptions',
  'webhooks',
  'webhooks-refused',
  'audit',
] as const;

export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** The query string of the list's page, without `?`. */
  readonly query: string;
  readonly isShared: boolean;
  readonly isOwn: boolean;
  readonly ownerName: string;
}

export interface NewView extends Pick<SavedView, 'name' | 'query' | 'isShared'> {
  readonly list: (typeof VIEWED_LISTS)[number];
}

/** The maximum number of views that a user can save. */
const MAX_VIEWS = 50;

/** The views that console users have saved: own views, and those that others share. */
@Injectable()
export class SavedViews {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async of(list: NewView['list'], { userId }: Acting): Promise<readonly SavedView[]> {
    const { rows } = await this.pool.query<SavedView>(
      `SELECT v.id, v.name, v.query, v.shared AS "isShared", v.owner_id = $2 AS "isOwn",
              u.name AS "ownerName"
         FROM admin_saved_views v JOIN admin_users u ON u.id = v.owner_id
        WHERE v.list = $1 AND (v.owner_id = $2 OR v.shared)
        ORDER BY lower(v.name), v.id`,
      [list, userId],
    );
    return rows;
  }

  /**
   * Saves a view; a view of the user with the same list and name is replaced. Throws a `Rejection`
   * if the user has too many.
   */
  async save({ list, name, query, isShared }: NewView, by: Acting): Promise<SavedView> {
    const id = newId('view');
    const { rows } = await inTransaction(this.pool, async (client) => {
      await this.mustHaveRoom(client, by, { list, name });
      const saved = await client.query<{ id: string }>(
        `INSERT INTO admin_saved_views (id, list, name, query, owner_id, shared)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (owner_id, list, name) DO UPDATE
            SET query = excluded.query, shared = excluded.shared
         RETURNING id`,
        [id, list, name, query, by.userId, isShared],
      );
      // The audit entry does not contain the query, which may contain the words for which a user
      // searched.
      const detail = { list, name, isShared };
      await recordAudit(client, by, { action: 'view.saved', subject: null, detail });
      return saved;
    });
    return { id: rows[0]?.id ?? id, name, query, isShared, isOwn: true, ownerName: by.name };
  }

  /**
   * Deletes a view. A user deletes own views, an admin also shared ones. Throws a `Rejection` for
   * any other view.
   */
  async delete(id: string, by: Acting): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ list: string; name: string }>(
        `DELETE FROM admin_saved_views
          WHERE id = $1 AND (owner_id = $2 OR (shared AND $3)) RETURNING list, name`,
        [id, by.userId, isAtLeast(by.role, 'admin') && !isNarrowed(by)],
      );
      if (rows[0] === undefined) throw new Rejection('view_not_found', 'you have no such view');
      await recordAudit(client, by, { action: 'view.deleted', subject: null, detail: rows[0] });
    });
  }

  /** The user's row is locked, so that the views of simultaneous requests are counted. */
  private async mustHaveRoom(
    client: PoolClient,
    { userId }: Acting,
    { list, name }: Pick<NewView, 'list' | 'name'>,
  ): Promise<void> {
    await client.query('SELECT FROM admin_users WHERE id = $1 FOR UPDATE', [userId]);
    const { rows } = await client.query<{ views: number }>(
      `SELECT count(*)::int AS views FROM admin_saved_views
        WHERE owner_id = $1 AND (list, name) <> ($2, $3)`,
      [userId, list, name],
    );
    if ((rows[0]?.views ?? 0) < MAX_VIEWS) return;
    throw new Rejection(
      'too_many_views',
      `a user can save at most ${MAX_VIEWS} views: delete one that you no longer need`,
    );
  }
}
